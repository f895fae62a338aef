import type { Country } from '../../../country/shape.ts';
import type { SheetMethod } from '../../contract/cards.ts';
import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import type { ApiError } from '../../contract/reply.ts';
import { PENDING_MINUTES } from '../../domain/orders.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/**
 * How long (ms) the server waits for an attempt to be paid. Then the attempt fails, and money that arrives later is
 * refunded.
 */
export const SETTLE_MS = PENDING_MINUTES * MINUTE_MS;

/** One attempt to pay an order, with what a provider needs to know. Amounts are in minor units. */
export interface Attempt {
  readonly transactionId: string;
  readonly reference: string;
  readonly orderId: string;
  readonly mode: PaymentMode;
  readonly host: string;
  readonly amount: number;
  readonly currency: string;
  readonly userId: string;
  readonly mobile: string;
  /** Path of the app that started the attempt, for example '/in/'. */
  readonly returnPath: string;
  readonly cardToken: string | null;
  /** Id of the bank or service whose page the payment begins at; null: the provider asks. */
  readonly choice?: string | null;
  /** Text that the provider shows, at most 50 characters. */
  readonly note: string;
  readonly expiresAt: number;
  /** Token of the pay link that the attempt was started from; the payer is sent back to that link. */
  readonly link?: string | null;
}

/**
 * What a provider knows of an attempt. NONE: it has never heard of it. WAITING: nobody has begun to pay it. CANCELLED:
 * it can no longer be paid.
 */
export interface ProviderStatus {
  readonly state: 'NONE' | 'WAITING' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'CANCELLED';
  /** The attempt's reference as the provider says it, never copied from the question; null only with NONE. */
  readonly reference: string | null;
  /** Money that arrived. The same attempt can be paid twice. */
  readonly captures: readonly { id: string; amount: number; currency: string; at: number }[];
  /**
   * Money that had left the customer's account and that the provider gives back by itself. UNTOLD: it gives it back,
   * but does not say whether there is any.
   */
  readonly reversal: { id: string; amount: number; done: boolean } | 'UNTOLD' | null;
  readonly code: string | null;
}

/** Thrown by `start` when the provider has definitely refused: nothing can be paid under this reference. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Thrown when an answer of a provider must not be believed: it lacks the signature that it should have, or it is about
 * another attempt, merchant, amount or currency. Somebody has to look at it, and the payment is unknown until then.
 */
export class NotBelieved extends Error {
  override readonly name = 'NotBelieved';
}

/** Compares what a provider says with what is ours. @throws NotBelieved when it is another value, or none */
export function mustBe(what: string, said: unknown, ours: string | number): void {
  if (said !== ours)
    throw new NotBelieved(`another ${what}: ${said === undefined ? 'none' : String(said)}, not ${ours}`);
}

/** The data needed to ask about an attempt later. `details` is the JSON text of its row and contains the host. */
export type AttemptRecord = Pick<Attempt, 'reference' | 'mode' | 'amount' | 'currency'> & { readonly details: string };
/** Money that goes back to where it came from. `refundId` is our id; repeating it does not refund twice. */
export interface Refund {
  readonly refundId: string;
  readonly reference: string;
  readonly captureId: string;
  readonly amount: number;
}

/** What a receipt says that a host has given to the page. */
export type ReceiptSays = 'SUCCESS' | 'PENDING' | 'FAILED';

/**
 * One way to move money. Every call is safe to repeat. Any error other than ProviderRefusal means that the outcome is
 * unknown. An answer that is unsigned or another merchant's is NotBelieved; reference, amount and currency are compared
 * for every gateway, by whoever asks it.
 */
export interface PaymentGateway {
  /** Whether whoever takes the money does not answer at present. Without it, it always does. */
  isAway?(): boolean;
  start(attempt: Attempt): Promise<PaymentStep>;
  /** Asks the provider, server to server. Only this answer can make an order paid. */
  status(attempt: AttemptRecord): Promise<ProviderStatus>;
  /**
   * Closes an attempt that nobody has begun to pay; returns the status after that. A provider that cannot be told to
   * leaves it WAITING or NONE: then the attempt is over on our side, and money that still arrives goes back.
   */
  cancel(attempt: AttemptRecord): Promise<ProviderStatus>;
  refund(refund: Refund): Promise<{ done: boolean }>;
  /**
   * Verifies the text of a receipt that the host has given to the page: signed by the vendor, about this attempt. It
   * never makes an order paid. @throws NotBelieved
   */
  receipt?(attempt: AttemptRecord, receipt: string, now: number): Promise<ReceiptSays>;
}

