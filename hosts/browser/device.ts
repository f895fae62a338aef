/*
 * The imitated phone that the hosts' fakes share, and the protocol between a fake and the simulator around it.
 *
 * A fake (hosts/<host>/fake.ts) runs in the page BEFORE the bundle, as a classic script that the server puts into the page
 * when it was asked for with ?simulator. Its start values (FakeOptions: scenario, seed, user, controls, sheets) come from
 * `window.hostFakeOptions`, else from `data-host-fake='{...}'` of the surrounding <iframe> (which survives reloads inside the
 * frame), else from `?simulator=<scenario>`. It imitates only the host's transport and the device; the bundle is the shipped
 * one. `window.hostFake` (type Fake) drives it from tests.
 *
 * Messages are plain objects with `hostFake: <host id>`, posted with the page's own origin, and believed only from the
 * same origin and from the parent window.
 *   fake -> parent
 *     { type: 'hello', controls, scenarios }         after installation: show the switches
 *     { type: 'controls', controls }                 after every change
 *     { type: 'sheet', id, sheet, detail, choices, preset }   the host's native sheet should be drawn; only when attached
 *     { type: 'sheet-over', id }                     it was answered or the page is gone
 *     { type: 'event', name, detail }                name: 'call' | 'reply' | 'vibrate' | 'closed' | 'link' | 'failed'; for a log
 *   parent -> fake
 *     { type: 'attach', sheets: boolean }            true: draw my sheets; false: answer them by the controls
 *     { type: 'answer', id, choice }                 one of the choices of that sheet
 *     { type: 'set', controls }                      part of Controls
 *     { type: 'scenario', name, seed? }              start values of a named scenario
 *     { type: 'back' } | { type: 'hide' } | { type: 'show' } | { type: 'ready' }
 * Killing is the parent's: remove the frame without a word, and open it again.
 *
 * sheet     choices                                                        detail
 * login     grant deny silent                                              { client }
 * phone     grant deny silent                                              {}
 * location  grant deny timeout                                             {}
 * payment   success failure pending cancel unknown no-reply duplicate
 *           closed late                                                    { amount, payee, reference }
 * address   pick dismiss silent                                            {}
 * share     share dismiss                                                  { title, text, url }
 * shortcut  add dismiss                                                    { label }
 * silent, closed: the sheet is gone, and the page is never told; late: it is told once it has stopped waiting.
 */
import type { BankOutcome } from '../../src/contract/development.ts';
import type { HostId, NetworkType } from '../../src/bridge/hostBridge.ts';

export type FakePage = Window & typeof globalThis;
export type SheetName = 'login' | 'phone' | 'location' | 'payment' | 'address' | 'share' | 'shortcut';

export const CHOICES = {
  login: ['grant', 'deny', 'silent'],
  phone: ['grant', 'deny', 'silent'],
  location: ['grant', 'deny', 'timeout'],
  payment: ['success', 'failure', 'pending', 'cancel', 'unknown', 'no-reply', 'duplicate', 'closed', 'late'],
  address: ['pick', 'dismiss', 'silent'],
  share: ['share', 'dismiss'],
  shortcut: ['add', 'dismiss'],
} as const satisfies Record<SheetName, readonly string[]>;

export type ReplyFault =
  | 'none'
  | 'never'
  | 'twice'
  | 'sync'
  | 'throws'
  | 'missing-method'
  | 'not-authorised'
  | 'json'
  | 'double-json'
  | 'truncated'
  | 'null'
  | 'undefined'
  | 'empty'
  | 'false'
  | 'error-number'
  | 'error-text'
  | 'data-and-error'
  | 'extra-fields'
  | 'unknown-value';

