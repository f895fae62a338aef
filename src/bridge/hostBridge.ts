import type { PaymentMode } from '../contract/names.ts';
import type { Money } from '../contract/price.ts';

/**
 * Hosts by the name of their folder: each adds its own by declaration merging in its profile.ts.
 * @public
 */
export interface HostNames {
  browser: true;
}
export type HostId = keyof HostNames;

export type Feature =
  | 'login'
  | 'phoneNumber'
  | 'network.type'
  | 'network.change'
  | 'location'
  | 'address'
  | 'payment'
  | 'share'
  | 'shortcut'
  | 'close'
  | 'back'
  | 'lifecycle'
  | 'storage'
  | 'vibrate';

/** What a call may be asked for, or may tell, beside its plain form: hosts differ here, and supports() answers for each. */
export interface FeatureParameters extends Record<Feature, string> {
  /** `silent`: without a sheet. `clientId`: whose name the consent sheet shows. */
  login: 'silent' | 'clientId';
  phoneNumber: never;
  'network.type': never;
  'network.change': never;
  /** `accuracy`: how exact the position is. */
  location: 'accuracy';
  address: never;
  payment: never;
  /** What goes with the address. */
  share: 'title' | 'text';
  /** What stands below the icon. */
  shortcut: 'name';
  close: never;
  back: never;
  lifecycle: never;
  storage: never;
  vibrate: never;
}

export type Support =
  | { readonly state: 'available'; readonly via: 'host' | 'web' }
  | {
      readonly state: 'unavailable';
      readonly because:
        | 'not-implemented'
        | 'host-version'
        | 'blocked-by-host'
        | 'permission'
        | 'insecure-context'
        | 'outside-host';
    }
  /** The host cannot be asked, or has not appeared yet: only the call itself will tell, so it may be offered. */
  | { readonly state: 'unknown' };

/** Things that the host forbids its pages. Screens read this and never the host's name. */
export type Policy =
  | 'own-login'
  | 'social-login'
  | 'other-payment'
  | 'install-prompt'
  | 'leave-host'
  | 'promo-message'
  | 'cookie-session'
  | 'native-dialog'
  | 'new-window'
  | 'own-address-form'
  | 'foreign-frame';

export interface CallOptions {
  /** Stops waiting (ABORTED). It cannot dismiss a native sheet. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, instead of the deadline in deadlines.ts. */
  readonly timeoutMs?: number | undefined;
}

/** Idempotent. */
export type Unsubscribe = () => void;

type Credential =
  /** How the host proves who somebody is; its server.ts verifies it. */
  { readonly kind: 'proof'; readonly proof: Readonly<Record<string, string>> } | { readonly kind: 'web-session' };

export interface LoginRequest {
  readonly nonce: string;
  /** false: no sheet may appear; a host that cannot promise that rejects with UNSUPPORTED. */
  readonly interactive: boolean;
  /** `clientId` of the partner block; the page's own setting is used when absent. */
  readonly clientId?: string | undefined;
}

export type NetworkType = 'wifi' | '2g' | '3g' | '4g' | '5g' | 'cellular' | 'ethernet' | 'none' | 'unknown';
export interface NetworkStatus {
  readonly isConnected: boolean;
  /** `unknown` unless the host or the browser names the medium. */
  readonly networkType: NetworkType;
}

