import type { Call } from '../../call/call.ts';
import { DocumentUnread, type JsonObject } from '../../call/documents.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import type { ClientRow } from '../../store/assistants.ts';
import { countUse } from '../../store/system.ts';

// What a program says of itself, in a document at an address that it names.

/**
 * Documents that one customer may have us ask for in an hour, by whatever programs; before a login one address, which others
 * of its network share. The customers of a program come from the addresses of its maker.
 */
const DOCUMENTS_AN_HOUR = 60;

export interface Asker extends Pick<Call, 'db' | 'services' | 'ip' | 'now'> {
  /** For whom a program asks; absent: nobody has logged in. */
  readonly userId?: string | null;
}

/** @throws DocumentUnread */
export async function documentFor({ db, services, ip, now, userId }: Asker, address: string): Promise<JsonObject> {
  const { documents } = services;
  if (!documents.isKept(address)) {
    const { used } = await countUse(db, `documents|${userId ?? ip}`, HOUR_MS, now);
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
