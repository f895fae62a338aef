import type { Call } from '../../call/call.ts';
import { DocumentUnread, type JsonObject } from '../../call/documents.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import type { ClientRow } from '../../store/assistants.ts';
import { countUse } from '../../store/system.ts';

// What a program says of itself, in a document at an address that it names.

/** Addresses that one address may have us ask in an hour: others of its network share it. */
const DOCUMENTS_AN_HOUR = 60;

export type Asker = Pick<Call, 'db' | 'services' | 'ip' | 'now'>;

/** @throws DocumentUnread */
export async function documentFor({ db, services, ip, now }: Asker, address: string): Promise<JsonObject> {
  const { documents } = services;
  if (!documents.isKept(address)) {
    const { used } = await countUse(db, `documents|${ip}`, HOUR_MS, now);
    if (used > DOCUMENTS_AN_HOUR) throw new DocumentUnread('busy');
  }
  return await documents.read(address);
}

const hostIn = (address: string): string | null => URL.parse(address)?.host ?? null;

/**
 * Whether a program may speak for the owner of an address: it has its own address, or hears its answers, on the same
 * host or below it. A program of which no host is known, on its customer's own machine, contradicts nobody.
 */
export function speaksFor({ id, redirects }: Pick<ClientRow, 'id' | 'redirects'>, address: string): boolean {
  const known = [id, ...(JSON.parse(redirects) as readonly string[]).filter((one) => one.startsWith('https:'))];
  const hosts = known.map(hostIn).filter((host) => host !== null && host !== '');
  const own = hostIn(address) ?? '';
  return hosts.length === 0 || hosts.some((host) => host === own || own.endsWith(`.${host}`));
}