/** Degrees; accuracy in metres, null where the host does not say. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
}

/** An address picked in the host's own picker; what the host leaves out is null. */
export interface HostAddress {
  readonly name: string | null;
  readonly mobile: string | null;
  readonly line1: string;
  readonly line2: string | null;
  readonly area: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly pincode: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** What a host's own payment is opened with. */
export interface PaymentOrder {
  readonly orderId: string;
  readonly amount: Money;
  /** New for every attempt. */
  readonly transactionReferenceId: string;
  /** Epoch milliseconds of this device. */
  readonly expiresAt: number;
  /** Sent by the host's server.ts, read by its bridge alone. */
  readonly details: Readonly<Record<string, string>>;
}

/** The host's report of a payment to the page. Only the server knows whether it is true. */
export type PaymentOutcome =
  | { readonly status: 'reported-success'; readonly receipt: unknown }
  | { readonly status: 'reported-pending'; readonly receipt: unknown }
  | { readonly status: 'reported-failure'; readonly receipt: unknown; readonly vendorCode: string | null }
  | { readonly status: 'cancelled' }
  | {
      readonly status: 'unknown';
      readonly because: 'timeout' | 'page-reloaded' | 'unclassified-reply' | 'malformed-reply' | 'no-reply-channel';
    };

/** `copied`: no sheet was opened, the address is on the clipboard. `unreported`: a sheet was opened, and this host does not tell how it ended. */
type Shared = 'shared' | 'dismissed' | 'copied' | 'unreported';
export type BackResult = 'handled' | 'default';
export type Haptic = 'selection' | 'success' | 'warning' | 'error';

/** Events that belong to no running call, for telemetry; never shown. */
export interface Diagnostic {
  readonly kind: 'late-reply' | 'extra-reply' | 'storage-failed' | 'load-failed';
  readonly feature: Feature;
  readonly method: string;
}

/** How the page was opened, taken before any router touches the address. */
export interface Launch {
  readonly href: string;
  /** Path inside the app that the host asked for in its deep link data; null when the address already says it. */
  readonly path: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** All that a host tells unasked. A listener that throws does not keep the others from hearing. */
export interface HostEvents {
  /** supports() may answer something new: the bridge has come (also after the deadline of ready()), a call was refused, the browser offers to install. */
  support: () => void;
  /** Never while subscribing; the status is that of network.getSnapshot(). */
  network: (status: NetworkStatus) => void;
  /** The back button, for what lies over the page (popup, sheet). The last listener is asked first; 'handled' ends it. */
  back: () => BackResult;
  lifecycle: (state: 'shown' | 'hidden') => void;
  /** A reply about this order came too late or twice: ask the server for its status. */
  payment: (orderId: string) => void;
  /** Never shown. */
  diagnostic: (event: Diagnostic) => void;
}

/**
 * What the app asks of the host around it. Every promise settles: with an answer, or with a HostError whose `code` is among those
 * named here, by the deadline of that name in deadlines.ts. A call that supports() knows to be unavailable is refused without
 * asking (UNSUPPORTED, BLOCKED; NOT_READY in a plain tab); one whose code does not arrive is UNAVAILABLE; any may be ABORTED by
 * its signal. Evidence: documented by the vendor, seen in others' code that ran there, or guessed.
 */
export interface HostBridge {
  readonly id: HostId;
  readonly version: string | null;
  /** True when the page really runs inside this host. False for a mini-app bundle in a plain tab: one can browse there, not pay. */
  readonly hosted: boolean;
  readonly forbids: ReadonlySet<Policy>;
  /** Mini-app flag: empty outside a mini-app (specification section 5). */
  readonly partner: '' | Exclude<HostId, 'browser'>;
  readonly fullMode: boolean;
  /** The `client_type` header, exactly as in section 7 of the specification. */
  readonly clientType: 'web app-chrome' | `web app-${Exclude<HostId, 'browser'>}`;
  /** Which key of the country's API registry goes into the `api_key` header; one that it does not list is `<country>-<name>`. */
  readonly apiKeyName: HostId;
  readonly blockedFeatures: readonly string[];
  readonly primaryPaymentId: PaymentMode | null;
  readonly launch: Launch;

  /**
   * Waits for the bridge: one shared promise. Deadline `ready`; later the event `support` tells.
   * Errors: NOT_READY, ABORTED. Evidence: gpay seen (its script and its global), Paytm seen (`JSBridgeReady` on the document).
   */
  ready(options?: CallOptions): Promise<void>;
  /** Synchronous, asks nobody, never throws. With a parameter: whether the call takes or tells that. */
  supports<F extends Feature>(feature: F, parameter?: FeatureParameters[F]): Support;
  /** Listens to one of the events; what it returns ends that, and may be called twice. */
  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe;

  /**
   * Asks the host who somebody is. @returns what the host's server.ts can verify; `web-session` where the app has a login of its own.
   * Deadline `login`, `silent` when not interactive. Errors: UNSUPPORTED (silent, in a host that cannot promise it), DENIED
   * (Paytm says so), BUSY, INVALID_ARGUMENT (no client id), MALFORMED_REPLY, HOST_FAILURE (gpay: also a refusal).
   * Evidence: gpay seen (`getIdentity`; what its rejections mean is guessed), Paytm documented (`paytmFetchAuthCode`).
   */
  login(request: LoginRequest, options?: CallOptions): Promise<Credential>;
  /**
   * Asks for the phone number. @returns a token with the number, signed by the host over this nonce.
   * Deadline `phoneNumber`. Errors: as login. Evidence: gpay seen (`getPhoneNumber`); no other host has it.
   */
  getPhoneNumber(request: { readonly nonce: string }, options?: CallOptions): Promise<{ readonly token: string }>;

