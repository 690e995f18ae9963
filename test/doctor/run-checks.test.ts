import { expect, it } from 'vitest';
import { type Check, fail, pass } from '../../cli/doctor/check.ts';
import type { DoctorWorld } from '../../cli/doctor/doctor-world.ts';
import { runChecks } from '../../cli/doctor/run-checks.ts';
import { CliError } from '../../cli/errors.ts';

const world = (signal = new AbortController().signal) => ({ signal }) as DoctorWorld;
const check = (id: string, run: Check['run'], needs: string[] = []): Check => ({
  id,
  group: 'local',
  needs,
  run,
});
const options = { isOffline: false, fix: false };
const good = () => pass('skill-single');

it('a check that throws is told as broken, and the others go on', async () => {
  const results = await runChecks(
    [
      check('a', () => {
        throw new TypeError('oops');
      }),
      check('b', good, ['a']),
      check('c', good, ['b']),
      check('d', good),
    ],
    world(),
    options,
  );
  expect(results.map(({ outcome, because }) => [outcome, because])).toEqual([
    ['fail', undefined],
    ['skipped', 'a'],
    ['skipped', 'a'],
    ['pass', undefined],
  ]);
  expect(results[0]?.error).toMatchObject({ code: 'check-broke', args: { detail: 'oops' } });
});

it('independent checks run side by side', async () => {
  const started: string[] = [];
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const meet = (id: string) => async () => {
    started.push(id);
    if (started.length === 2) release();
    await both;
    return good();
  };
  const results = await runChecks([check('a', meet('a')), check('b', meet('b'))], world(), options);
  expect(results.map(({ outcome }) => outcome)).toEqual(['pass', 'pass']);
});

it('what is not done when the time is up is told as such', async () => {
  const limit = new AbortController();
  const never = () => new Promise<never>(() => {});
  const running = runChecks(
    [check('a', good), check('b', never), check('c', good, ['b'])],
    world(limit.signal),
    { ...options, onResult: () => limit.abort(new CliError('check-timeout', { seconds: 1 })) },
  );
  const results = await running;
  expect(results.map(({ outcome }) => outcome)).toEqual(['pass', 'fail', 'skipped']);
  expect(results[1]?.error?.code).toBe('check-timeout');
});

it('a repair that does not help is not called a repair', async () => {
  let runs = 0;
  const stubborn = check('a', () => {
    runs += 1;
    return fail('mode-open', {}, () => {});
  });
  const [result] = await runChecks([stubborn], world(), { ...options, fix: true });
  expect(runs).toBe(2);
  expect(result).toMatchObject({ outcome: 'fail' });
  expect(result?.fixed).toBeUndefined();
});

it('a repair that fails is told', async () => {
  const locked = check('a', () =>
    fail('mode-open', {}, () => {
      throw new Error('EPERM');
    }),
  );
  const [result] = await runChecks([locked], world(), { ...options, fix: true });
  expect(result).toMatchObject({ outcome: 'fail', error: { code: 'check-broke' } });
});
