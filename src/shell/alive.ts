import type { CountryData } from '../../country/shape.ts';
import type { Api } from '../api/api.ts';
import { createApi } from '../api/client.ts';
import { codeOf } from '../api/failure.ts';
import type { HostBridge } from '../bridge/hostBridge.ts';
import { sourceHeader } from '../domain/device.ts';
import * as t from '#text/alive.ts';
import { abVariantAtom } from '../state/telemetry/abVariant.ts';
import { analyticsIdAtom } from '../state/consent/analyticsId.ts';
import { takeSessionAtom } from '../state/cart/cart.ts';
import { serverClockAtom } from '../state/base/clock.ts';
import { refreshConfigAtom } from '../state/base/config.ts';
import { wakeAtom } from '../state/first/lib/kept.ts';
import { deliveryTypeAtom, storeIdAtom } from '../state/first/location.ts';
import { countryAtom } from '../state/base/country.ts';
import { apiAtom, hostAtom, originAtom } from '../state/first/seams.ts';
import { toastMessageAtom } from '../state/first/toast.ts';
import { openSecretStorage } from '../state/lib/secretStorage.ts';
import { callEndedAtom, callStartedAtom } from '../state/base/loader.ts';
import { isOfflineAtom } from '../state/base/network.ts';
import { showFailureAtom } from '../state/base/popup.ts';
import { schemas } from '../state/schemas.ts';
import { endSessionAtom, identityFrom, sessionAtom } from '../state/base/session.ts';
import { slotsAtom } from './first/slots.tsx';
import { watchersAtom, type Store } from './first/watchers.tsx';
import { slots } from './slots.ts';
import { watchers } from './watchers/watchers.ts';

/** Logs a fault of the page and dispatches it as an event for whoever counts faults (specification section 8). */
function frontEndError(thrown: unknown): void {
  console.error(thrown);
  dispatchEvent(new CustomEvent('Error FrontEnd', { detail: thrown }));
}

/**
 * Connects the page with the server and with what the device remembers. `origin` of the server is '' for the country's
 * own API_HOST.
 */
export async function enliven(store: Store, country: CountryData, host: HostBridge, origin: string): Promise<void> {
  store.set(countryAtom, country);
  store.set(hostAtom, host);
  const server = origin || country.ENVIRONMENTS[ENVIRONMENT].API_HOST;
  store.set(originAtom, server);
  const api = createApi({
    origin: server,
    apiKey: country.api.keys[host.apiKeyName] ?? `${country.COUNTRY_CODE.toLowerCase()}-${host.apiKeyName}`,
    clientType: host.clientType,
    source: sourceHeader(navigator.userAgent),
    language: country.locale,
    identity: () => ({
      ...identityFrom(store.get(sessionAtom), store.get(storeIdAtom), store.get(deliveryTypeAtom)),
      abVariant: store.get(abVariantAtom),
      gaClientId: store.get(analyticsIdAtom),
    }),
    renewed: (reply) => store.set(takeSessionAtom, reply),
    ended: (said) => store.set(endSessionAtom, said),
    unrenewed: (failure) => store.set(showFailureAtom, failure),
    told: (serverMs) => store.set(serverClockAtom, serverMs),
    retrying: () => {
      if (!store.get(isOfflineAtom)) store.set(toastMessageAtom, t.networkRetrying);
    },
  });
  store.set(apiAtom, { ...api, call: watched(store, api.call) });
  // Secrets have to be readable before the remembered values are.
  await openSecretStorage(frontEndError);
  store.set(wakeAtom, schemas);
  store.set(slotsAtom, slots);
  store.set(watchersAtom, watchers);
}

/**
 * Every call sets the loader flag. If the server has switched a feature off, the app config is loaded again, which
 * closes it here.
 */
function watched(store: Store, call: Api['call']): Api['call'] {
  return async (endpoint, input, options) => {
    store.set(callStartedAtom);
    try {
      return await call(endpoint, input, options);
    } catch (thrown) {
      if (codeOf(thrown) === 'FEATURE_BLOCKED') void store.set(refreshConfigAtom);
      throw thrown;
    } finally {
      store.set(callEndedAtom);
    }
  };
}
