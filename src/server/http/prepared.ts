import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';

const compress = promisify(brotliCompress);
const zip = promisify(gzip);
/** Good and quick: a menu takes some milliseconds, once per version, off the main thread. */
const QUALITY = 6;
/** Of a reply that is one caller's own, at every call: an order takes about a tenth of a millisecond. */
const QUICK_QUALITY = 3;
/** Below this the headers weigh more than what is saved. */
const WORTH_FROM_BYTES = 700;

const takes = (accept: string, coding: string) => new RegExp(`(^|,)\\s*${coding}\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)`, 'i').test(accept);
export const takesBrotli = (accept: string) => takes(accept, 'br');

/**
 * A reply as it goes over the wire to somebody who takes `accept` (Accept-Encoding). Nothing of a session is in a cookie, so no other
 * page can make a browser ask for it and learn from its length.
 */
export async function packReply(json: string, accept: string): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly coding: 'br' | 'gzip' | null }> {
  const bytes = Buffer.from(json);
  if (bytes.length < WORTH_FROM_BYTES) return { bytes, coding: null };
  if (takesBrotli(accept)) return { bytes: await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }), coding: 'br' };
  return takes(accept, 'gzip') ? { bytes: await zip(bytes), coding: 'gzip' } : { bytes, coding: null };
}

/** A reply that is JSON text already: kept replies, and large ones that are the same for everybody. */
export class Prepared {
  readonly json: string;
  /** Strong validator; a caller that holds it gets 304. */
  readonly etag: string | undefined;
  readonly cacheSeconds: number | undefined;
  /** A kept reply of an idempotent call. */
  readonly replayed: boolean;
  #bytes: Buffer<ArrayBuffer> | undefined;
  #brotli: Promise<Buffer<ArrayBuffer> | null> | undefined;
  constructor(json: string, more: { etag?: string; cacheSeconds?: number; replayed?: boolean } = {}) {
    this.json = json;
    this.etag = more.etag;
    this.cacheSeconds = more.cacheSeconds;
    this.replayed = more.replayed ?? false;
  }

  /** The JSON as it is sent; made once. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes ??= Buffer.from(this.json);
  }

  /** The same for callers that take brotli, made once; null where it is not worth it. Only for what is the same for everybody. */
  async brotli(): Promise<Buffer<ArrayBuffer> | null> {
    if (this.cacheSeconds === undefined || this.bytes.length < WORTH_FROM_BYTES) return null;
    this.#brotli ??= compress(this.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: this.bytes.length } });
    return await this.#brotli;
  }
}
