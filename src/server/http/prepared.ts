/** A reply that is JSON text already: kept replies, and large ones that are the same for everybody. */
export class Prepared {
  readonly json: string;
  /** Strong validator; a caller that holds it gets 304. */
  readonly etag: string | undefined;
  readonly cacheSeconds: number | undefined;
  /** A kept reply of an idempotent call. */
  readonly replayed: boolean;
  constructor(json: string, more: { etag?: string; cacheSeconds?: number; replayed?: boolean } = {}) {
    this.json = json;
    this.etag = more.etag;
    this.cacheSeconds = more.cacheSeconds;
    this.replayed = more.replayed ?? false;
  }
}
