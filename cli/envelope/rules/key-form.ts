import { formatRule } from '../format-rule.ts';
import type { Rule } from '../rule.ts';

const keyForm = formatRule('key-form');

/** Never shows the value: it is a secret. */
export const secretKeyForm: Rule = {
  ...keyForm,
  *check(subject) {
    for (const problem of keyForm.check(subject)) {
      yield { ...problem, args: { field: problem.args?.field ?? '' } };
    }
  },
};
