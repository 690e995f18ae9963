import { OPENCLAW } from '../hosts/host-table.ts';
import type { Visibility } from '../hosts/openclaw/ask-openclaw.ts';
import type { HostWorld, Place } from '../hosts/place.ts';

/** OpenClaw can say whether its agents see what is installed. */
export async function askHost(
  world: HostWorld,
  place: Place,
  signal?: AbortSignal,
): Promise<Visibility[]> {
  if (!place.hosts.includes(OPENCLAW)) return [];
  // Only here: to start other programs takes a while to load.
  const { askOpenclaw } = await import('../hosts/openclaw/ask-openclaw.ts');
  const { findProgram, queryProgram } = await import('../io/query-program.ts');
  const file = findProgram(OPENCLAW, world.env);
  return askOpenclaw(world, place, (args, timeoutMs) =>
    file === undefined
      ? undefined
      : queryProgram(file, args, { env: world.env, cwd: world.cwd, timeoutMs, signal }),
  );
}
