import type { Reply } from '../../contract/endpoint.ts';
import type * as experiments from '../../contract/experiments.ts';
import type { Access } from './caller.ts';
import type { Db } from '../store/db.ts';
import type { OrderRow } from '../store/orders.ts';
import type { SubscriptionRow } from '../store/push.ts';

export interface SmsProvider {
  /** Sends a message; rejects when the provider did not accept it. `mobile` is international: `+919876543210`. */
  send(db: Db, mobile: string, text: string): Promise<void>;
}

export interface EmailProvider {
  /** Whether there is one that could send: without it, pages do not offer what needs an email. */
  readonly isThere: boolean;
  /** Sends an email; rejects when the provider did not accept it. */
  send(db: Db, email: { readonly to: string; readonly subject: string; readonly text: string }): Promise<void>;
}

export interface PushSender {
  publicKey(db: Db): Promise<string>;
  /** Whether the address belongs to the push service of a browser. */
  takes(endpoint: string): boolean;
  /**
   * Returns `gone` when the browser no longer wants messages. Rejects when the push service did not accept the message.
   */
  send(db: Db, to: SubscriptionRow, payload: object): Promise<'sent' | 'gone'>;
}

/**
 * A wallet at a provider that a customer links to the account once, with a code from the provider. Any error thrown
 * means that the outcome is unknown.
 */
export interface WalletProvider {
  sendCode(mobile: string): Promise<{ state: string; resendInSeconds: number }>;
  verify(
    state: string,
    code: string,
  ): Promise<{ token: string; mobile: string } | { refused: 'wrong' | 'expired' | 'tries' }>;
  /** Balance in minor units; null when the customer has unlinked the wallet at the provider. */
  balance(token: string): Promise<number | null>;
  /**
   * Pays the attempt with this reference; repeating the same reference pays only once. The payment's status call tells
   * the final result.
   */
  redeem(wish: { token: string; reference: string; amount: number }): Promise<'DONE' | 'LOW' | 'GONE'>;
  unlink(token: string): Promise<void>;
}

/** A service elsewhere that has the campaigns and counts what visitors did, in place of our own. */
export interface ExperimentService {
  /** Its settings file; an older one while it does not answer, null as long as it never has. Never rejects. */
  settings(): Promise<Reply<typeof experiments.settings> | null>;
  /** Hands events on, each once. @throws whatever says that it makes sense to try again */
  forward(events: readonly experiments.BatchEvent[]): Promise<void>;
}

/** Where the events of a stream go: a connection, without anything that a call needs besides. */
export interface Sink {
  write(text: string): void;
  /** Bytes that were written and have not left yet. */
  unread(): number;
  close(): void;
  /** Calls `act` when the connection has ended, whoever ended it. */
  onGone(act: () => void): void;
}

/**
 * Connections that follow orders by server-sent events. Each process finds changes by looking at the database, so it
 * also reports changes made by other processes. One query per second serves all connections.
 */
export interface OrderStreams {
  /**
   * Opens a stream of an order's events: they go where the returned function is told, from then on. It ends with the
   * access token that opened it, whichever process ends that.
   * @throws Refusal 429 TOO_MANY_STREAMS, 503 BUSY
   */
  open(order: OrderRow, access: Access, lastEventId: string): Promise<(sink: Sink) => void>;
  /** Number of open connections. */
  readonly size: number;
  /** Sends `bye` to all connections and accepts no new ones. */
  stop(): void;
}
