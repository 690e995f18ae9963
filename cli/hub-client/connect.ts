import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import type { Environment } from '../io/terminal.ts';
import { classifyConnecting, reasonOf } from './classify-failure.ts';
import { createDeadline } from './deadline.ts';
import { NetworkError } from './network-error.ts';
import { chooseProxy, proxyHeaders } from './proxy.ts';

export interface ConnectOptions {
  env: Environment;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** To look at a certificate that is not accepted. Nothing must be sent on such a connection. */
  acceptAnyCertificate?: boolean;
}

export interface Connection {
  socket: net.Socket;
  proxy: URL | undefined;
  /** How long it took until the other side (or the proxy's tunnel) was there, and then TLS. */
  timings: { connectMs: number; tlsMs?: number };
}

/** Opens a connection that a request can be sent on: through the proxy and with TLS as needed. */
export async function connect(target: URL, options: ConnectOptions): Promise<Connection> {
  const { host } = target;
  const isTls = target.protocol === 'https:';
  const proxy = chooseProxy(target, options.env);
  const deadline = createDeadline({ ...options, host, isSent: () => false });
  const startedAt = performance.now();
  try {
    const plain = proxy
      ? await connectProxy(proxy, isTls ? target : undefined, deadline.signal)
      : await classified(host, false, openSocket(target, deadline.signal));
    const connectMs = performance.now() - startedAt;
    if (!isTls) return { socket: plain, proxy, timings: { connectMs } };
    const settings = { rejectUnauthorized: !options.acceptAnyCertificate };
    const socket = await classified(host, true, startTls(plain, target, deadline.signal, settings));
    const tlsMs = performance.now() - startedAt - connectMs;
    return { socket, proxy, timings: { connectMs, tlsMs } };
  } finally {
    deadline.end();
  }
}

async function classified<Value>(host: string, isTls: boolean, work: Promise<Value>) {
  try {
    return await work;
  } catch (error) {
    throw classifyConnecting(error, host, isTls);
  }
}

/** Nagle's wait for more to send only delays our small requests. */
function openSocket(target: URL, signal: AbortSignal): Promise<net.Socket> {
  const socket = net.connect({ host: bareHost(target), port: portOf(target), noDelay: true });
  return untilReady(socket, 'connect', signal);
}

function startTls(
  socket: net.Socket,
  target: URL,
  signal: AbortSignal,
  settings: tls.ConnectionOptions = {},
): Promise<net.Socket> {
  const host = bareHost(target);
  // An address in numbers is no name that a server could be asked for.
  const servername = net.isIP(host) === 0 ? { servername: host } : {};
  const secured = tls.connect({
    socket,
    host,
    ...servername,
    ALPNProtocols: ['http/1.1'],
    ...settings,
  });
  return untilReady(secured, 'secureConnect', signal);
}

/** A connection to the proxy, and where a tunnel is needed, one through it. */
async function connectProxy(
  proxy: URL,
  tunnelTo: URL | undefined,
  signal: AbortSignal,
): Promise<net.Socket> {
  try {
    let socket = await openSocket(proxy, signal);
    if (proxy.protocol === 'https:') socket = await startTls(socket, proxy, signal);
    return tunnelTo === undefined ? socket : await openTunnel(proxy, socket, tunnelTo, signal);
  } catch (error) {
    if (error instanceof NetworkError && error.code !== 'hub-timeout') throw error;
    const reason = error instanceof NetworkError ? 'ETIMEDOUT' : reasonOf(error);
    throw new NetworkError('proxy-unreachable', { proxy: proxy.host, reason }, { cause: error });
  }
}

function openTunnel(
  proxy: URL,
  socket: net.Socket,
  target: URL,
  signal: AbortSignal,
): Promise<net.Socket> {
  const authority = `${target.hostname}:${portOf(target)}`;
  return new Promise((resolve, reject) => {
    const request = http.request({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyHeaders(proxy) },
      createConnection: () => socket,
      signal,
    });
    const refuse = ({ statusCode = 0 }: http.IncomingMessage) => {
      socket.destroy();
      reject(new NetworkError('proxy-refused', { proxy: proxy.host, status: statusCode }));
    };
    request.once('connect', (answer, tunnel: net.Socket, head) => {
      if (answer.statusCode !== 200) return refuse(answer);
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    request.once('response', refuse);
    request.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    request.end();
  });
}

function untilReady(socket: net.Socket, event: string, signal: AbortSignal): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', stop);
      socket.off('error', fail);
      socket.off(event, succeed);
      finish();
    };
    const succeed = () => settle(() => resolve(socket));
    const fail = (error: Error) => {
      socket.destroy();
      settle(() => reject(error));
    };
    const stop = () => {
      socket.on('error', () => {}); // what still fails after we have given up is of no interest
      fail(signal.reason);
    };
    socket.once('error', fail);
    socket.once(event, succeed);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
