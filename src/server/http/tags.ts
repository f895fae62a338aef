import { createHash } from 'node:crypto';
import type { Context } from 'hono';

/** A strong ETag of this content. */
export const tagOf = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/**
 * Whether a caller holds this answer already, as the If-None-Match header says. Compared weakly, as HTTP requires: proxies
 * weaken ETags when they compress anew.
 */
export const isHeld = (header: string, etag: string): boolean =>
  header.split(',').some((one) => {
    const held = one.trim();
    return held === '*' || held.replace(/^W\//, '') === etag;
  });

/** Names what is answered, and says whether the caller holds it already: then 304 without a body is enough. */
export function isHeldBy(c: Context, etag: string): boolean {
  c.header('ETag', etag);
  return isHeld(c.req.header('if-none-match') ?? '', etag);
}
