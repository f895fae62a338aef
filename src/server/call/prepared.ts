/** A reply that is already JSON text: a stored reply, or a large one that is the same for everybody. */
export class Prepared {
  readonly json: string;
  /** Strong ETag. A caller that already has it gets 304. */
  readonly etag: string | undefined;
  readonly cacheSeconds: number | undefined;
  /** True when this is the stored reply of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  constructor(json: string, more: { etag?: string; cacheSeconds?: number; replayed?: boolean } = {}) {
    this.json = json;
    this.etag = more.etag;
    this.cacheSeconds = more.cacheSeconds;
    this.replayed = more.replayed ?? false;
  }
}