export interface Controls {
  /** The network of the device; the imitated browser reports the same. */
  networkType: NetworkType;
  /** What the host reports, if it differs from the device; `silent`: it has no such call. */
  hostNetwork: 'same' | 'silent' | NetworkType;
  ready: 'before' | 'late' | 'never' | 'blocked' | 'event-early' | 'event-only' | 'twice';
  readyAfterMs: number;
  agent: 'host' | 'plain' | 'foreign';
  login: (typeof CHOICES.login)[number];
  /** A returning user sees no consent sheet. */
  consented: boolean;
  phone: (typeof CHOICES.phone)[number];
  location: (typeof CHOICES.location)[number];
  position: { latitude: number; longitude: number };
  /** Answers to permission calls in turn, the last one repeated: 1 granted, 0 denied, -1 not determined. */
  permissions: readonly (1 | 0 | -1)[];
  payment: (typeof CHOICES.payment)[number];
  /** What the bank does, if it differs from what the page is told; `same`: the page is told the truth. */
  bank: 'same' | BankOutcome;
  bankTwice: boolean;
  /** How the receipt of a payment is falsified. */
  receipt: 'good' | 'amount' | 'order' | 'unsigned' | 'broken-1' | 'broken-2' | 'broken-3' | 'unknown-status' | 'empty';
  failureCode: string;
  address: (typeof CHOICES.address)[number];
  share: (typeof CHOICES.share)[number];
  shortcut: (typeof CHOICES.shortcut)[number];
  /** The browser offers to install the page. */
  install: 'offered' | 'never';
  token: 'good' | 'expired' | 'wrong-nonce' | 'wrong-audience' | 'wrong-keys' | 'not-a-token';
  authCode: 'fresh' | 'reused' | 'without-open-id';
  reply: ReplyFault;
  /** The vendor's method that fails; null: every one. */
  replyOn: string | null;
  replyAfterMs: number;
  /** `emptied`: whatever an earlier visit stored is gone. */
  storage: 'works' | 'throws' | 'full' | 'emptied';
  /** The network comes and goes at moments that the seed decides, and is there in the end. */
  flapping: boolean;
  back: 'works' | 'ignores-prevent-default';
  vibrate: 'works' | 'absent' | 'silent';
  close: 'works' | 'silent';
  /** `never-shown`: the page is told that it is hidden, and never that it is shown again. */
  visibility: 'works' | 'never-shown';
}

export const CALM: Controls = {
  networkType: '4g',
  hostNetwork: 'same',
  ready: 'before',
  readyAfterMs: 0,
  agent: 'host',
  login: 'grant',
  consented: false,
  phone: 'grant',
  location: 'grant',
  position: { latitude: 28.6139, longitude: 77.209 },
  permissions: [0, 1],
  payment: 'success',
  bank: 'same',
  bankTwice: false,
  receipt: 'good',
  failureCode: '267',
  address: 'pick',
  share: 'share',
  shortcut: 'add',
  install: 'never',
  token: 'good',
  authCode: 'fresh',
  reply: 'none',
  replyOn: null,
  replyAfterMs: 0,
  storage: 'works',
  back: 'works',
  vibrate: 'works',
  close: 'works',
  flapping: false,
  visibility: 'works',
};

