import net from 'node:net';

const AT_ONCE = 100;

/** Opens an inbox for each key, and reads whatever comes from it. */
export async function openInboxes(port: number, keys: readonly string[]): Promise<net.Socket[]> {
  const sockets: net.Socket[] = [];
  for (let index = 0; index < keys.length; index += AT_ONCE) {
    const some = keys.slice(index, index + AT_ONCE);
    sockets.push(...(await Promise.all(some.map((key) => openInbox(port, key)))));
  }
  return sockets;
}

function openInbox(port: number, key: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.write(
      `GET /agent/inbox HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    socket.on('error', reject);
    socket.once('data', () => resolve(socket));
    socket.resume();
  });
}
