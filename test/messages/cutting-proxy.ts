import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands between an agent and its hub, and cuts each connection after some bytes of the hub's. */
export async function startCuttingProxy(target: string, chooseBytes: () => number) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let cuts = 0;
  let isCutting = true;
  const server = net.createServer((client) => {
    const hub = net.connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      hub.destroy();
    };
    for (const socket of [client, hub]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    client.pipe(hub);
    let left = chooseBytes();
    hub.on('data', (chunk) => {
      if (!isCutting || chunk.length <= left) {
        left -= chunk.length;
        client.write(chunk);
        return;
      }
      cuts++;
      // What stands before the cut arrives, in the middle of whatever it is.
      client.write(chunk.subarray(0, left), end);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    heal: () => {
      isCutting = false;
    },
  };
}
