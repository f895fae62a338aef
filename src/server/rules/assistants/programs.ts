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

/** Whether a program names itself by the address of a document (Client ID Metadata Documents), and not by an id of ours. */
export const isDocumentId = (clientId: string): boolean => /^https?:/.test(clientId);

/**
 * Whether a program may speak for the owner of an address. Where it has a document, that has to lie on the same origin;
 * anybody registers a program with the addresses of others among its own, so there each of those that hear its answers
 * has to. A program on its customer's own machine speaks for nobody.
 */
export function speaksFor({ id, redirects }: Pick<ClientRow, 'id' | 'redirects'>, address: string): boolean {
  const own = URL.parse(address)?.origin;
  if (isDocumentId(id)) return URL.parse(id)?.origin === own;
  return (JSON.parse(redirects) as readonly string[]).every(
    (one) => one.startsWith('https:') && URL.parse(one)?.origin === own,
  );
}
