import { CULTURE_PATTERN } from '../../cli/protocol/constants.ts';
import type { Check } from './document-set.ts';

const FORM = {
  top: ['_description', 'user_input', 'envelope', 'adapted_output'],
  output: ['receiver_culture', 'text'],
};

interface Example {
  _description?: unknown;
  user_input?: unknown;
  envelope?: { sender_culture?: unknown; original_text?: unknown };
  adapted_output?: { receiver_culture?: unknown; text?: unknown };
}

function listProblems(name: string, example: Example): string[] {
  const output = example.adapted_output ?? {};
  const problems: string[] = [];
  const compare = (what: string, value: object, keys: string[]) => {
    const found = Object.keys(value).join(', ');
    if (found !== keys.join(', ')) problems.push(`${what} has ${found}, not ${keys.join(', ')}`);
  };
  compare('the example', example, FORM.top);
  compare('adapted_output', output, FORM.output);

  const texts = { ...example, ...output } as Record<string, unknown>;
  for (const key of ['_description', 'user_input', 'text']) {
    if (typeof texts[key] !== 'string' || texts[key] === '') problems.push(`${key} is no text`);
  }
  // The user's own words go out unchanged; the example must not teach otherwise.
  if (example.user_input !== example.envelope?.original_text) {
    problems.push('user_input is not the original_text of the envelope');
  }
  const receiver = String(output.receiver_culture);
  if (!new RegExp(CULTURE_PATTERN).test(receiver)) problems.push(`${receiver} is no culture`);

  // `en-to-en.json` may be from en-GB to en-GB: the name says at least the language.
  const [from, to] = name.replace(/^examples\/|\.json$/g, '').split('-to-');
  const sender = String(example.envelope?.sender_culture);
  if (
    !from ||
    !to ||
    !`${sender}-`.startsWith(`${from}-`) ||
    !`${receiver}-`.startsWith(`${to}-`)
  ) {
    problems.push(`the name does not say ${sender} to ${receiver}`);
  }
  return problems;
}

export const exampleForm: Check = {
  id: 'example-form',
  run({ shared }) {
    return [...shared]
      .filter(([name]) => name.startsWith('examples/'))
      .flatMap(([name, text]) => {
        let example: Example;
        try {
          example = JSON.parse(text) as Example;
        } catch {
          return []; // valid-envelopes says so
        }
        const file = `templates/shared/${name}`;
        return listProblems(name, example).map((message) => ({ file, line: 1, message }));
      });
  },
};
