import type { Check } from './check.ts';
import { clock } from './checks/clock.ts';
import { credentials } from './checks/credentials.ts';
import { credentialsGit } from './checks/credentials-git.ts';
import { credentialsMode } from './checks/credentials-mode.ts';
import { credentialsPlaceholder } from './checks/credentials-placeholder.ts';
import { directory } from './checks/directory.ts';
import { examples } from './checks/examples.ts';
import { hubClock } from './checks/hub-clock.ts';
import { hubConnect } from './checks/hub-connect.ts';
import { hubDiscovery } from './checks/hub-discovery.ts';
import { hubHealth } from './checks/hub-health.ts';
import { hubLatency } from './checks/hub-latency.ts';
import { hubName } from './checks/hub-name.ts';
import { hubTls } from './checks/hub-tls.ts';
import { hubUrl } from './checks/hub-url.ts';
import { inbox } from './checks/inbox.ts';
import { key } from './checks/key.ts';
import { nodeVersion } from './checks/node-version.ts';
import { roundTrip } from './checks/round-trip.ts';
import { skillDuplicates } from './checks/skill-duplicates.ts';
import { skillEntry } from './checks/skill-entry.ts';
import { skillFiles } from './checks/skill-files.ts';

/** Every check, in the order in which they are told; what a check needs stands before it. */
export const CHECKS: readonly Check[] = [
  nodeVersion,
  skillFiles,
  skillDuplicates,
  skillEntry,
  examples,
  credentials,
  credentialsMode,
  credentialsGit,
  credentialsPlaceholder,
  clock,
  hubUrl,
  hubName,
  hubConnect,
  hubTls,
  hubHealth,
  hubDiscovery,
  hubClock,
  hubLatency,
  key,
  directory,
  inbox,
  roundTrip,
];

/** Only on demand: it sends a message. */
export const ROUND_TRIP = roundTrip.id;
/** Without this one nobody knows whether a message could be received. */
export const INBOX = inbox.id;
