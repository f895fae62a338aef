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
 *     { type: 'hello', controls, scenarios }         after installation: show the switches, and the scenarios of this host
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
import type { HostId } from '../../src/bridge/hostBridge.ts';
import {
  CALM,
  CHOICES,
  type Controls,
  type ReplyFault,
  SCENARIOS,
  type ScenarioName,
  scenariosOf,
  type SheetName,
} from './scenarios.ts';

export type FakePage = Window & typeof globalThis;
/** The address that a customer keeps in an imitated host. */
export const HOME = {
  name: 'Asha Verma',
  mobile: '9876543210',
  line1: 'Flat 12, Rose Apartments',
  line2: 'Barakhamba Road',
  area: 'Connaught Place',
  city: 'New Delhi',
  state: 'Delhi',
  pincode: '110001',
  latitude: 28.6304,
  longitude: 77.2177,
} as const;
/** Longer than anybody looks at a page that says nothing. */
const LATE_MS = 20_000;
/** An even number, so that a flapping network is there in the end. */
const FLAPS = 6;
const FLURRY = 20;
/** How long the bridge is away. */
const AWAY_MS = 2_000;
const NOISE_EVERY_MS = 400;

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
  const controls: Controls = { ...CALM, ...SCENARIOS[options.scenario ?? 'calm'].controls, ...options.controls };
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

  // Whether data is to be saved is the person's own setting, in every app of the phone.
  const isSaving = (win.navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  const connection = Object.assign(new EventTarget(), {});
  define(connection, 'type', () =>
    /^(wifi|ethernet|none|cellular)$/.test(controls.networkType)
      ? controls.networkType
      : controls.networkType === 'unknown'
        ? undefined
        : 'cellular',
  );
  define(connection, 'effectiveType', () => (/^[234]g$/.test(controls.networkType) ? controls.networkType : '4g'));
  define(connection, 'saveData', () => isSaving);
  define(win.navigator, 'connection', () => connection);
  define(win.navigator, 'onLine', () => controls.networkType !== 'none' && controls.browserNetwork !== 'offline');
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
      if (controls.positionForm === 'forbidden')
        throw new DOMException('Not allowed in this document', 'SecurityError');
      // In a mini-app the host has asked for the permission; a plain browser shows its own sheet.
      void (id === 'browser' ? sheet('location', {}) : Promise.resolve(controls.location)).then((choice) => {
        if (choice === 'timeout') setTimeout(() => failed?.({ code: 3 } as GeolocationPositionError), timeout);
        else if (choice === 'deny') failed?.({ code: 1 } as GeolocationPositionError);
        else if (controls.positionForm === 'nonsense')
          found({ coords: { latitude: Number.NaN, longitude: 999, accuracy: -1 } } as GeolocationPosition);
        else found({ coords: { ...controls.position, accuracy: 25 } } as GeolocationPosition);
      });
    },
  }));
  const vibrate = (pattern: unknown) => {
    if (controls.vibrate === 'silent') return false;
    if (controls.vibrate === 'throws') throw new DOMException('Blocked', 'InvalidStateError');
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
      const isForbidden = controls.storage === 'session-only' && name === 'localStorage';
      if (controls.storage === 'throws' || isForbidden || !guarded.get(name))
        throw new DOMException('Access is denied for this document', 'SecurityError');
      return guarded.get(name);
    });
  }

  const lost = new Set<string>();
  const passed = (name: string) => Object.assign(new Event(name), { persisted: true });
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
    if (before.browserNetwork !== controls.browserNetwork)
      win.dispatchEvent(new Event(win.navigator.onLine ? 'online' : 'offline'));
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
      lost.delete(method)
        ? 'never'
        : controls.replyOn === null || controls.replyOn === method
          ? controls.reply
          : 'none',
    called(method: string, args: unknown) {
      log.push({ method, args });
      event('call', { method, args });
      const { bridge } = controls;
      if (bridge === 'stays') return;
      // Once: with the bridge goes the callback that it holds.
      controls.bridge = 'stays';
      lost.add(method);
      device.gone();
      setTimeout(() => device.ready(), bridge === 'vanishes' ? AWAY_MS : 0);
    },
    scenario(name: ScenarioName, start?: number) {
      seed = start ?? seed;
      set({ ...CALM, ...SCENARIOS[name].controls });
    },
    /** Replaced by the host's fake. */
    back: () => win.history.back(),
    ready: () => {},
    gone: () => {},
    hide() {
      if (controls.storage === 'cleared') for (const store of real.values()) store?.clear();
      if (controls.visibility === 'restored') win.dispatchEvent(passed('pagehide'));
      else visible(false);
    },
    show() {
      if (controls.visibility === 'never-shown') return;
      if (controls.visibility === 'restored') return void win.dispatchEvent(passed('pageshow'));
      if (controls.visibility === 'flapping') for (let times = 0; times < FLURRY; times += 1) visible(times % 2 === 0);
      visible(true);
    },
  };
  haunt(device);
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

