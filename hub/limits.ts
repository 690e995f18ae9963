import { COMMON_HUB_LIMITS } from '../cli/protocol/constants.ts';

/** What a hub bounds, so that nobody can fill it or keep it from others. */
export interface HubLimits {
  /** UTF-16 units of `original_text`. */
  text: number;
  bodyBytes: number;
  agents: number;
  /** Messages that wait for one receiver. */
  waiting: number;
  inboxesPerAgent: number;
  messagesPerMinute: number;
  requestsPerMinute: number;
  registrationsPerHour: number;
  /** How long messages are kept. */
  keepDays: number;
}

interface LimitOption {
  /** Its environment variable is `CHORUS_HUB_` and this in capitals. */
  flag: string;
  default: number;
  min: number;
  max: number;
}

const MILLION = 1_000_000;

/** How each limit is set. */
export const LIMIT_OPTIONS: Readonly<Record<keyof HubLimits, LimitOption>> = {
  text: { flag: 'max-text', default: COMMON_HUB_LIMITS.originalTextUtf16, min: 1, max: MILLION },
  bodyBytes: {
    flag: 'max-body',
    default: COMMON_HUB_LIMITS.bodyBytes,
    min: 1024,
    max: 16 * MILLION,
  },
  agents: { flag: 'max-agents', default: 10_000, min: 1, max: 10 * MILLION },
  waiting: { flag: 'max-waiting', default: 10_000, min: 1, max: 1000 * MILLION },
  inboxesPerAgent: { flag: 'max-inboxes', default: 16, min: 1, max: 10_000 },
  messagesPerMinute: { flag: 'rate-messages', default: 600, min: 1, max: 1000 * MILLION },
  requestsPerMinute: { flag: 'rate-requests', default: 6_000, min: 1, max: 1000 * MILLION },
  registrationsPerHour: { flag: 'rate-registrations', default: 120, min: 1, max: 1000 * MILLION },
  keepDays: { flag: 'keep-days', default: 30, min: 1, max: 36_500 },
};

export const LIMIT_NAMES = Object.keys(LIMIT_OPTIONS) as (keyof HubLimits)[];

export function environmentName(flag: string): string {
  return `CHORUS_HUB_${flag.toUpperCase().replaceAll('-', '_')}`;
}