/** Behaviours of real hosts, by their number in the catalogue of behaviours, and the controls that imitate them. */
export const SCENARIOS = {
  calm: [0, {}],
  'bridge-first': [1, { ready: 'before' }],
  'ready-10ms': [2, { ready: 'late', readyAfterMs: 10 }],
  'ready-3s': [2, { ready: 'late', readyAfterMs: 3_000 }],
  'ready-60s': [2, { ready: 'late', readyAfterMs: 60_000 }],
  'ready-event-early': [3, { ready: 'event-early' }],
  'ready-event-only': [4, { ready: 'event-only' }],
  'ready-twice': [4, { ready: 'twice', readyAfterMs: 10 }],
  'bridge-never': [5, { ready: 'never' }],
  'bridge-with-plain-agent': [5, { agent: 'plain' }],
  'spoofed-agent': [5, { ready: 'never', agent: 'host' }],
  'sdk-blocked': [6, { ready: 'blocked' }],
  'sdk-slow': [6, { ready: 'late', readyAfterMs: 20_000 }],
  'sdk-mute': [6, { reply: 'never' }],
  'foreign-frame': [7, { agent: 'foreign' }],
  reload: [8, { payment: 'no-reply' }],
  'no-reply': [9, { reply: 'never' }],
  'reply-twice': [10, { reply: 'twice' }],
  'reply-sync': [10, { reply: 'sync' }],
  'reply-late': [11, { replyAfterMs: 1_300_000 }],
  'call-throws': [12, { reply: 'throws' }],
  'no-such-function': [12, { reply: 'missing-method' }],
  'not-authorised': [12, { reply: 'not-authorised' }],
  'out-of-order': [13, { replyAfterMs: 500 }],
  'data-json': [14, { reply: 'json' }],
  'data-double-json': [14, { reply: 'double-json' }],
  'data-truncated': [14, { reply: 'truncated' }],
  'data-null': [14, { reply: 'null' }],
  'data-undefined': [14, { reply: 'undefined' }],
  'data-empty': [14, { reply: 'empty' }],
  'data-false': [14, { reply: 'false' }],
  'error-number': [15, { reply: 'error-number' }],
  'error-text': [15, { reply: 'error-text' }],
  'data-and-error': [15, { reply: 'data-and-error' }],
  'extra-fields': [16, { reply: 'extra-fields' }],
  'unknown-value': [16, { reply: 'unknown-value' }],
  'consent-denied': [17, { login: 'deny' }],
  'returning-user': [17, { consented: true }],
  'auth-code-reused': [18, { authCode: 'reused' }],
  'profile-bare': [19, { authCode: 'without-open-id' }],
  'token-expired': [20, { token: 'expired' }],
  'token-wrong-nonce': [20, { token: 'wrong-nonce' }],
  'token-wrong-audience': [20, { token: 'wrong-audience' }],
  'token-wrong-keys': [20, { token: 'wrong-keys' }],
  'token-malformed': [20, { token: 'not-a-token' }],
  'payment-success': [21, {}],
  'payment-failure': [21, { payment: 'failure' }],
  'payment-pending': [21, { payment: 'pending' }],
  'payment-pending-then-paid': [21, { payment: 'pending', bank: 'pending-then-success' }],
  'payment-pending-then-failed': [21, { payment: 'pending', bank: 'pending-then-failure' }],
  'success-claimed': [22, { payment: 'success', bank: 'failure' }],
  'failure-claimed': [22, { payment: 'failure', bank: 'success' }],
  'payment-cancelled': [23, { payment: 'cancel' }],
  'payment-unknown': [23, { payment: 'unknown' }],
  'killed-while-paying': [24, { payment: 'no-reply' }],
  'order-id-used': [25, { payment: 'failure', failureCode: '334' }],
  'receipt-amount-differs': [26, { receipt: 'amount' }],
  'receipt-other-order': [26, { receipt: 'order' }],
  'receipt-unsigned': [26, { receipt: 'unsigned' }],
  'receipt-broken-1': [26, { receipt: 'broken-1' }],
  'receipt-broken-2': [26, { receipt: 'broken-2' }],
  'receipt-broken-3': [26, { receipt: 'broken-3' }],
  'receipt-unknown-status': [26, { receipt: 'unknown-status' }],
  'receipt-empty': [26, { receipt: 'empty' }],
  'double-tap': [27, { replyAfterMs: 1_000 }],
  'bank-reports-twice': [27, { payment: 'duplicate', bankTwice: true }],
  'permission-undetermined': [28, { permissions: [-1, 1] }],
  'permission-refused': [28, { permissions: [0, 0] }],
  'position-late': [28, { location: 'timeout' }],
  offline: [29, { networkType: 'none' }],
  'network-disagrees': [29, { networkType: 'wifi', hostNetwork: 'none' }],
  'network-silent': [29, { hostNetwork: 'silent' }],
  'network-flapping': [29, { networkType: 'wifi', flapping: true }],
  'storage-emptied': [30, { storage: 'emptied' }],
  'storage-throws': [30, { storage: 'throws' }],
  'storage-full': [30, { storage: 'full' }],
  'back-ignored': [31, { back: 'ignores-prevent-default' }],
  'never-shown': [32, { visibility: 'never-shown' }],
  'close-silent': [32, { close: 'silent' }],
  'vibrate-absent': [33, { vibrate: 'absent' }],
  'vibrate-silent': [33, { vibrate: 'silent' }],
  policy: [34, {}],
  'payment-closed-silent': [35, { payment: 'closed' }],
  'payment-paid-silent': [35, { payment: 'no-reply' }],
  'payment-told-late': [35, { payment: 'late' }],
  'login-silent': [36, { login: 'silent' }],
  'phone-silent': [36, { phone: 'silent' }],
  'address-silent': [37, { address: 'silent' }],
} as const satisfies Record<string, readonly [number, Partial<Controls>]>;
export type ScenarioName = keyof typeof SCENARIOS;

