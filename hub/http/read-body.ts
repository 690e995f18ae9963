import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

/** The whole body, or a refusal as soon as it is known to be too long. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  refuseForms(incoming.headers);
  // What is not read any more must not be taken for the next request.
  const tooLong = () =>
    new Refusal('ERR_TOO_LARGE', `The body is larger than the ${limit} bytes this hub takes.`, {
      headers: { Connection: 'close' },
    });
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLong();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        incoming.pause();
        reject(tooLong());
      } else chunks.push(chunk);
    });
    incoming.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length));
    });
    const gone = () => {
      if (!incoming.complete) reject(new Refusal('ERR_VALIDATION', 'The body did not arrive.'));
    };
    incoming.on('error', gone);
    incoming.on('close', gone);
  });
}

/** What a web page may send from elsewhere without being asked, and no agent sends. */
function refuseForms({ 'content-type': type, origin }: IncomingMessage['headers']): void {
  // A page may leave the type out, too; every browser names the page then.
  const isForm = type
    ? /^\s*(text\/plain|multipart\/|application\/x-www-form)/i.test(type)
    : origin !== undefined;
  if (!isForm) return;
  throw new Refusal('ERR_VALIDATION', 'Send JSON with "Content-Type: application/json".', {
    headers: { Connection: 'close' },
  });
}
