import { listeners } from './call.ts';
import type { OpenHost } from './defineHost.ts';
import type {
  BackResult,
  CallOptions,
  Haptic,
  HostBridge,
  NetworkStatus,
  NetworkType,
  Page,
  Transport,
  Unsubscribe,
} from './hostBridge.ts';
import { loadChunk } from './scripts.ts';
import { on } from './web.ts';

const NETWORK_TYPES: readonly string[] = ['wifi', '2g', '3g', '4g', '5g', 'cellular', 'ethernet', 'none'];
const RECHECK_MS = 5_000;
/** Specification section 9. */
const VIBRATION_MS = 200;

/** What the page assumes before it can ask a browser; also the server snapshot of useSyncExternalStore. */
const ASSUMED_NETWORK: NetworkStatus = { isConnected: true, networkType: 'unknown' };

/** The network medium that a host or browser names; `unknown` for any other word. */
export function networkType(stated: unknown): NetworkType {
  const name = String(stated).toLowerCase();
  return NETWORK_TYPES.includes(name) ? (name as NetworkType) : 'unknown';
}

/** `ask` returns what the host says of the network, null where it says nothing; it must not reject. */
function createNetwork(
  win: Page | undefined,
  aborted: () => Error,
  ask?: (options: CallOptions) => Promise<NetworkType | null>,
) {
  const changed = listeners<[NetworkStatus]>();
  const connection = (win?.navigator as { connection?: EventTarget & { type?: string } } | undefined)?.connection;
  let hint: NetworkType | null = null;
  let status = ASSUMED_NETWORK;
  let stop: Unsubscribe | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // A browser's "offline" is certain, its "online" is not: offline is what either of browser and host says.
  const read = (): NetworkStatus => {
    const isConnected = win?.navigator.onLine !== false && hint !== 'none';
    const type = isConnected ? (hint ?? networkType(connection?.type)) : 'none';
    const next = type === 'none' && isConnected ? 'unknown' : type;
    return status.isConnected === isConnected && status.networkType === next
      ? status
      : { isConnected, networkType: next };
  };
  const refresh = () => {
    const next = read();
    if (next === status) return;
    status = next;
    changed.emit(next);
  };
  const recheck = async (options: CallOptions = {}) => {
    clearTimeout(timer);
    if (ask) {
      const said = await ask(options);
      hint = said === 'unknown' ? null : said;
      // A host that says "none" is asked again, since not every host reports when the network is back.
      if (hint === 'none' && stop) timer = setTimeout(again, RECHECK_MS);
    }
    refresh();
  };
  let asking: Promise<void> | undefined;
  let isStale = false;
  /** One question at a time: what happens meanwhile is asked for once, when it is answered. */
  const again = () => {
    if (asking) {
      isStale = true;
      return;
    }
    isStale = false;
    asking = recheck().finally(() => {
      asking = undefined;
      if (isStale) again();
    });
  };
  const events = () => {
    refresh();
    if (ask) again();
  };

  return {
    /** The host can be asked now, or has something new to tell. */
    arrived: () => stop && again(),
    getSnapshot() {
      if (!stop) status = read();
      return status;
    },
    async getNetworkType(options: CallOptions = {}) {
      await recheck(options);
      if (options.signal?.aborted) throw aborted();
      return status;
    },
    onNetworkStatusChange(listener: (status: NetworkStatus) => void): Unsubscribe {
      if (!stop) {
        status = read();
        const stops = [
          on(win, 'online offline', events),
          on(connection, 'change', events),
          on(win?.document, 'visibilitychange', events),
          // A page that is taken out of the browser's memory has missed whatever changed.
          on(win, 'pageshow', events),
        ];
        stop = () => {
          clearTimeout(timer);
          stop = undefined;
          for (const each of stops) each();
        };
        if (ask) again();
      }
      const remove = changed.add(listener);
      return () => {
        remove();
        if (!changed.all.size) stop?.();
      };
    },
  };
}

function createStorage(win: Page | undefined, failed: () => void, prefix: string): HostBridge['storage'] {
  const memory = new Map<string, string>();
  const unsaved = new Set<string>();
  let area: Storage | undefined;
  let durability: 'persistent' | 'session' | 'memory' | undefined;
  const open = () => {
    if (durability) return area;
    durability = 'memory';
    for (const [kind, name] of [
      ['persistent', 'localStorage'],
      ['session', 'sessionStorage'],
    ] as const) {
      try {
        const tried = win![name];
        tried.setItem(`${prefix}?`, '1');
        tried.removeItem(`${prefix}?`);
        durability = kind;
        return (area = tried);
      } catch {
        // This kind of storage is blocked: the next one is tried; memory always works.
      }
    }
    return area;
  };
  const attempt = <T>(act: (store: Storage) => T): T | undefined => {
    try {
      const store = open();
      return store && act(store);
    } catch {
      failed();
      return undefined;
    }
  };
  return {
    get durability() {
      open();
      return durability!;
    },
    async get(key) {
      const held = memory.get(key) ?? null;
      // A storage that was cleared meanwhile has forgotten what this page still knows.
      return unsaved.has(key) ? held : (attempt((store) => store.getItem(prefix + key)) ?? held);
    },
    async set(key, value) {
      memory.set(key, value);
      unsaved.add(key);
      attempt((store) => {
        try {
          store.setItem(prefix + key, value);
        } catch (thrown) {
          // An older value must not be the truth again once this page is left.
          store.removeItem(prefix + key);
          throw thrown;
        }
        unsaved.delete(key);
      });
    },
    async remove(key) {
      memory.delete(key);
      unsaved.delete(key);
      attempt((store) => store.removeItem(prefix + key));
    },
  };
}

