import { PROTOCOL_VERSION } from '../../protocol/constants.ts';
import { NO_PROBLEM, type Problem, type Rule } from '../rule.ts';

const OLD_VERSIONS = ['0.2', '0.3'];

export const wrongVersion: Rule = {
  id: 'wrong-version',
  severity: 'error',
  kinds: ['envelope', 'discovery'],
  check: ({ kind, value }) => {
    const given = value.chorus_version;
    if (typeof given !== 'string' || given === PROTOCOL_VERSION) return NO_PROBLEM;
    const problem: Problem = {
      field: 'chorus_version',
      args: { given: given.slice(0, 60), expected: PROTOCOL_VERSION },
    };
    // An old envelope that has its text under the new name, or gets it there, is a new one.
    if (kind === 'envelope' && OLD_VERSIONS.includes(given)) {
      problem.repair = { replaceWith: PROTOCOL_VERSION };
    }
    return [problem];
  },
};
