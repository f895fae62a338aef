import { BlockList, isIP } from 'node:net';

/**
 * The proxies that stand in front: how many (each adds one address to `X-Forwarded-For`), or their addresses and ranges.
 * They alone say who is calling and below which path (`X-Forwarded-Prefix`).
 */
export type TrustedProxies = number | readonly string[];

/** An IPv4 address that came over IPv6 as it is written alone, and no zone. */
const plain = (address: string) =>
  address
    .trim()
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '')
    .split('%')[0]!;

/** A range as Node's list takes it; null where it is none. */
function rangeOf(text: string): readonly [address: string, bits: number, family: 'ipv4' | 'ipv6'] | null {
  const [address = '', bits] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
  return most === 0 || length > most ? null : [address, length, most === 32 ? 'ipv4' : 'ipv6'];
}

export const isRange = (text: string): boolean => rangeOf(text) !== null;

export interface Proxies {
  /** Whether the connection itself comes from one. */
  isOne(remote: string): boolean;
  /** Whether an address is named as one; where proxies are only counted, none is. */
  isOurs(address: string): boolean;
  /** The client's address as the nearest trusted proxy gives it; what a stranger wrote before that is ignored. */
  clientOf(remote: string, forwardedFor: string | undefined): string;
}

/** One customer with IPv6 usually has a whole /64 network of addresses, so limits count the network as one. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(missing, 0)).fill('0'), ...groups(tail ?? '')];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** On a developer's machine a proxy runs on the same one. */
const LOOPBACK = ['127.0.0.0/8', '::1'];

/** @param asked null: nothing was said about proxies, so that in production there are none */
export function proxies(asked: TrustedProxies | null, development: boolean): Proxies {
  const trusted = asked ?? (development ? LOOPBACK : 0);
  const list = new BlockList();
  if (typeof trusted !== 'number')
    for (const text of trusted) {
      const range = rangeOf(text);
      if (range) list.addSubnet(...range);
    }
  const isListed = (address: string) => isIP(address) > 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return {
    isOne: (remote) => (typeof trusted === 'number' ? trusted > 0 : isListed(plain(remote))),
    isOurs: (address) => typeof trusted !== 'number' && isListed(plain(address)),
    clientOf(remote, forwardedFor) {
      const chain = [...(forwardedFor ?? '').split(',').filter((one) => one.trim() !== ''), remote].map(plain);
      let at = chain.length - 1;
      for (let left = trusted; at > 0 && (typeof left === 'number' ? left > 0 : isListed(chain[at]!)); at -= 1)
        if (typeof left === 'number') left -= 1;
      return chain[at]!;
    },
  };
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
