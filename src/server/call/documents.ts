/** Why a document of a stranger was not read: its address is none that we ask, nobody answers, it is none, or too many were asked for. */
export type UnreadReason = 'address' | 'unreachable' | 'malformed' | 'busy';

/** Recognised by its name. */
export class DocumentUnread extends Error {
  override readonly name = 'DocumentUnread';
  readonly reason: UnreadReason;
  constructor(reason: UnreadReason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * JSON documents at addresses that strangers name: what a program says of itself (OAuth client id documents, UCP
 * profiles). Nothing of our own network is ever asked for one.
 */
export interface Documents {
  /** Whether it can be told without asking anybody. */
  isKept(address: string): boolean;
  /** @throws DocumentUnread */
  read(address: string): Promise<JsonObject>;
}
