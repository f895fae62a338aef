import type { Money } from '../contract/price.ts';

/** Hosts by the name of their folder; a host of another folder adds its name by declaration merging in its face.ts. */
export interface HostNames { gpay: true; paytm: true; browser: true }
export type HostId = keyof HostNames;

export type Feature =
  | 'login' | 'phoneNumber' | 'network.type' | 'network.change' | 'location' | 'address'
  | 'payment' | 'share' | 'shortcut' | 'close' | 'back' | 'lifecycle' | 'storage' | 'vibrate';

export type Support =
  | { readonly state: 'available'; readonly via: 'host' | 'web' }
  | {
      readonly state: 'unavailable';
      readonly because:
        | 'not-implemented' | 'host-version' | 'blocked-by-host' | 'permission' | 'insecure-context' | 'outside-host';
    }
  /** The host has no probe, or has not appeared yet: only a call can tell, and it may be offered. */
  | { readonly state: 'unknown' };

/** What the host forbids its pages; the screens read it, they never ask for the host's name. */
export type Policy =
  | 'own-login' | 'social-login' | 'other-payment' | 'install-prompt' | 'leave-host'
  | 'promo-message' | 'cookie-session' | 'native-dialog' | 'new-window' | 'own-address-form';

export interface CallOptions {
  /** Stops waiting (ABORTED). It cannot dismiss a native sheet. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, instead of the deadline of src/bridge/call.ts. */
  readonly timeoutMs?: number | undefined;
}

/** Idempotent. */
export type Unsubscribe = () => void;

export type Credential =
  | { readonly kind: 'google-id-token'; readonly idToken: string; readonly nonce: string }
  | { readonly kind: 'paytm-auth-code'; readonly authCode: string; readonly openId: string | null }
  /** A host with tokens of its own; its half on the server reads them. */
  | { readonly kind: 'host-token'; readonly token: string; readonly nonce: string }
  | { readonly kind: 'web-session' };

export interface LoginRequest {
  readonly nonce: string;
  /** false: no sheet may appear; where a host cannot promise that, the call is UNSUPPORTED. */
  readonly interactive: boolean;
  /** `clientId` of the partner block; the page's own setting is used when absent. */
  readonly clientId?: string | undefined;
}

export type NetworkType = 'wifi' | '2g' | '3g' | '4g' | '5g' | 'cellular' | 'ethernet' | 'none' | 'unknown';
export interface NetworkStatus {
  readonly isConnected: boolean;
  /** Named only by a source that states the medium; otherwise `unknown`. */
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

export type PaymentOrder =
  | {
      readonly kind: 'upi';
      readonly orderId: string;
      readonly amount: Money;
      readonly payeeVpa: string;
      readonly payeeName: string;
      readonly mcc: string;
      /** New for every attempt. */
      readonly transactionReferenceId: string;
      readonly referenceUrl: string;
      readonly note?: string | undefined;
    }
  | {
      readonly kind: 'paytm';
      readonly orderId: string;
      readonly amount: Money;
      /** What Paytm calls its order id; new for every attempt. */
      readonly transactionReferenceId: string;
      readonly mid: string;
      readonly txnToken: string;
      /** Epoch milliseconds; the token lives 15 minutes. */
      readonly expiresAt: number;
    }
  | {
      /** A host with a payment of its own. */
      readonly kind: 'host';
      readonly orderId: string;
      readonly amount: Money;
      readonly transactionReferenceId: string;
      readonly expiresAt: number;
      /** From the host's half on the server, for its bridge alone. */
      readonly details: Readonly<Record<string, string>>;
    };

/** What the page was TOLD. Only the server decides what is true. */
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
export type Shared = 'shared' | 'dismissed' | 'copied' | 'unreported';
export type BackResult = 'handled' | 'default';
export type Haptic = 'selection' | 'success' | 'warning' | 'error';

/** What happened after a call was over. Telemetry, never shown. */
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

export interface HostBridge {
  readonly id: HostId;
  readonly version: string | null;
  /** True when the page really runs inside this host. A mini-app bundle in a plain tab reads false: browse, but do not pay. */
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
  readonly primaryPaymentId: null | 'GPAY' | 'PAYTM' | 'HOST';
  readonly launch: Launch;