/**
 * A webhook call exactly as it arrived. Each provider signs in a place of its own: a header of its own, Authorization,
 * a field of the form, the message itself; and over what it likes, the path included.
 */
export interface Delivery {
  readonly method: string;
  /** Path and query as they were called. */
  readonly path: string;
  readonly headers: Headers;
  /** The bytes that were sent, unread. */
  readonly body: Uint8Array;
}
/**
 * Reads a webhook call. Returns what it tells, [] when it is signed and about no payment, and null when it is not
 * signed by the provider: that is answered with 401.
 */
export type Webhook = (delivery: Delivery) => Promise<readonly Notice[] | null>;
/** A provider's message to our webhook. It is never proof, only a reason to ask the provider. */
export interface Notice {
  readonly reference: string;
  readonly status: string;
}

/** The payee of UPI links and host payments. */
export interface Payee {
  readonly vpa: string;
  readonly name: string;
  readonly mcc: string;
}

/** The shop's own bank. It handles all payments except those of hosts that have a gateway of their own. */
export interface BankGateway extends PaymentGateway {
  payee(): Payee;
  /** Opens a charge for one of the bank's channels. @throws ProviderRefusal */
  charge(attempt: Attempt, channel: string): Promise<{ expiresAt: number; pageUrl: string; isDecided: boolean }>;
}

/** What the vault returns for a card. */
export interface VaultCard {
  readonly token: string;
  readonly lastFour: string;
  readonly bin: string;
  readonly brand: string;
  /** The same for the same card, and nothing that its number could be read from; missing where the vault gives none. */
  readonly fingerprint?: string;
}

/** All payments of this server; it finds the gateway for a mode and a host. */
export interface PaymentProvider extends Omit<PaymentGateway, 'refund' | 'receipt' | 'isAway'> {
  /** Whether a mode cannot be paid at present in this host. */
  isAway(mode: PaymentMode, host: string): boolean;
  collect(attempt: AttemptRecord, vpa: string): Promise<ProviderStatus>;
  /** null: this way to pay has no receipts. */
  receipt(attempt: AttemptRecord, receipt: string, now: number): Promise<ReceiptSays | null>;
  refund(refund: Refund & Pick<AttemptRecord, 'mode' | 'details'>): Promise<{ done: boolean }>;
  /** Takes over a card that was typed into the bank's fields, by their token. Its data is never seen here. */
  take(token: string): Promise<{ card: VaultCard } | { problems: ApiError[] }>;
  /**
   * Uses a saved card whose security code was typed into the bank's fields: `typed` is their token. The token returned is
   * valid for one checkout.
   */
  again(card: { token: string; typed: string }): Promise<{ card: VaultCard } | { problems: ApiError[] }>;
  /** Turns the token of a checkout into a lasting one; null when the vault does not know it. */
  keep(token: string): Promise<{ token: string; lastFour: string; brand: string; expiresAt: number } | null>;
  forget(token: string): Promise<void>;
  /** The payment sheets that this shop is registered for. The two calls below pass a sheet's data to the bank. */
  sheets(country: Country): SheetMethod[];
  sheetToken(sheet: string, details: Readonly<Record<string, unknown>>): Promise<VaultCard | null>;
  sheetSession(sheet: string, validationUrl: string): Promise<Record<string, unknown> | null>;
  /** Reads a webhook call of `from`: 'bank' or a host's name. */
  webhook(from: string, delivery: Delivery): ReturnType<Webhook>;
}

/** Page of the app that the customer returns to; a path without an origin, so that it works behind any proxy. */
export function returnTo(attempt: Pick<Attempt, 'returnPath' | 'orderId' | 'transactionId' | 'link'>): string {
  if (attempt.link)
    return `${attempt.returnPath}pay/${encodeURIComponent(attempt.link)}?transactionId=${encodeURIComponent(attempt.transactionId)}`;
  return `${attempt.returnPath}payment/${encodeURIComponent(attempt.orderId)}?transactionId=${encodeURIComponent(attempt.transactionId)}`;
}

/** The text of a webhook call. */
export function textOf({ body }: Delivery): string {
  return new TextDecoder().decode(body);
}

/** Reads the reference and the status from a signed text; null when they are not there or the text is not JSON. */
export function heard(
  text: string,
  pick: (body: Record<string, unknown>) => readonly [unknown, unknown],
): Notice[] | null {
  try {
    const [reference, status] = pick(JSON.parse(text) as Record<string, unknown>);
    return typeof reference === 'string' && typeof status === 'string' ? [{ reference, status }] : null;
  } catch {
    return null;
  }
}
