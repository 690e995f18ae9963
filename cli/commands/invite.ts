import { resolveEndpoint } from '../hub-client/hub-paths.ts';
import { isLoopback } from '../hub-client/hub-url.ts';
import { printJson } from '../io/terminal.ts';
import { directoryTexts } from '../wording/directory/texts.ts';
import { type CommandTools, type DefineCommand, withTexts } from './command.ts';
import { addIdentityOptions, type IdentityFlags, openIdentity } from './open-identity.ts';

type InviteTools = CommandTools<typeof directoryTexts.en>;

export const defineInvite: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, directoryTexts);
  const { say } = tools.wording;
  addIdentityOptions(command.description(say('invite.description')), say)
    .option('--json', say('option.json'))
    .action((flags: IdentityFlags & { json?: boolean }) => runInvite(flags, tools));
};

async function runInvite(flags: IdentityFlags & { json?: boolean }, tools: InviteTools) {
  const { stdout, stderr } = tools.context;
  const { credentials, openHub } = openIdentity(flags, tools);
  const { agent_id } = credentials;
  const hub = openHub();
  const answer = await hub.discovery();
  const document = answer.ok ? answer.data : undefined;
  const link = resolveEndpoint(hub.url, 'invite', document, { agent_id }).href;
  if (flags.json) {
    stdout.write(printJson({ ok: true, agent_id, link }));
    return;
  }
  if (stdout.isTTY) {
    const { renderUnicodeCompact } = await import('uqr');
    const code = renderUnicodeCompact(link, { border: 2 });
    // Broken lines are no code, but fill the screen.
    if (code.indexOf('\n') <= (stdout.columns || 80)) stdout.write(`${code}\n`);
  }
  stdout.write(`${link}\n`);
  if (isLoopback(hub.url.hostname)) {
    stderr.write(`${tools.wording.say('invite.local', { host: hub.url.host })}\n`);
  }
}
