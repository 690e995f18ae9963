import type { FileSystem } from '../../cli/io/files.ts';
import { DEFAULT_LANGUAGE, readLanguages } from '../../cli/scaffold/languages.ts';
import { ENTRY_FILE, readSkillFiles } from '../../cli/scaffold/skill-files.ts';
import { UI_LANGUAGES, type UiLanguage } from '../../cli/wording/wording.ts';
import type { DirectoryEntry } from '../service/directory.ts';
import { chooseLanguage } from './accept-language.ts';
import { formatInvitePage } from './invite-page.ts';

interface Page {
  body: string;
  type: string;
}

/** What the hub shows to people and hands to agents, in the language they ask for. */
export interface HubPages {
  invite(entry: DirectoryEntry, languages: string): Page;
  skill(languages: string): Page;
}

export function createHubPages(fs: FileSystem, packageRoot: string, url: () => string): HubPages {
  const others = readLanguages(fs, packageRoot).filter((it) => it !== DEFAULT_LANGUAGE);
  const skillLanguages: [string, ...string[]] = [DEFAULT_LANGUAGE, ...others];
  const skills = new Map(
    skillLanguages.map((language) => {
      const files = readSkillFiles(fs, packageRoot, language);
      const entry = files.find(({ path }) => path === ENTRY_FILE);
      return [language, entry?.content.toString('utf8') ?? ''];
    }),
  );
  const pageLanguages = [...UI_LANGUAGES] as [UiLanguage, ...UiLanguage[]];
  return {
    invite: (entry, languages) => ({
      body: formatInvitePage(entry, url(), chooseLanguage(languages, pageLanguages)),
      type: 'text/html; charset=utf-8',
    }),
    skill: (languages) => ({
      body: skills.get(chooseLanguage(languages, skillLanguages)) ?? '',
      type: 'text/markdown; charset=utf-8',
    }),
  };
}
