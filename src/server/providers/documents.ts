import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { request as plainRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DocumentUnread, type Documents, type JsonObject } from '../call/documents.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { isSafe } from './outside.ts';

/** For the whole answer, its name's address included. */
const DEADLINE_MS = 3_000;
const BYTES_AT_MOST = 64 * 1024;
const LONGEST_ADDRESS = 300;
/**
 * What was read is good for at least this, whatever its server says: a customer who waits for an order asks every process
 * of ours, again and again. What could not be read is asked for again sooner.
 */
const KEPT_AT_LEAST_MS = 10 * MINUTE_MS;
const UNREAD_KEPT_MS = MINUTE_MS;
const KEPT_AT_MOST_MS = DAY_MS;
/** Characters of all that is kept: what is read from it takes many times more. */
const KEPT_CHARACTERS = 4_000_000;
/** What could not be read takes room, too. */
const ENTRY_CHARACTERS = 500;
/** What a process asks of others in a minute and at once, however many strangers name addresses. */
const ASKED_A_MINUTE = 120;
const AT_ONCE = 8;

/** Ranges that lead to nobody on the open net: ours, a neighbour's, or nothing (RFC 6890). */
const INNER = new BlockList();
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '))) {
  const [net = '', bits] = range.split('/');
  INNER.addSubnet(net, Number(bits), 'ipv4');
}
// Of the global ones those that carry an IPv4 address within, or lead nowhere: Teredo and its neighbours, 6to4, examples.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  INNER.addSubnet(net, bits, 'ipv6');
/** All that is global of IPv6; an IPv4 address written as one is none of it. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !INNER.check(address, 'ipv4');
  return family === 6 && GLOBAL.check(address, 'ipv6') && !INNER.check(address, 'ipv6');
}

/** Returns all addresses of a name; none where it has none. */
type Resolve = (host: string) => Promise<readonly LookupAddress[]>;
type Send = (url: URL, options: RequestOptions, done: (answer: IncomingMessage) => void) => ClientRequest;

/** The net, replaced in tests alone. */
export interface Net {
  readonly resolve: Resolve;
  readonly send: Send;
}
/** Asks name servers itself: the system's own look-up would take one of the few threads that passwords need, too. */
async function addressesOf(host: string): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one, index) =>
    one.status === 'fulfilled' ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
}

const OPEN_NET: Net = { resolve: addressesOf, send: secureRequest };

/**
 * The addresses of a name, looked up by the connection itself, so that nobody answers it one address for the check and
 * another one to connect to. One inner address among them, and none is taken.
 */
const guardedLookup =
  (resolve: Resolve): LookupFunction =>
  (host, { all }, done) => {
    const failed = () => done(new DocumentUnread('address'), '', 4);
    resolve(host).then((found) => {
      if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address))) failed();
      else if (all === true) done(null, [...found]);
      else done(null, found[0]!.address, found[0]!.family);
    }, failed);
  };

/** An address that may be asked; on a developer's own machine also what runs there. @throws DocumentUnread */
function urlOf(address: string, isDeveloping: boolean): URL {
  const url = address.length > LONGEST_ADDRESS ? null : URL.parse(address);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === '';
  const isOpen = url?.protocol === 'https:' && url.port === '' && isIP(url.hostname.replace(/[[\]]/g, '')) === 0;
  const isOwn = isDeveloping && url?.protocol === 'http:' && isSafe(address);
  if (!isPlain || !(isOpen || isOwn)) throw new DocumentUnread('address');
  return url;
}

interface Answer {
  readonly text: string;
  readonly document: JsonObject;
  readonly keptMs: number;
}

function keptFor(header: string | undefined): number {
  const seconds = Number(/max-age=(\d{1,9})/.exec(header ?? '')?.[1] ?? 0);
  return Math.min(Math.max(seconds * 1000, KEPT_AT_LEAST_MS), KEPT_AT_MOST_MS);
}

function objectOf(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject;
  } catch {
    // Said below.
  }
  throw new DocumentUnread('malformed');
}

