/** A reply that is already JSON text: a stored reply, or a large one that is the same for everybody. */
export class PreparedReply {
  readonly json: string;
  /** Strong ETag. A caller that already has it gets 304. */
  readonly etag: string | undefined;
  /** True for a reply that is kept to be sent many times, so that packing it well pays. */
  readonly isKept: boolean;
  /** True when this is the stored reply of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  constructor(json: string, more: { etag?: string; isKept?: boolean; replayed?: boolean } = {}) {
    this.json = json;
    this.etag = more.etag;
    this.isKept = more.isKept ?? false;
    this.replayed = more.replayed ?? false;
  }
}

/** A reply of success where it does not say another status. */
export const succeeded = (reply: object): object => ('status' in reply ? reply : { status: 'SUCCESS', ...reply });