/** Longer than anybody looks at a page that says nothing. */
const LATE_MS = 20_000;
/** An even number, so that a flapping network is there in the end. */
const FLAPS = 6;

export interface FakeOptions {
  readonly window?: FakePage;
  readonly scenario?: ScenarioName;
  /** The same seed gives the same ids and the same delays. */
  readonly seed?: number;
  /** The person's account at the vendor: with gpay the `sub`, the same on every visit. */
  readonly user?: string;
  readonly controls?: Partial<Controls>;
  /** The parent draws the native sheets. */
  readonly sheets?: boolean;
  /** Origin of the imitated vendors and the bank; the page's own when absent. */
  readonly server?: string;
  /** Audience of the identity tokens. */
  readonly client?: string;
  readonly fetch?: typeof fetch;
}

/** Imitates the device and the browser: network, position, storage, vibration, visibility, sheets drawn around the page. */
export function createDevice(id: HostId, options: FakeOptions) {
  const win = options.window ?? (globalThis as unknown as FakePage);
  const controls: Controls = { ...CALM, ...SCENARIOS[options.scenario ?? 'calm'][1], ...options.controls };
  const original = options.fetch ?? win.fetch?.bind(win);
  /** A fake may put another window between it and the page. */
  const outside = win.parent;
  const log: { method: string; args: unknown }[] = [];
  const waiting = new Map<number, (choice: string) => void>();
  const changed: Array<(before: Controls) => void> = [];
  let sheets = options.sheets ?? false;
  let nextSheet = 1;
  let seed = options.seed ?? 1;

  /** mulberry32: the same seed gives the same run. */
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const post = (message: object) => {
    if (win.parent !== win && typeof win.parent?.postMessage === 'function')
      win.parent.postMessage({ hostFake: id, ...message }, win.location.origin);
  };
  const event = (name: string, detail?: unknown) => post({ type: 'event', name, detail });
  const define = (target: object, name: string, get: () => unknown) =>
    Object.defineProperty(target, name, { configurable: true, get });

  /** The person's answer to a sheet: given in the parent if it draws the sheets, else by the controls. */
  const sheet = async <N extends SheetName>(name: N, detail: object): Promise<(typeof CHOICES)[N][number]> => {
    let choice: string = controls[name];
    if (sheets) {
      const number = nextSheet++;
      post({ type: 'sheet', id: number, sheet: name, detail, choices: CHOICES[name], preset: choice });
      choice = await new Promise<string>((resolve) => waiting.set(number, resolve));
      waiting.delete(number);
      post({ type: 'sheet-over', id: number });
    }
    if (choice === 'silent' || choice === 'closed') return new Promise<never>(() => {});
    return choice as (typeof CHOICES)[N][number];
  };
  /** Calls the imitated vendors and the bank, without the simulated network of the page. */
  const server = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const boot = win.document.getElementById?.('boot')?.textContent;
    const prefix = boot ? ((JSON.parse(boot) as { api?: string }).api ?? '') : '';
    const response = await original(`${options.server ?? win.location.origin + prefix}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      event('failed', { path, status: response.status });
      throw new Error(`${path} answered ${response.status}`);
    }
    return (await response.json()) as Record<string, unknown>;
  };

  const connection = Object.assign(new EventTarget(), {});
  define(connection, 'type', () =>
    /^(wifi|ethernet|none|cellular)$/.test(controls.networkType)
      ? controls.networkType
      : controls.networkType === 'unknown'
        ? undefined
        : 'cellular',
  );
  define(connection, 'effectiveType', () => (/^[234]g$/.test(controls.networkType) ? controls.networkType : '4g'));
  define(connection, 'saveData', () => false);
  define(win.navigator, 'connection', () => connection);
  define(win.navigator, 'onLine', () => controls.networkType !== 'none');
  if (original) {
    win.fetch = async (input, init) => {
      if (controls.networkType === 'none') throw new TypeError('Failed to fetch');
      const delayMs = controls.networkType === '2g' ? 2_000 : controls.networkType === '3g' ? 400 : 0;
      if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return original(input, init);
    };
  }
  define(win.navigator, 'geolocation', () => ({
    getCurrentPosition(
      found: PositionCallback,
      failed?: PositionErrorCallback,
      { timeout = 15_000 }: PositionOptions = {},
    ) {
      // In a mini-app the host has asked for the permission; a plain browser shows its own sheet.
      void (id === 'browser' ? sheet('location', {}) : Promise.resolve(controls.location)).then((choice) => {
        if (choice === 'timeout') setTimeout(() => failed?.({ code: 3 } as GeolocationPositionError), timeout);
        else if (choice === 'deny') failed?.({ code: 1 } as GeolocationPositionError);
        else found({ coords: { ...controls.position, accuracy: 25 } } as GeolocationPosition);
      });
    },
  }));
  const vibrate = (pattern: unknown) => {
    if (controls.vibrate === 'silent') return false;
    event('vibrate', pattern);
    return true;
  };
  if (controls.vibrate === 'absent') define(win.navigator, 'vibrate', () => undefined);
  else define(win.navigator, 'vibrate', () => vibrate);

  const real = new Map<string, Storage | undefined>();
  const guarded = new Map<string, Storage | undefined>();
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      real.set(name, win[name]);
    } catch {
      real.set(name, undefined);
    }
    const store = real.get(name);
    if (controls.storage === 'emptied') store?.clear();
    guarded.set(
      name,
      store &&
        new Proxy(store, {
          get(target, key) {
            if (key === 'setItem' && controls.storage === 'full')
              return () => {
                throw new DOMException('Full', 'QuotaExceededError');
              };
            const value = Reflect.get(target, key) as unknown;
            return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
          },
        }),
    );
    define(win, name, () => {
      if (controls.storage === 'throws' || !guarded.get(name))
        throw new DOMException('Access is denied for this document', 'SecurityError');
      return guarded.get(name);
    });
  }

  let hidden = false;
  const visible = (next: boolean) => {
    hidden = !next;
    define(win.document, 'hidden', () => hidden);
    define(win.document, 'visibilityState', () => (hidden ? 'hidden' : 'visible'));
    win.document.dispatchEvent(new Event('visibilitychange'));
  };
  const set = (next: Partial<Controls>) => {
    const before = { ...controls };
    Object.assign(controls, next);
    if (before.networkType !== controls.networkType) {
      connection.dispatchEvent(new Event('change'));
      const online = controls.networkType !== 'none';
      if (online !== (before.networkType !== 'none')) win.dispatchEvent(new Event(online ? 'online' : 'offline'));
    }
    for (const listener of changed) listener(before);
    post({ type: 'controls', controls });
  };

  const device = {
    id,
    win,
    controls,
    log,
    random,
    event,
    sheet,
    server,
    changed,
    set,
    /** What the host tells the bank to do; with a plain yes the bank's own switches decide the outcome. */
    outcome: (choice: string): { outcome?: BankOutcome } =>
      controls.bank !== 'same'
        ? { outcome: controls.bank }
        : choice === 'failure' || choice === 'pending'
          ? { outcome: choice }
          : {},
    user: options.user ?? 'customer-1',
    client: options.client ?? null,
    after: (act: () => void) => void setTimeout(act, controls.replyAfterMs),
    /** Until the page is told so late how a payment ended. */
    late: () => new Promise<void>((resolve) => void setTimeout(resolve, LATE_MS)),
    /** The fault to apply to this call, if the controls name this method. */
    fault: (method: string): ReplyFault =>
      controls.replyOn === null || controls.replyOn === method ? controls.reply : 'none',
    called(method: string, args: unknown) {
      log.push({ method, args });
      event('call', { method, args });
    },
    scenario(name: ScenarioName, start?: number) {
      seed = start ?? seed;
      set({ ...CALM, ...SCENARIOS[name][1] });
    },
    /** Replaced by the host's fake. */
    back: () => win.history.back(),
    ready: () => {},
    hide: () => visible(false),
    show: () => {
      if (controls.visibility === 'works') visible(true);
    },
  };
  if (controls.flapping) {
    let left = FLAPS;
    const flap = () => {
      left -= 1;
      set({ networkType: left % 2 === 0 ? 'wifi' : 'none' });
      if (left > 0) setTimeout(flap, 200 + random() * 2_000);
    };
    setTimeout(flap, 200 + random() * 2_000);
  }
  win.addEventListener('message', (message: MessageEvent) => {
    const data = message.data as Record<string, unknown> | null;
    if (message.origin !== win.location.origin || message.source !== outside || data?.hostFake !== id) return;
    if (data.type === 'attach') sheets = data.sheets === true;
    if (data.type === 'answer') waiting.get(data.id as number)?.(String(data.choice));
    if (data.type === 'set') set(data.controls as Partial<Controls>);
    if (data.type === 'scenario' && String(data.name) in SCENARIOS)
      device.scenario(data.name as ScenarioName, data.seed as number | undefined);
    if (data.type === 'back') device.back();
    if (data.type === 'ready') device.ready();
    if (data.type === 'hide') device.hide();
    if (data.type === 'show') device.show();
  });
  (win as FakePage & { hostFake?: unknown }).hostFake = device;
  return device;
}

export type Fake = ReturnType<typeof createDevice>;

/** Tells the parent that the fake is installed. */
export function announce(device: Fake): Fake {
  const { win, id, controls } = device;
  if (win.parent !== win && typeof win.parent?.postMessage === 'function') {
    win.parent.postMessage(
      { hostFake: id, type: 'hello', controls, scenarios: Object.keys(SCENARIOS) },
      win.location.origin,
    );
  }
  return device;
}

/** Adds a <meta> setting that the bridge reads, unless the page has it already. */
export function provide(win: FakePage, name: string, content: string): void {
  if (win.document.querySelector(`meta[name="${name}"]`)) return;
  const meta = win.document.createElement('meta');
  meta.name = name;
  meta.content = content;
  win.document.head.append(meta);
}

/**
 * Start values when the calling file was loaded by a page as a classic script; null in every other case, so that a test may
 * import it. They are `window.hostFakeOptions`, else `data-host-fake` of the surrounding frame, else `?simulator=<scenario>`.
 */
export function startOptions(): FakeOptions | null {
  if (!globalThis.document?.currentScript) return null;
  const win = globalThis as unknown as FakePage & { hostFakeOptions?: FakeOptions };
  if (win.hostFakeOptions) return win.hostFakeOptions;
  const frame = (win.frameElement as HTMLElement | null)?.dataset.hostFake;
  if (frame) return JSON.parse(frame) as FakeOptions;
  const scenario = new URLSearchParams(win.location.search).get('simulator') ?? '';
  return scenario in SCENARIOS ? { scenario: scenario as ScenarioName } : {};
}
