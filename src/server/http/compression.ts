import { parseAccept } from 'hono/utils/accept';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { PreparedReply } from '../call/preparedReply.ts';

const compress = promisify(brotliCompress);
const zip = promisify(gzip);
/** Brotli quality for what is the same for everybody: a menu takes a few ms, once per version, off the main thread. */
const QUALITY = 6;
/** For pages, which wait on every newcomer's line: 80 ms for the largest, once each, and a twelfth less (at 9 a hundredth). */
export const PAGE_QUALITY = 11;
/**
 * Brotli quality for replies that belong to one caller and are compressed at every call: an order takes about 0.1 ms.
 */
const QUICK_QUALITY = 5;
/** Smaller replies (in bytes) are not worth compressing: half of 500 is a twentieth of a second at 50 kbit/s, and 0.07 ms of a processor. */
const WORTH_FROM_BYTES = 400;

/** Whether an Accept-Encoding header names this coding, and not with `q=0`. */
export const takes = (accept: string, coding: string): boolean =>
  parseAccept(accept).some(({ type, q }) => type.toLowerCase() === coding && q > 0);
export const takesBrotli = (accept: string) => takes(accept, 'br');

/** The brotli form of what may be kept for many callers. */
export const pressed = (bytes: Buffer, quality = QUALITY) =>
  compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

/**
 * Compresses a reply as far as the Accept-Encoding header `accept` allows. It is safe to compress replies with private
 * data: sessions are not in cookies, so another site cannot make a browser request them and learn from their length.
 */
export async function packReply(
  json: string,
  accept: string,
): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly coding: 'br' | 'gzip' | null }> {
  const bytes = Buffer.from(json);
  if (bytes.length < WORTH_FROM_BYTES) return { bytes, coding: null };
  if (takesBrotli(accept))
    return {
      bytes: await pressed(bytes, QUICK_QUALITY),
      coding: 'br',
    };
  return takes(accept, 'gzip') ? { bytes: await zip(bytes), coding: 'gzip' } : { bytes, coding: null };
}

interface CompressedReply {
  readonly bytes: Buffer<ArrayBuffer>;
  brotli: Promise<Buffer<ArrayBuffer> | null> | undefined;
}
/** Compressed forms of the replies that are the same for everybody; dropped together with the reply. */
const packed = new WeakMap<PreparedReply, CompressedReply>();

function packedOf(reply: PreparedReply): CompressedReply {
  const known = packed.get(reply) ?? { bytes: Buffer.from(reply.json), brotli: undefined };
  packed.set(reply, known);
  return known;
}

/** The uncompressed bytes of the reply. */
export const bytesOf = (reply: PreparedReply): Buffer<ArrayBuffer> => packedOf(reply).bytes;

/** The brotli form of a reply; null when it is too small or belongs to one caller only. */
export async function brotliOf(reply: PreparedReply): Promise<Buffer<ArrayBuffer> | null> {
  const own = packedOf(reply);
  if (!reply.isKept || own.bytes.length < WORTH_FROM_BYTES) return null;
  own.brotli ??= pressed(own.bytes);
  return await own.brotli;
}