  readonly network: {
    /** What is known now, without asking; the same reference between changes, as useSyncExternalStore wants it. */
    getSnapshot(): NetworkStatus;
    /**
     * Asks the host where it can be asked, else the browser. Deadline `network`, then the browser's word. Errors: ABORTED only.
     * Evidence: Paytm guessed (`paytmNetworkType`, dropped when it does not answer); gpay has no such call.
     */
    getNetworkType(options?: CallOptions): Promise<NetworkStatus>;
  };
  /**
   * Where the phone is. Deadline `location` (the question and the position), within it `position` for the position alone.
   * Errors: UNSUPPORTED, DENIED, TIMEOUT, UNAVAILABLE, BUSY, MALFORMED_REPLY. Evidence: gpay seen (`getCurrentLocation`, without
   * accuracy), Paytm documented (its permission calls, then the browser's own), browser standard.
   */
  getLocation(options?: CallOptions): Promise<Position>;
  /**
   * Opens the host's address picker. Deadline `address`. Errors: UNSUPPORTED, CANCELLED, BUSY, MALFORMED_REPLY.
   * Evidence: Paytm documented as a duty, its name and reply guessed (`SelectAddress`).
   */
  pickAddress(options?: CallOptions): Promise<HostAddress>;

  /**
   * Opens the host's payment sheet for one attempt. @returns what the page was told, which proves nothing: ask the server next.
   * Deadline `payment`, or the order's own end if that is sooner, then `unknown`. Errors, all before a sheet is open:
   * INVALID_ARGUMENT (amount, end, another host's details), NOT_READY, BUSY, UNSUPPORTED and BLOCKED (Paytm's 1 and 4); and
   * ABORTED. Evidence: gpay's request seen, its reply documented for another SDK, its rejections opaque; Paytm documented
   * (`false` and `''` are "reason unknown"); browser: a UPI link is documented to send no reply.
   */
  requestPayment(order: PaymentOrder, options?: CallOptions): Promise<PaymentOutcome>;
  /** The order whose sheet was opened and whose end is not known yet: ask the server about it first. Null: none. Never rejects. */
  unfinishedPayment(): Promise<string | null>;
  /** Brings the code of the calls that a tap starts, before the first of them: one of them will be made soon. Never throws. */
  prepare(): void;
  /** To be called when the server has told how this order's payment ended. Never rejects. */
  paymentSettled(orderId: string): Promise<void>;

  /**
   * Opens the share sheet with an address that leads back into this host. Deadline `share`. Errors: UNSUPPORTED, BUSY,
   * HOST_FAILURE. Evidence: gpay seen (`requestSharing`; whether dismissing rejects is unknown), browser standard.
   */
  share(
    content: { readonly title: string; readonly text?: string | undefined; readonly path: string },
    options?: CallOptions,
  ): Promise<Shared>;
  /** The address that opens `path` (from `/`) inside this host again. Evidence: gpay seen, Paytm documented. */
  link(path: string): string;
  /**
   * Puts an icon with this name on the phone's home screen. Deadline `shortcut`. Errors: UNSUPPORTED, UNAVAILABLE (not offered
   * yet, or an Android before 8), BUSY, INVALID_ARGUMENT. Evidence: Paytm documented (`createAppShortcut`), browser standard.
   */
  offerShortcut(name: string, options?: CallOptions): Promise<'added' | 'dismissed'>;
  /**
   * Leaves the app. Resolved: the host has accepted. Deadline `close`. Errors: UNSUPPORTED, TIMEOUT. Evidence: Paytm seen
   * (`popWindow`; it may not answer, so that going out of sight counts as an answer).
   */
  close(options?: CallOptions): Promise<void>;

  /** Web storage below the bundle's own address; what cannot be stored stays in memory until the page is gone. Never rejects. */
  readonly storage: {
    get(key: string): Promise<string | null>;
    set(key: string, value: string): Promise<void>;
    remove(key: string): Promise<void>;
    readonly durability: 'persistent' | 'session' | 'memory';
  };
  /** Fire and forget; false: nothing happened. Never throws. */
  vibrate(pattern: Haptic): boolean;
  /** Ends all waiting and listening. The bridge is of no use afterwards. */
  dispose(): void;
}

/** The calls that a tap starts. */
export type HostActions = Pick<
  HostBridge,
  'login' | 'getPhoneNumber' | 'getLocation' | 'pickAddress' | 'requestPayment' | 'share' | 'offerShortcut' | 'close'
>;

/** How calls reach the host: the only thing that a simulator has to replace. */
export interface Transport {
  readonly id: HostId;
  readonly hosted: boolean;
  present(): boolean;
  /** Resolves when the bridge is there, however late; rejects when it cannot come, or when the signal aborts. */
  whenPresent(signal: AbortSignal): Promise<void>;
  /** Whether the host has this call; undefined: it cannot be asked. */
  has(method: string): boolean | undefined;
  call(method: string, args: Readonly<Record<string, unknown>>, reply: (raw: unknown) => void): void;
  listen(event: string, handler: (event: { readonly raw: unknown; preventDefault(): void }) => void): Unsubscribe;
}

/** The page's window, with parts that TypeScript's DOM types lack. */
export type Page = Window & typeof globalThis;
