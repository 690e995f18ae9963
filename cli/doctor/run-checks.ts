import { CliError } from '../errors.ts';
import { errnoOf } from '../io/files.ts';
import type { Check, CheckResult, Finding, Skip } from './check.ts';
import type { DoctorWorld } from './doctor-world.ts';

interface RunOptions {
  isOffline: boolean;
  fix: boolean;
  /** Told of each check in the order of the list, as soon as it and those before it are done. */
  onResult?: (result: CheckResult) => void;
}

/**
 * Runs the checks side by side, each as soon as those it needs are done. One that throws
 * says so and leaves the others alone; when the world's signal aborts, what is not done is told
 * as such.
 */
export async function runChecks(
  checks: readonly Check[],
  world: DoctorWorld,
  { isOffline, fix, onResult = () => {} }: RunOptions,
): Promise<CheckResult[]> {
  const running = new Map<string, Promise<CheckResult>>();
  for (const check of checks) {
    // Each can only wait for those before it, so none waits for ever.
    const needs = (check.needs ?? []).flatMap((id) => running.get(id) ?? []);
    running.set(check.id, runWhenReady(check, needs, world, { isOffline, fix }));
  }
  const results: CheckResult[] = [];
  for (const pending of running.values()) {
    const result = await pending;
    results.push(result);
    onResult(result);
  }
  return results;
}

async function runWhenReady(
  check: Check,
  needs: readonly Promise<CheckResult>[],
  world: DoctorWorld,
  { isOffline, fix }: Pick<RunOptions, 'isOffline' | 'fix'>,
): Promise<CheckResult> {
  if (isOffline && check.isOnline) {
    return { check, outcome: 'skipped', because: 'offline', ms: 0 };
  }
  for (const needed of await Promise.all(needs)) {
    if (needed.outcome === 'pass' || needed.outcome === 'warn') continue;
    // The first cause, not the last of a chain.
    const because = needed.outcome === 'skipped' ? needed.because : undefined;
    return { check, outcome: 'skipped', because: because ?? needed.check.id, ms: 0 };
  }
  const startedAt = performance.now();
  const result = await runOne(check, world, fix);
  return { check, ...result, ms: Math.round(performance.now() - startedAt) };
}

async function runOne(
  check: Check,
  world: DoctorWorld,
  fix: boolean,
): Promise<Omit<CheckResult, 'check' | 'ms'>> {
  try {
    const before = await inTime(check, world);
    const repair = 'because' in before ? undefined : before.repair;
    if (!fix || repair === undefined || 'because' in before) return describe(before);
    await repair();
    const after = describe(await inTime(check, world));
    return after.finding?.code === before.code ? after : { ...after, fixed: before };
  } catch (error) {
    return { outcome: 'fail', error: toCliError(error, check) };
  }
}

function describe(found: Finding | Skip): Omit<CheckResult, 'check' | 'ms'> {
  return 'because' in found
    ? { outcome: 'skipped', because: found.because }
    : { outcome: found.outcome, finding: found };
}

/** A check need not look at the signal; then it is left behind. */
function inTime(check: Check, world: DoctorWorld): Promise<Finding | Skip> {
  const { signal } = world;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    Promise.resolve()
      .then(() => check.run(world))
      .then(resolve, (error) => reject(signal.aborted ? signal.reason : error))
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

function toCliError(error: unknown, { id }: Check): CliError {
  if (error instanceof CliError) return error;
  const errno = errnoOf(error);
  const { path } = Object(error);
  if (errno !== undefined && path) return new CliError('file-error', { path, errno }, error);
  const detail = error instanceof Error ? error.message : String(error);
  return new CliError('check-broke', { check: id, detail }, error);
}
