import { Refusal } from '../refusal.ts';

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_BUCKETS = 50_000;

/** So many in a period for each of those who ask; unused ones come back evenly over the period. */
export function createRateLimit(
  amount: number,
  periodMs: number,
  now: () => number,
): (who: string) => void {
  const buckets = new Map<string, Bucket>();
  const perMs = amount / periodMs;
  return (who) => {
    const time = now();
    let bucket = buckets.get(who);
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) forget(buckets, time - periodMs);
      bucket = { tokens: amount, at: time };
      buckets.set(who, bucket);
    }
    bucket.tokens = Math.min(amount, bucket.tokens + Math.max(0, time - bucket.at) * perMs);
    bucket.at = time;
    if (bucket.tokens < 1) {
      const retryAfterSeconds = (1 - bucket.tokens) / perMs / 1000;
      throw new Refusal('ERR_RATE_LIMITED', 'Too many requests: wait as Retry-After says.', {
        retryAfterSeconds,
      });
    }
    bucket.tokens -= 1;
  };
}

/** Those that are full again, or else the oldest: memory must not grow with who asks. */
function forget(buckets: Map<string, Bucket>, fullSince: number): void {
  for (const [who, { at }] of buckets) if (at <= fullSince) buckets.delete(who);
  for (const [who] of buckets) {
    if (buckets.size < MAX_BUCKETS) return;
    buckets.delete(who);
  }
}