  /** One shared promise. Rejects NOT_READY; never hangs. A bridge that comes later still upgrades the page: see onReady. */
  ready(options?: CallOptions): Promise<void>;
  /** Called once the bridge is there, also when that is after the deadline: read supports() again. */
  onReady(listener: () => void): Unsubscribe;
  supports(feature: Feature): Support;

  login(request: LoginRequest, options?: CallOptions): Promise<Credential>;
  getPhoneNumber(request: { readonly nonce: string }, options?: CallOptions): Promise<{ readonly token: string }>;

  readonly network: {
    /** Same reference between changes: made for useSyncExternalStore. */
    getSnapshot(): NetworkStatus;
    /** Asks the host where it can be asked; falls back to the browser's word. Never rejects but for ABORTED. */
    getNetworkType(options?: CallOptions): Promise<NetworkStatus>;
    onNetworkStatusChange(listener: (status: NetworkStatus) => void): Unsubscribe;
  };
  getLocation(options?: CallOptions): Promise<Position>;
  pickAddress(options?: CallOptions): Promise<HostAddress>;

  /** Rejects only when no sheet was opened (or ABORTED); whatever follows is an outcome. */
  requestPayment(order: PaymentOrder, options?: CallOptions): Promise<PaymentOutcome>;
  /** Order whose sheet was opened and whose end nobody recorded yet: settle it with the server first. */
  unfinishedPayment(): Promise<string | null>;
  /** The server has told the end of this order's payment. */
  paymentSettled(orderId: string): Promise<void>;
  /** A reply about this order came too late or twice: ask the server for its status. */
  onPaymentNews(listener: (orderId: string) => void): Unsubscribe;

  share(
    content: { readonly title: string; readonly text?: string | undefined; readonly path: string }, options?: CallOptions,
  ): Promise<Shared>;
  /** Address that opens `path` (from `/`) inside this host again. */
  link(path: string): string;
  /** Icon on the phone's home screen, under this name. */
  offerShortcut(name: string, options?: CallOptions): Promise<'added' | 'dismissed'>;

  /** For what lies over the page (popup, sheet). Last registered is asked first. */
  onBack(handler: () => BackResult): Unsubscribe;
  onLifecycle(listener: (state: 'shown' | 'hidden') => void): Unsubscribe;
  /** Resolved = the host accepted. */
  close(options?: CallOptions): Promise<void>;

  /** Never throws; what cannot be written lives in memory until the page goes. */
  readonly storage: {
    get(key: string): Promise<string | null>;
    set(key: string, value: string): Promise<void>;
    remove(key: string): Promise<void>;
    readonly durability: 'persistent' | 'session' | 'memory';
  };
  /** Fire and forget; false = nothing happened. */
  vibrate(pattern: Haptic): boolean;
  onDiagnostic(listener: (event: Diagnostic) => void): Unsubscribe;
  dispose(): void;
}

/** The calls that a tap starts. */
export type Sheets = Pick<
  HostBridge,
  'login' | 'getPhoneNumber' | 'getLocation' | 'pickAddress' | 'requestPayment' | 'share' | 'offerShortcut' | 'close'
>;

/** The only thing a simulator has to replace. */
export interface Transport {
  readonly id: HostId;
  readonly hosted: boolean;
  present(): boolean;
  /** Resolves when the bridge is there, however late; rejects when it cannot come or the signal aborts. */
  whenPresent(signal: AbortSignal): Promise<void>;
  /** undefined: the host has no probe. */
  has(method: string): boolean | undefined;
  call(method: string, args: Readonly<Record<string, unknown>>, reply: (raw: unknown) => void): void;
  listen(event: string, handler: (event: { readonly raw: unknown; preventDefault(): void }) => void): Unsubscribe;
}

/** The page's window, with the parts that older type libraries miss. */
export type Page = Window & typeof globalThis;
