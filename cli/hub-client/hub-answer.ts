import { isRecord } from '../json/is-record.ts';
import type { HttpAnswer } from './http-client.ts';
import { NetworkError } from './network-error.ts';

/** What the hub said. That it said no is data, too. */
export type HubAnswer<Data> = HubSuccess<Data> | HubRefusal;

export interface HubSuccess<Data> {
  ok: true;
  status: number;
  data: Data;
  elapsedMs: number;
  /** The hub's clock, from its `Date` header. */
  date: Date | undefined;
  /** Where the next page of a list begins, if there is one. */
  next?: string;
}

export interface HubRefusal {
  ok: false;
  status: number;
  /** The hub's own code; `HTTP_404` and the like where it gave none. */
  code: string;
  message: string;
  retryAfterMs?: number;
}

/** Turns an HTTP answer into what the hub said; `parse` gives nothing for data of another shape. */
export function parseAnswer<Data>(
  { status, headers, body, elapsedMs }: HttpAnswer,
  host: string,
  parse: (data: unknown) => Data | undefined,
): HubAnswer<Data> {
  const text = body.toString('utf8');
  const document = parseJson(text);
  if (status < 200 || status > 299 || isFailure(document)) {
    const error = isRecord(document) && isRecord(document.error) ? document.error : {};
    return {
      ok: false,
      status,
      code: typeof error.code === 'string' ? error.code : `HTTP_${status}`,
      message: typeof error.message === 'string' ? error.message : plainText(text, headers),
      ...readRetryAfter(headers['retry-after']),
    };
  }
  const gotJson = document !== undefined;
  const data = gotJson ? parse(readData(document)) : undefined;
  if (data === undefined) {
    const got = gotJson ? 'JSON' : nameContent(text, headers['content-type']);
    throw new NetworkError(
      gotJson ? 'hub-bad-answer' : 'hub-not-json',
      { host, got },
      { mayHaveArrived: true },
    );
  }
  const date = new Date(headers.date ?? '');
  const hubDate = Number.isNaN(date.getTime()) ? undefined : date;
  return { ok: true, status, data, elapsedMs, date: hubDate, ...readNext(document) };
}

function readNext(document: unknown): { next?: string } {
  const metadata = isRecord(document) && isRecord(document.metadata) ? document.metadata : {};
  return typeof metadata.next === 'string' ? { next: metadata.next } : {};
}

/** Live hubs answer some requests with the data alone, without the common shape around it. */
function readData(document: unknown): unknown {
  return isRecord(document) && document.success === true && 'data' in document
    ? document.data
    : document;
}

function isFailure(document: unknown): boolean {
  return isRecord(document) && document.success === false;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameContent(text: string, contentType = ''): string {
  if (/^\s*</.test(text) || /html/i.test(contentType)) return 'HTML';
  if (text.trim() === '') return '0 bytes';
  return contentType.split(';')[0] || 'text';
}

const MAX_MESSAGE = 500;

/** Some hubs answer errors as plain text; a page of HTML tells a user nothing. */
function plainText(text: string, headers: HttpAnswer['headers']): string {
  const isReadable = !/^\s*[<{[]/.test(text) && !/html/i.test(headers['content-type'] ?? '');
  return isReadable ? text.trim().slice(0, MAX_MESSAGE) : '';
}

/** `Retry-After` is a number of seconds or a date. */
function readRetryAfter(value: string | undefined): { retryAfterMs?: number } {
  if (value === undefined) return {};
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? { retryAfterMs: Math.max(0, wait) } : {};
}
