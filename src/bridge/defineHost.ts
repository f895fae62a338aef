import { type AskOptions, type Calls, createCalls, listeners } from './call.ts';
import { DEADLINE_MS } from './deadlines.ts';
import { on, webLink, webSupport } from './web.ts';
import type {
  CallOptions,
  Feature,
  FeatureParameters,
  HostActions,
  LoginRequest,
  NetworkType,
  Page,
  Support,
  Transport,
  Unsubscribe,
} from './hostBridge.ts';
import type { HostProfile } from './profile.ts';

/** The call of each feature that a tap may start. */
export const CALL_OF = {
  login: 'login',
  phoneNumber: 'getPhoneNumber',
  location: 'getLocation',
  address: 'pickAddress',
  payment: 'requestPayment',
  share: 'share',
  shortcut: 'offerShortcut',
  close: 'close',
} as const satisfies { readonly [F in Feature]?: keyof HostActions };
export type CallFeature = keyof typeof CALL_OF;

type Taken = { readonly [parameter: string]: false | string | ((host: OpenHost) => boolean) | undefined };

/** What supports() answers about one call of a host. */
interface HostCall<F extends Feature> {
  /** Its name in the host's own bridge; left out where the page does it by means of its own. */
  readonly method?: string;
  /** The first version of the host that has it: '6.2'. */
  readonly since?: string;
  /** Parameters that the host takes: false never, a text from that version on, a function as the page finds it. */
  readonly parameters?: {
    readonly [P in FeatureParameters[F]]?: false | string | ((host: OpenHost) => boolean);
  };
  /** In a plain tab, outside the host, the browser does it. */
  readonly orWeb?: boolean;
  /** Instead of asking Transport.has(). */
  readonly supported?: (host: OpenHost) => Support;
}

export type HostCalls = { readonly [F in CallFeature]?: HostCall<F> };

/** Definition of a host by its differences from a browser: all that is left out is the browser's own, or UNSUPPORTED. */
export interface HostDefinition<C extends HostCalls = HostCalls> {
  readonly profile: (win: Page | undefined) => HostProfile;
  /** How calls get there; src/bridge/transports.ts has the two usual ways. Without it nothing is asked. */
  readonly transport?: (win: Page | undefined, profile: HostProfile) => Transport;
  readonly calls: C;
  /** The address that opens a path of the app in this host; null: the page's own. */
  readonly link?: (win: Page | undefined, path: string) => string | null;
  /** Made once for each bridge; asks the host for the network, null where it does not say. Must not reject. */
  readonly network?: (host: OpenHost) => (options: CallOptions) => Promise<NetworkType | null>;
  /** Runs once when the bridge is made. */
  readonly opened?: (host: OpenHost) => void;
}

/** One host in one page: what each of its calls works with. */
export interface OpenHost {
  readonly definition: HostDefinition;
  readonly profile: HostProfile;
  readonly window: Page | undefined;
  readonly transport: Transport;
  readonly calls: Calls;
  readonly error: Calls['error'];
  supports<F extends Feature>(feature: F, parameter?: FeatureParameters[F]): Support;
  /** From now on supports() answers this. */
  learn(feature: Feature, support: Support): void;
  /** Tells that supports() may answer something new. */
  changed(): void;
  onSupport(listener: () => void): Unsubscribe;
  /** Calls the host's own method of this feature. @returns its raw reply */
  ask(feature: CallFeature, args: Readonly<Record<string, unknown>>, options: AskOptions): Promise<unknown>;
  link(path: string): string;
}

export type Action<K extends keyof HostActions> = (
  host: OpenHost,
  ...args: Parameters<HostActions[K]>
) => ReturnType<HostActions[K]>;
type Run = (host: OpenHost, ...args: unknown[]) => unknown;
/** The functions behind the calls that a host has declared; each can be imported alone. */
export type ActionsOf<C extends HostCalls> = {
  readonly [F in keyof C & CallFeature as (typeof CALL_OF)[F]]: Action<(typeof CALL_OF)[F]>;
};

/** Declares a host. hosts/README.md has a whole one. */
export function defineHost<const C extends HostCalls>(definition: HostDefinition<C>): HostDefinition<C> {
  return definition;
}

/** Whether a version such as '6.10' is `least` or newer. */
function isAtLeast(version: string, least: string): boolean {
  const [have, want] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = want.findIndex((number, index) => (have[index] ?? 0) !== number);
  return at < 0 || (have[at] ?? 0) > (want[at] as number);
}

/** A host that is no app around the page: everything is the page's own. */
const nowhere = ({ id, hosted }: HostProfile): Transport => ({
  id,
  hosted,
  present: () => true,
  whenPresent: () => Promise.resolve(),
  has: () => false,
  call: () => undefined,
  listen: () => () => undefined,
});