const isUnread = (error: unknown): error is DocumentUnread => (error as Error).name === 'DocumentUnread';

/** The body of an answer. No way on to another address is followed. @throws DocumentUnread */
async function bodyOf(answer: IncomingMessage): Promise<string> {
  const { statusCode, headers } = answer;
  if (statusCode !== 200) throw new DocumentUnread('unreachable');
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers['content-type'] ?? '');
  if (!isJson || headers['content-encoding'] !== undefined) throw new DocumentUnread('malformed');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BYTES_AT_MOST) throw new DocumentUnread('malformed');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function ask(url: URL, { resolve, send }: Net): Promise<Answer> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const isOwn = url.protocol === 'http:';
  let asked: ClientRequest | undefined;
  try {
    const answer = await new Promise<IncomingMessage>((done, failed) => {
      asked = (isOwn ? plainRequest : send)(
        url,
        {
          agent: false,
          signal,
          headers: { accept: 'application/json', 'accept-encoding': 'identity' },
          ...(isOwn ? {} : { lookup: guardedLookup(resolve) }),
        },
        done,
      );
      asked.on('error', failed).end();
    });
    const text = await bodyOf(answer);
    return { text, document: objectOf(text), keptMs: keptFor(answer.headers['cache-control']) };
  } catch (error) {
    throw isUnread(error) ? error : new DocumentUnread('unreachable', { cause: error });
  } finally {
    asked?.destroy();
  }
}

interface CacheEntry {
  /** Of a document. */
  readonly text: string | null;
  readonly unread: DocumentUnread | null;
  readonly until: number;
}

/**
 * @param isDeveloping programs on a developer's own machine may show theirs there
 * @param most characters that are kept of all documents together
 */
export function documents(isDeveloping: boolean, net: Net = OPEN_NET, most = KEPT_CHARACTERS): Documents {
  const kept = new Map<string, CacheEntry>();
  const underWay = new Map<string, Promise<JsonObject>>();
  let minute = { endsAt: 0, asked: 0 };
  let room = most;
  const sizeOf = ({ text }: CacheEntry): number => ENTRY_CHARACTERS + (text?.length ?? 0);
  function drop(address: string): void {
    const one = kept.get(address);
    if (one !== undefined) room += sizeOf(one);
    kept.delete(address);
  }
  function keep(address: string, one: CacheEntry): void {
    drop(address);
    kept.set(address, one);
    room -= sizeOf(one);
    while (room < 0) drop(kept.keys().next().value!);
  }
  function mayAsk(): boolean {
    const now = Date.now();
    if (minute.endsAt <= now) minute = { endsAt: now + MINUTE_MS, asked: 0 };
    if (underWay.size >= AT_ONCE || minute.asked >= ASKED_A_MINUTE) return false;
    minute.asked += 1;
    return true;
  }
  const keptAt = (address: string): CacheEntry | undefined => {
    const one = kept.get(address);
    return one !== undefined && one.until > Date.now() ? one : undefined;
  };
  async function fetched(address: string, url: URL): Promise<JsonObject> {
    try {
      const { text, document, keptMs } = await ask(url, net);
      keep(address, { text, unread: null, until: Date.now() + keptMs });
      return document;
    } catch (error) {
      if (isUnread(error)) keep(address, { text: null, unread: error, until: Date.now() + UNREAD_KEPT_MS });
      throw error;
    }
  }
  return {
    isKept: (address) => keptAt(address) !== undefined,
    async read(address) {
      const url = urlOf(address, isDeveloping);
      const one = keptAt(address);
      if (one?.unread) throw one.unread;
      if (typeof one?.text === 'string') return objectOf(one.text);
      const before = underWay.get(address);
      if (before !== undefined) return await before;
      if (!mayAsk()) throw new DocumentUnread('busy');
      const asking = fetched(address, url).finally(() => underWay.delete(address));
      underWay.set(address, asking);
      return await asking;
    },
  };
}
