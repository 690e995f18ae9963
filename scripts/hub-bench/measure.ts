import { fillMailboxes } from './fill-mailboxes.ts';
import { formatRequest, HttpConnection } from './http-connection.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import {
  endProcess,
  readCpu,
  readLines,
  readMemory,
  type Server,
  startHub,
  startScript,
} from './processes.ts';

export interface Figures extends LoadResult {
  /** Milliseconds of processor time a message. */
  cpu: number;
  memory: number;
}
export interface BenchAgent {
  id: string;
  key: string;
}

const WARM_UP_MS = 2000;
const HISTORY_ROUNDS = 300;

export async function measureLoad(
  server: Server,
  seconds: number,
  load: Pick<LoadOrder, 'senders' | 'inboxes'>,
): Promise<Figures> {
  const measureMs = seconds * 1000;
  const order: LoadOrder = { port: server.port, warmUpMs: WARM_UP_MS, measureMs, ...load };
  let before = 0;
  for await (const line of readLines(startScript('load.ts', [JSON.stringify(order)]))) {
    if (line === 'measuring') before = readCpu(server.pid);
    else {
      const result: LoadResult = JSON.parse(line);
      const cpu = (readCpu(server.pid) - before) / result.messages;
      return { ...result, cpu, memory: readMemory(server.pid) };
    }
  }
  throw new Error('the load ended without a result');
}

/** Memory with so many inboxes open, before and after. */
export async function measureInboxes(
  folder: string,
  count: number,
): Promise<{ before: number; after: number }> {
  const hub = await startHub(folder);
  const agents: BenchAgent[] = [];
  for (let index = 0; index < count / 10; index++) {
    agents.push(await registerAgent(hub.port, `agent-${index}`));
  }
  const before = readMemory(hub.pid);
  const keys = agents.map(({ key }) => key).join();
  const holder = startScript('hold-inboxes.ts', [String(hub.port), String(count), keys]);
  const { value } = await readLines(holder).next();
  if (value !== 'open') throw new Error('the inboxes did not open; see `ulimit -n`');
  const after = readMemory(hub.pid);
  await endProcess(holder);
  await hub.stop();
  return { before, after };
}

/** The median time of a page of the history, from its beginning and near its end. */
export async function measureHistory(
  folder: string,
  counts: readonly number[],
): Promise<{ count: number; first: number; last: number }[]> {
  const agents = await fillMailboxes(folder, counts);
  const hub = await startHub(folder);
  const connection = new HttpConnection(hub.port);
  const results = [];
  for (const { key, count, lastId } of agents) {
    const time = async (since: number) => {
      const request = formatRequest('GET', `/agent/messages?since=${since}`, key);
      const times: number[] = [];
      for (let round = 0; round < HISTORY_ROUNDS; round++) {
        const start = performance.now();
        const status = await connection.send(request);
        if (status !== 200) throw new Error(`answered ${status}`);
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[HISTORY_ROUNDS >> 1] ?? Number.NaN;
    };
    results.push({ count, first: await time(0), last: await time(lastId - 100) });
  }
  connection.close();
  await hub.stop();
  return results;
}

export async function registerAgent(port: number, name: string): Promise<BenchAgent> {
  const answer = await fetch(`http://127.0.0.1:${port}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      agent_id: name,
      agent_card: { card_version: '0.3', user_culture: 'en' },
    }),
  });
  const { data } = (await answer.json()) as { data: { agent_id: string; api_key: string } };
  return { id: data.agent_id, key: data.api_key };
}
