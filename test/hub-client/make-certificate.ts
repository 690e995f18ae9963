import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** Certificates of the tests' own, written byte by byte: no tool and no committed key is needed. */
export interface Certificate {
  cert: string;
  key: string;
}

interface CertificateOptions {
  names?: readonly string[];
  from?: Date;
  until?: Date;
  /** Itself, where there is none. */
  signer?: Certificate & { name: string };
  name?: string;
}

const DAY = 86_400_000;
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';

export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { names = ['localhost', '127.0.0.1'], signer, name = 'chorus test' } = options;
  const { from = new Date(Date.now() - 2 * DAY), until = new Date(Date.now() + 90 * DAY) } =
    options;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(ECDSA_SHA256));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    distinguishedName(signer?.name ?? name),
    sequence(time(from), time(until)),
    distinguishedName(name),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(constraints(signer === undefined), alternativeNames(names))),
  );
  const signingKey: KeyObject = signer ? createPrivateKey(signer.key) : pair.privateKey;
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, signingKey)]);
  const certificate = sequence(body, algorithm, der(0x03, signature));
  return {
    cert: formatPem('CERTIFICATE', certificate),
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function constraints(isAuthority: boolean): Buffer {
  const content = isAuthority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence();
  return sequence(objectId(BASIC_CONSTRAINTS), der(0x04, content));
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    /^[\d.]+$/.test(name)
      ? der(0x87, Buffer.from(name.split('.').map(Number)))
      : der(0x82, Buffer.from(name)),
  );
  return sequence(objectId(ALTERNATIVE_NAMES), der(0x04, sequence(...entries)));
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId(COMMON_NAME), der(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${digits}Z`));
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const digits = [number & 0x7f];
    for (let high = number >> 7; high > 0; high >>= 7) digits.unshift((high & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function formatPem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
