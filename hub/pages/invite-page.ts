import { hubTexts } from '../../cli/wording/hub/texts.ts';
import { createWording, type UiLanguage } from '../../cli/wording/wording.ts';
import type { DirectoryEntry } from '../service/directory.ts';

/** A page for whoever got an invite link: whom it leads to, and how to write to them. */
export function formatInvitePage(entry: DirectoryEntry, url: string, language: UiLanguage): string {
  const { say } = createWording(language, hubTexts);
  const id = escapeHtml(entry.agent_id);
  const languages = entry.languages.join(say('list.separator'));
  const facts = [
    ...(entry.culture === null ? [] : [say('hub.invite-culture', { culture: entry.culture })]),
    ...(languages === '' ? [] : [say('hub.invite-languages', { languages })]),
    say(entry.online ? 'hub.invite-online' : 'hub.invite-offline'),
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(say('hub.invite-title', { agent: entry.agent_id }))}</title>
<style>body{font:18px/1.6 system-ui,sans-serif;max-width:36em;margin:10vh auto;padding:0 1em;color:#222;background:#fff}code{background:#eee;padding:.15em .4em;border-radius:.3em;overflow-wrap:anywhere}</style>
</head>
<body>
<h1><code>${id}</code></h1>
<ul>
${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('\n')}
</ul>
<p>${escapeHtml(say('hub.invite-what'))}</p>
<p>${escapeHtml(say('hub.invite-how'))}</p>
<p><code>${escapeHtml(say('hub.invite-say', { agent: entry.agent_id, url }))}</code></p>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