function createLifecycle(win: Page | undefined, listen: Transport['listen']) {
  const changed = listeners<['shown' | 'hidden']>();
  let state: 'shown' | 'hidden' = 'shown';
  let stops: Unsubscribe[] | undefined;
  const now = (next: 'shown' | 'hidden') => {
    if (state === next) return;
    state = next;
    changed.emit(next);
  };
  const shown = () => now('shown');
  const hidden = () => now('hidden');
  return {
    onLifecycle(listener: (state: 'shown' | 'hidden') => void): Unsubscribe {
      stops ??= [
        on(win?.document, 'visibilitychange', () => now(win!.document.hidden ? 'hidden' : 'shown')),
        on(win, 'pagehide', hidden),
        on(win, 'pageshow focus', shown),
        listen('pause', hidden),
        listen('resume', shown),
      ];
      return changed.add(listener);
    },
    stop: () => stops?.forEach((each) => each()),
  };
}

const HAPTICS: Record<Haptic, number[]> = {
  selection: [VIBRATION_MS],
  success: [VIBRATION_MS],
  warning: [VIBRATION_MS, 100, VIBRATION_MS],
  error: [VIBRATION_MS, 100, VIBRATION_MS, 100, VIBRATION_MS],
};

/** A part of a host that is made when it is first used, once for each bridge. */
function part<T>(make: (host: OpenHost) => T): (host: OpenHost) => T {
  const made = new WeakMap<OpenHost, { readonly it: T }>();
  return (host) => {
    let one = made.get(host);
    if (!one) made.set(host, (one = { it: make(host) }));
    return one.it;
  };
}

/** The state of the network: from the host where it can be asked, else from the browser. */
export const networkOf = /* @__PURE__ */ part((host) => {
  const ask = host.definition.network?.(host);
  const { arrived, ...network } = createNetwork(host.window, () => host.error('ABORTED', 'network.type'), ask);
  if (ask) host.calls.onReady(arrived);
  host.transport.listen('network', arrived);
  return network;
});

/** What stays on the device, under the bundle's own address. */
export const storageOf = /* @__PURE__ */ part(({ window: win, profile, calls }) => {
  const base = win?.document.querySelector('base');
  return createStorage(
    win,
    () => calls.diagnostics.emit({ kind: 'storage-failed', feature: 'storage', method: 'web' }),
    `${profile.id}${base ? new URL(base.href).pathname : ''}:`,
  );
});

export const lifecycleOf = /* @__PURE__ */ part((host) => {
  const life = createLifecycle(host.window, host.transport.listen);
  host.calls.ended.addEventListener('abort', life.stop);
  return life;
});

/** The order whose payment sheet was opened and whose end is not known yet, and news of it. */
export const paymentsOf = /* @__PURE__ */ part((host) => {
  const storage = storageOf(host);
  const news = listeners<[string]>();
  return {
    news,
    begun: (orderId: string) => storage.set('payment', orderId),
    unfinished: () => storage.get('payment'),
    async settled(orderId: string) {
      if ((await storage.get('payment')) === orderId) await storage.remove('payment');
    },
  };
});

const backOf = /* @__PURE__ */ part((host) => {
  let back: Promise<ReturnType<typeof import('./back.ts').createBack>> | undefined;
  host.calls.ended.addEventListener('abort', () => {
    back?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  });
  return (handler: () => BackResult): Unsubscribe => {
    let stop: Unsubscribe | undefined;
    let gone = false;
    back ??= loadChunk(() => import('./back.ts')).then(({ createBack }) =>
      createBack(host.window, host.transport.listen),
    );
    back.then(
      (ready) => {
        if (!gone) stop = ready.onBack(handler);
      },
      () => {
        // Then the back button keeps its usual meaning, and the next listener tries again.
        back = undefined;
        host.calls.diagnostics.emit({ kind: 'load-failed', feature: 'back', method: 'web' });
      },
    );
    return () => {
      gone = true;
      stop?.();
    };
  };
});

/** Listens to the back button; its code comes with the first listener. */
export const onBack = (host: OpenHost, handler: () => BackResult): Unsubscribe => backOf(host)(handler);

/** @returns false when nothing happened */
export function vibrate({ window: win }: OpenHost, pattern: Haptic): boolean {
  try {
    return win!.navigator.vibrate(HAPTICS[pattern]);
  } catch {
    return false;
  }
}
