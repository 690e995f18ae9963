import { formatRequest, HttpConnection } from './http-connection.ts';
import { openInboxes } from './open-inboxes.ts';

/** What the parent asks for, as JSON on the command line. */
export interface LoadOrder {
  port: number;
  warmUpMs: number;
  measureMs: number;
  senders: { id: string; key: string; receiver: string }[];
  /** Keys of the agents whose inboxes are held open. */
  inboxes: string[];
}

export interface LoadResult {
  messages: number;
  seconds: number;
  p50: number;
  p99: number;
}

const order: LoadOrder = JSON.parse(process.argv[2] ?? '');
const inboxes = await openInboxes(order.port, order.inboxes);
const connections = order.senders.map((sender) => ({
  connection: new HttpConnection(order.port),
  request: formatRequest('POST', '/messages', sender.key, {
    receiver_id: sender.receiver,
    envelope: {
      chorus_version: '0.4',
      sender_id: sender.id,
      original_text: "Could we move Thursday's call to Friday at ten?",
      sender_culture: 'en-GB',
      conversation_id: 'call-thursday-7f3a',
      turn_number: 1,
    },
  }),
}));

await run(order.warmUpMs, []);
process.stdout.write('measuring\n');
const latencies: number[] = [];
const seconds = await run(order.measureMs, latencies);
const sorted = Float64Array.from(latencies).sort();
const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
const result: LoadResult = { messages: sorted.length, seconds, p50: at(0.5), p99: at(0.99) };
process.stdout.write(`${JSON.stringify(result)}\n`);
for (const { connection } of connections) connection.close();
for (const inbox of inboxes) inbox.destroy();

async function run(durationMs: number, times: number[]): Promise<number> {
  const start = performance.now();
  const end = start + durationMs;
  await Promise.all(
    connections.map(async ({ connection, request }) => {
      for (let now = performance.now(); now < end; ) {
        const status = await connection.send(request);
        if (status !== 200 && status !== 202) throw new Error(`answered ${status}`);
        const then = performance.now();
        times.push(then - now);
        now = then;
      }
    }),
  );
  return (performance.now() - start) / 1000;
}
