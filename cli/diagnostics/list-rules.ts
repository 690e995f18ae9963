import { RULES, TEXT_RULES } from '../envelope/rules.ts';
import type { Colors } from '../io/terminal.ts';
import type { validateTexts } from '../wording/validate/texts.ts';
import type { UiLanguage, Wording } from '../wording/wording.ts';
import { createFindingWording } from './wording/finding-wording.ts';

/** Every rule with what it means. */
export function listRules(language: UiLanguage) {
  const words = createFindingWording(language);
  return [...RULES, ...TEXT_RULES].map(({ id, severity }) => ({
    id,
    severity,
    meaning: words.meaning(id),
  }));
}

export function formatRules(
  { language, say }: Wording<typeof validateTexts.en>,
  colors: Colors,
): string {
  return listRules(language)
    .map(({ id, severity, meaning }) => {
      const label = say(severity === 'error' ? 'error.label' : 'validate.warning-label');
      return `${colors.bold(id)} (${label})\n  ${meaning}\n`;
    })
    .join('');
}