export const MISREAD = ['getter', 'proxy', 'cyclic', 'huge', 'deep'] as const;
const HUGE = 5_000_000;
const DEEP = 10_000;

/** Makes an answer that cannot be read in the usual way; what was good in it stays where it was. */
export function misread(how: (typeof MISREAD)[number], reply: object, field: string): object {
  const unreadable = () => {
    throw new TypeError('Cannot be read');
  };
  if (how === 'getter') return Object.defineProperty({ ...reply }, field, { enumerable: true, get: unreadable });
  if (how === 'proxy')
    return new Proxy({}, { get: unreadable, has: unreadable, ownKeys: unreadable, getPrototypeOf: unreadable });
  if (how === 'huge') return { ...reply, padding: 'x'.repeat(HUGE) };
  const whole: Record<string, unknown> = { ...reply };
  let end: Record<string, unknown> = whole;
  if (how === 'deep') for (let depth = 0; depth < DEEP; depth += 1) end = end['inner'] = {};
  else whole['self'] = whole;
  return whole;
}

/** What extensions and hosts say to a window that is not theirs. */
const noises = (): unknown[] => [
  null,
  'ping',
  0,
  [],
  { type: 'hello' },
  { hostFake: 'nobody', type: 'set', controls: { networkType: 'none' } },
  { source: 'react-devtools-bridge', payload: { event: 'init' } },
  { type: 'webpackOk', data: { toString: null } },
  JSON.stringify({ method: 'setConfig', params: ['x'.repeat(1_000)] }),
];

/** Imitates what surrounds the page and is no call: its clock, its history, forms, the company it is in. Parts that a window lacks are left alone. */
function haunt({ win, controls }: Fake): void {
  if (win.Date) {
    const Real = win.Date;
    const ahead = () => controls.clockAheadMs;
    // Only `new Date()` and `Date.now()` ask the clock.
    win.Date = new Proxy(Real, {
      construct: (_real, given: [], target) =>
        Reflect.construct(Real, given.length ? given : [Real.now() + ahead()], target) as object,
      get: (real, key, target) =>
        key === 'now' ? () => Real.now() + ahead() : (Reflect.get(real, key, target) as unknown),
    });
  }
  const { history } = win;
  const push = history.pushState.bind(history);
  history.pushState = (...entry) => {
    if (controls.history === 'full') throw new DOMException('Too many calls of history.pushState()', 'SecurityError');
    push(...entry);
  };
  // A submission of the customer's own ends in such a frame before its event.
  win.addEventListener(
    'submit',
    (event) => {
      if (controls.forms !== 'blocked' || !event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  if (controls.company === 'messages')
    setInterval(() => {
      for (const data of noises())
        win.dispatchEvent(new MessageEvent('message', { data, origin: 'https://elsewhere.example' }));
    }, NOISE_EVERY_MS);
  if (controls.company === 'polluted' && win.Object) {
    // As scripts of the last decade did: what they add is seen by every `for in`.
    Object.assign(win.Object.prototype, { extendedBy: 'the host' });
    Object.assign(win.Array.prototype, { last: () => undefined, remove: () => undefined });
    Object.assign(win.String.prototype, { trimAll: () => '' });
  }
  if (controls.script === 'twice')
    win.addEventListener('load', () => {
      const main = win.document.querySelector<HTMLScriptElement>('script[type=module][src]');
      if (!main) return;
      const again = win.document.createElement('script');
      again.type = 'module';
      again.src = `${main.src}?again`;
      win.document.body.append(again);
    });
}

/** Tells the parent that the fake is installed. */
export function announce(device: Fake): Fake {
  const { win, id, controls } = device;
  if (win.parent !== win && typeof win.parent?.postMessage === 'function') {
    win.parent.postMessage({ hostFake: id, type: 'hello', controls, scenarios: scenariosOf(id) }, win.location.origin);
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
