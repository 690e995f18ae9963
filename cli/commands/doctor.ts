import { lookup } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import type { CheckResult } from '../doctor/check.ts';
import { CHECKS, INBOX, ROUND_TRIP } from '../doctor/checks.ts';
import { createDoctorWorld, type DoctorInput } from '../doctor/doctor-world.ts';
import { addHostChecks } from '../doctor/host-checks.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { CliError } from '../errors.ts';
import { findInstallations, listPlacesHere } from '../hosts/find-installations.ts';
import { connect } from '../hub-client/connect.ts';
import { parseHubUrl } from '../hub-client/hub-url.ts';
import { NODE_VERSION, PLATFORM } from '../io/platform.ts';
import { createRunProgram } from '../io/run-program.ts';
import { doctorTexts } from '../wording/doctor/texts.ts';
import { askHost } from './ask-host.ts';
import { type DefineCommand, readCwd, valueOption, withTexts } from './command.ts';
import {
  type DoctorTools,
  formatDoctorJson,
  formatGroup,
  formatResult,
  formatSummary,
} from './doctor-report.ts';
import { createNetwork } from './network.ts';

interface DoctorFlags {
  hub?: string;
  credentials?: string;
  offline?: boolean;
  roundTrip?: boolean;
  fix?: boolean;
  timeout?: string;
  insecure?: boolean;
  json?: boolean;
}

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 3600;
const CONNECT_TIMEOUT = 10_000;

export const defineDoctor: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, doctorTexts);
  const { say } = tools.wording;
  command
    .description(say('doctor.description'))
    .addOption(valueOption('--hub <url>', say('doctor.hub')))
    .addOption(valueOption('--credentials <path>', say('doctor.credentials')))
    .option('--offline', say('doctor.offline'))
    .option('--round-trip', say('doctor.round-trip'))
    .option('--fix', say('doctor.fix'))
    .addOption(
      valueOption('--timeout <seconds>', say('doctor.timeout', { seconds: DEFAULT_SECONDS })),
    )
    .option('--insecure', say('option.insecure'))
    .option('--json', say('option.json'))
    .action((flags: DoctorFlags) => runDoctor(flags, tools));
};

async function runDoctor(flags: DoctorFlags, tools: DoctorTools): Promise<void> {
  const { context, setExitCode } = tools;
  const seconds = parseSeconds(flags.timeout);
  // A mistake in the command line is no finding.
  if (flags.hub !== undefined) parseHubUrl(flags.hub, { insecure: true });
  if (flags.offline && flags.roundTrip) {
    throw new CliError('conflicting-options', { option: '--offline', other: '--round-trip' });
  }
  const stop = context.takeStopSignal();
  const limit = new AbortController();
  // Every check listens, and they run side by side.
  setMaxListeners(0, limit.signal);
  const cancel = () => limit.abort(new CliError('cancelled'));
  stop.addEventListener('abort', cancel);
  const expire = () => limit.abort(new CliError('check-timeout', { seconds }));
  const timer = setTimeout(expire, seconds * 1000);
  const startedAt = performance.now();
  const world = createDoctorWorld(readInput(flags, limit.signal, tools));
  const checks = addHostChecks(CHECKS, world).filter(
    ({ id }) => flags.roundTrip || id !== ROUND_TRIP,
  );
  let results: CheckResult[];
  let group = '';
  const show = (result: CheckResult) => {
    if (result.check.group !== group) context.stdout.write(formatGroup(result.check.group, tools));
    group = result.check.group;
    context.stdout.write(formatResult(result, tools));
  };
  try {
    results = await runChecks(checks, world, {
      isOffline: flags.offline ?? false,
      fix: flags.fix ?? false,
      ...(flags.json ? {} : { onResult: show }),
    });
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', cancel);
    limit.abort();
  }
  if (stop.aborted) throw new CliError('cancelled');
  const hasFailed = results.some(({ outcome }) => outcome === 'fail');
  const inbox = results.find(({ check }) => check.id === INBOX)?.outcome;
  const canReceive =
    !hasFailed && (inbox === 'pass' || (inbox === 'warn' && flags.roundTrip === true));
  const report = { results, canReceive, hasFailed, agent: nameAgent(world) };
  const ms = Math.round(performance.now() - startedAt);
  context.stdout.write(
    flags.json
      ? formatDoctorJson({ ...report, ms, isOffline: flags.offline ?? false }, tools)
      : formatSummary(report, tools),
  );
  if (hasFailed) setExitCode(1);
}

function nameAgent(world: ReturnType<typeof createDoctorWorld>): string {
  try {
    return world.identity().agent_id;
  } catch {
    return '';
  }
}

function readInput(flags: DoctorFlags, signal: AbortSignal, tools: DoctorTools): DoctorInput {
  const { context, wording } = tools;
  const { fs, env, packageRoot } = context;
  const cwd = readCwd(context);
  const hosts = { fs, env, cwd };
  const source = { packageRoot, package: tools.package };
  // A hub that makes us wait long is told as such by the time limit.
  const network = createNetwork(tools, {
    signal,
    patience: { attempts: 2, maxWaitMs: 2000 },
  });
  return {
    fs,
    env,
    cwd,
    source,
    signal,
    platform: PLATFORM,
    nodeVersion: NODE_VERSION,
    run: createRunProgram(env),
    now: () => new Date(),
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    connect: (target, options) =>
      connect(target, { env, timeoutMs: CONNECT_TIMEOUT, signal, ...options }),
    createClient: network.createClient,
    findInstallations: () => findInstallations(hosts, source, listPlacesHere(hosts)),
    askHost: (place) => askHost(hosts, place, signal),
    hub: flags.hub,
    credentials: flags.credentials,
    insecure: flags.insecure ?? false,
    greeting: { text: wording.say('doctor.greeting'), culture: wording.language },
  };
}

function parseSeconds(given: string | undefined): number {
  if (given === undefined) return DEFAULT_SECONDS;
  const seconds = Number(given);
  if (/^\d+$/.test(given) && seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw new CliError('bad-number', { option: '--timeout', given, min: 1, max: MAX_SECONDS });
}
