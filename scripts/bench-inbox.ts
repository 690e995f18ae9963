import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import fs from 'fs-extra';

const root = path.dirname(import.meta.dirname);
const binary = path.join(root, 'dist/bin.cjs');

/** How many messages a second `inbox --follow --json` takes from a stream, history on disk. */
const COUNT = Number(process.env.BENCH_MESSAGES) || 250_000;
const TARGET = 5_000;
const SENDERS = 20;
const AGENT = 'me@hub.example';

for (const senders of [1, SENDERS]) {
  const result = await measure(COUNT, senders);
  const { rate, early, late } = result;
  console.log(
    `${COUNT} messages of ${senders} senders: ${Math.round(rate)} a second (target: ${TARGET}), ` +
      `resident ${early.toFixed(0)} MB after a fifth, ${late.toFixed(0)} MB at the end`,
  );
  if (rate < TARGET) process.exitCode = 1;
}

async function measure(count: number, senders: number) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-bench-'));
  const server = serve(count, senders);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fs.writeJson(path.join(folder, 'chorus-credentials.json'), {
    agent_id: AGENT,
    api_key: 'ca_key',
    hub_url: url,
  });
  const child = spawn(process.execPath, [binary, 'inbox', '--follow', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let lines = 0;
    let startedAt = 0;
    let early = 0;
    for await (const chunk of child.stdout) {
      if (lines === 0) startedAt = performance.now();
      for (const byte of chunk as Buffer) if (byte === 10) lines++;
      if (early === 0 && lines >= count / 5) early = readResident(child.pid);
      if (lines >= count) break;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    return { rate: lines / seconds, early, late: readResident(child.pid) };
  } finally {
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    await fs.remove(folder);
  }
}

/** A hub that has nothing to do but to send. */
function serve(count: number, senders: number): http.Server {
  return http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://hub');
    if (pathname !== '/agent/inbox') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const isList = pathname === '/agent/messages';
      response.end(JSON.stringify(isList ? [] : { since: 'id', endpoints: {} }));
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let wake = () => {};
    response.on('drain', () => wake()).on('close', () => wake());
    for (let id = 1; id <= count && !response.destroyed; id++) {
      if (!response.write(formatEvent(id, senders))) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  });
}

function formatEvent(id: number, senders: number): string {
  const sender = `sender-${id % senders}@hub.example`;
  const message = {
    trace_id: `0b0f6d1e-${id}`,
    sender_id: sender,
    envelope: {
      chorus_version: '0.4',
      sender_id: sender,
      original_text: `Could we move Thursday's call to Friday at ten? ${id}`,
      sender_culture: 'en-GB',
      conversation_id: `conversation-${id % senders}`,
      turn_number: id,
    },
    timestamp: new Date().toISOString(),
  };
  return `id: ${id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Megabytes; only Linux tells. */
function readResident(pid: number | undefined): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