/** The host of this page, with readiness and supports() and nothing more: each call is a function of its own. */
export function openHost(
  definition: HostDefinition,
  {
    window: win,
    profile = definition.profile(win),
    transport = definition.transport?.(win, profile) ?? nowhere(profile),
  }: { readonly window: Page | undefined; readonly profile?: HostProfile; readonly transport?: Transport },
): OpenHost {
  const calls = createCalls(transport);
  const news = listeners<[]>();
  const learned = new Map<Feature, Support>();
  calls.onReady(() => news.emit());

  /** What the host has declared; undefined where the browser does it. */
  const declared = (feature: Feature): HostCall<never> | undefined => {
    const call: HostCall<never> | undefined = definition.calls[feature as CallFeature];
    return call?.orWeb && !transport.hosted ? undefined : call;
  };
  const whole = (feature: Feature): Support => {
    const known = learned.get(feature);
    if (known) return known;
    const call = declared(feature);
    if (!call) return webSupport(win, feature);
    if (!transport.hosted) return { state: 'unavailable', because: 'outside-host' };
    if (call.supported) return call.supported(host);
    if (call.since && profile.version && !isAtLeast(profile.version, call.since))
      return { state: 'unavailable', because: 'host-version' };
    const has = calls.isThere() && call.method ? transport.has(call.method) : undefined;
    if (has === undefined) return { state: 'unknown' };
    return has ? { state: 'available', via: 'host' } : { state: 'unavailable', because: 'host-version' };
  };

  const host: OpenHost = {
    definition,
    profile,
    window: win,
    transport,
    calls,
    error: calls.error,
    supports(feature, parameter) {
      const support = whole(feature);
      if (support.state === 'unavailable' || !parameter) return support;
      const parameters: Taken | undefined = declared(feature)?.parameters;
      const taken = parameters?.[parameter] ?? true;
      if (typeof taken === 'string') {
        if (!profile.version) return { state: 'unknown' };
        return isAtLeast(profile.version, taken) ? support : { state: 'unavailable', because: 'host-version' };
      }
      return (typeof taken === 'function' ? taken(host) : taken)
        ? support
        : { state: 'unavailable', because: 'not-implemented' };
    },
    learn(feature, support) {
      learned.set(feature, support);
      news.emit();
    },
    changed: () => news.emit(),
    onSupport: news.add,
    ask: (feature, args, options) => calls.ask(feature, definition.calls[feature]?.method ?? feature, args, options),
    link: (path) => definition.link?.(win, path) ?? webLink(win, path),
  };
  const stops = [
    on(win, 'pageshow focus', calls.returned),
    on(win?.document, 'visibilitychange', () => win!.document.hidden || calls.returned()),
    transport.listen('resume', calls.returned),
  ];
  calls.ended.addEventListener('abort', () => stops.forEach((stop) => stop()));
  definition.opened?.(host);
  return host;
}

/** @throws HostError where the feature, or what is wanted of it, is known to be missing: nothing is asked then */
export function demand<F extends Feature>(host: OpenHost, feature: F, parameter?: FeatureParameters[F]): void {
  const support = host.supports(feature, parameter);
  if (support.state !== 'unavailable') return;
  const { because } = support;
  throw host.error(
    because === 'outside-host' ? 'NOT_READY' : because === 'blocked-by-host' ? 'BLOCKED' : 'UNSUPPORTED',
    feature,
  );
}

/** A call of a host as a function of its own: `await close(host)`. Refused where supports() says that it is unavailable. */
export function hostCall<F extends CallFeature>(
  feature: F,
  run: Action<(typeof CALL_OF)[F]>,
): Action<(typeof CALL_OF)[F]> {
  const call = async (host: OpenHost, ...args: unknown[]) => {
    demand(host, feature);
    return (run as Run)(host, ...args);
  };
  return call as unknown as Action<(typeof CALL_OF)[F]>;
}

/** What a sheet has to heed: it stops waiting when the signal aborts. */
export interface SheetOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}
/** What a call is asked for, without its options. */
type Asked<P> = P extends [infer A, ...unknown[]] ? [A] : [];

/**
 * A call that opens a native sheet, of which only one can be open: `await share(host, { title, path })`. `run` is given the
 * signal and the deadline to heed. A login that may show nothing is no sheet, and has a deadline of its own.
 */
export function sheetCall<F extends CallFeature>(
  feature: F,
  run: (
    host: OpenHost,
    ...args: [...Asked<Parameters<HostActions[(typeof CALL_OF)[F]]>>, SheetOptions]
  ) => ReturnType<HostActions[(typeof CALL_OF)[F]]>,
): Action<(typeof CALL_OF)[F]> {
  const hasRequest = !/^(location|address|close)$/.test(feature);
  const call = async (host: OpenHost, ...args: unknown[]) => {
    const asked = hasRequest ? args.slice(0, 1) : [];
    const { signal: given, timeoutMs } = (args[asked.length] ?? {}) as CallOptions;
    const isSilent = feature === 'login' && (asked[0] as LoginRequest).interactive === false;
    demand<Feature>(host, feature, isSilent ? 'silent' : undefined);
    const start = (signal: AbortSignal | undefined) =>
      (run as Run)(host, ...asked, { signal, timeoutMs: timeoutMs ?? DEADLINE_MS[isSilent ? 'silent' : feature] });
    return isSilent ? start(given) : host.calls.sheet(feature, async (signal) => start(signal), given);
  };
  return call as unknown as Action<(typeof CALL_OF)[F]>;
}
