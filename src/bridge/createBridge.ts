import { settle } from './call.ts';
import { DEADLINE_MS } from './deadlines.ts';
import { lifecycleOf, networkOf, onBack, paymentsOf, storageOf, vibrate } from './defaults.ts';
import { type ActionsOf, CALL_OF, demand, type HostCalls, type HostDefinition, openHost } from './defineHost.ts';
import type { CallFeature, OpenHost } from './defineHost.ts';
import type { HostActions, HostBridge, HostEvents, Page, Transport, Unsubscribe } from './hostBridge.ts';
import { locate } from './locate.ts';
import type { HostProfile } from './profile.ts';

type Run = (host: OpenHost, ...args: unknown[]) => unknown;

const EVENTS: {
  readonly [E in keyof HostEvents]: (host: OpenHost, listener: HostEvents[E]) => Unsubscribe;
} = {
  support: (host, listener) => host.onSupport(listener),
  network: (host, listener) => networkOf(host).onNetworkStatusChange(listener),
  back: onBack,
  lifecycle: (host, listener) => lifecycleOf(host).onLifecycle(listener),
  payment: (host, listener) => paymentsOf(host).news.add(listener),
  diagnostic: (host, listener) => host.calls.diagnostics.add(listener),
};

/** The calls that a tap starts: refused at once where they are unavailable; their code is fetched on the first use. */
function lazyActions(host: OpenHost, load: () => Promise<object>): HostActions & Pick<HostBridge, 'prepare'> {
  let loaded: Promise<Partial<Record<string, Run>>> | undefined;
  const start = async (feature: CallFeature, args: unknown[]) => {
    demand(host, feature);
    if (!(feature in host.definition.calls)) return locate(host, ...(args as Parameters<HostActions['getLocation']>));
    loaded ??= settle<Partial<Record<string, Run>>>({
      host: host.profile.id,
      feature,
      timeoutMs: DEADLINE_MS.load,
      start: (reply, fail) => void load().then((actions) => reply({ ...actions }), fail),
    }).catch((cause: unknown) => {
      loaded = undefined;
      throw host.error('UNAVAILABLE', feature, { retryable: true, cause });
    });
    return (await loaded)[CALL_OF[feature]]?.(host, ...args);
  };
  const actions = Object.fromEntries(
    Object.entries(CALL_OF).map(([feature, name]) => [
      name,
      (...args: unknown[]) => start(feature as CallFeature, args),
    ]),
  ) as unknown as HostActions;
  return { ...actions, prepare: () => void load().catch(() => undefined) };
}

/**
 * The whole bridge of a host, from its definition and the functions behind the calls it declares; `load` brings these when the
 * first of them is used. A declared call without its function does not compile.
 */
export function createBridge<C extends HostCalls>(definition: HostDefinition<C>, load: () => Promise<ActionsOf<C>>) {
  return (options: {
    readonly window: Page | undefined;
    readonly profile?: HostProfile;
    readonly transport?: Transport;
  }): HostBridge => {
    const host = openHost(definition, options);
    const { getSnapshot, getNetworkType } = networkOf(host);
    const payments = paymentsOf(host);
    return {
      ...host.profile,
      hosted: host.transport.hosted,
      ready: host.calls.ready,
      supports: host.supports,
      on: (event, listener) => EVENTS[event](host, listener),
      ...lazyActions(host, load),
      network: { getSnapshot, getNetworkType },
      storage: storageOf(host),
      unfinishedPayment: payments.unfinished,
      paymentSettled: payments.settled,
      link: host.link,
      vibrate: (pattern) => vibrate(host, pattern),
      dispose: host.calls.dispose,
    };
  };
}
