import { CliError } from '../../errors.ts';
import { findOpenclawWorkspace } from '../../hosts/openclaw/find-workspace.ts';
import { findOpenclawPlaces, type OpenclawWorld } from '../../hosts/openclaw/places.ts';
import { readMember, readOpenclawConfig } from '../../hosts/openclaw/read-config.ts';
import { isRecord } from '../../json/is-record.ts';
import { type InboxMessage, senderOf } from '../inbox-message.ts';

export const OPENCLAW_TOKEN = 'OPENCLAW_HOOKS_TOKEN';
const DEFAULT_PORT = 18789;

export interface OpenclawHook {
  url: string;
  token: string;
  /** Whose workspace the credentials lie in. */
  agentId: string | undefined;
}

/** Where OpenClaw's gateway on this machine takes messages for an agent, and the token for it. */
export function findOpenclawHook(
  world: OpenclawWorld,
  folder: string,
  givenUrl: string | undefined,
): OpenclawHook {
  const workspace = findOpenclawWorkspace(world, folder);
  const { configFile } = findOpenclawPlaces({ ...world, profile: workspace?.profile });
  const config = readOpenclawConfig(world.fs, configFile, []) ?? {};
  const port = readMember(config, 'gateway', 'port') ?? DEFAULT_PORT;
  const base = readMember(config, 'hooks', 'path') ?? '/hooks';
  const written = readMember(config, 'hooks', 'token');
  const token = world.env[OPENCLAW_TOKEN] || expandVariables(written, world.env);
  if (!token)
    throw new CliError('openclaw-no-token', { variable: OPENCLAW_TOKEN, path: configFile });
  return {
    url: givenUrl ?? `http://127.0.0.1:${port}/${String(base).replace(/^\/+|\/+$/g, '')}/agent`,
    token,
    agentId: workspace?.agentId,
  };
}

/** The body that `/hooks/agent` takes; OpenClaw marks the message as coming from outside. */
export function formatHookBody(
  message: InboxMessage,
  { agentId }: Pick<OpenclawHook, 'agentId'>,
  timeoutSeconds: number,
): string {
  return JSON.stringify({
    message: describe(message),
    name: 'Chorus',
    ...(agentId === undefined ? {} : { agentId }),
    deliver: true,
    idempotencyKey: message.trace_id,
    timeoutSeconds,
  });
}

/** For the model, in the names of the protocol; what it should do with it the skill says. */
function describe(message: InboxMessage): string {
  const envelope = isRecord(message.envelope) ? message.envelope : {};
  const { sender_culture, conversation_id, turn_number, cultural_context } = envelope;
  const facts = {
    sender_id: senderOf(message),
    sender_culture,
    trace_id: message.trace_id,
    conversation_id,
    turn_number,
    cultural_context,
  };
  return [
    'A Chorus message has arrived. Handle it by the chorus skill, section "Receive".',
    ...Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}: ${JSON.stringify(value)}`,
    ),
    `original_text: ${JSON.stringify(envelope.original_text)}`,
  ].join('\n');
}

function expandVariables(value: unknown, env: OpenclawWorld['env']): string {
  if (typeof value !== 'string') return '';
  return value.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '');
}
