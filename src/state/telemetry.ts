import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/activity.ts';
import { deviceType } from '../domain/device.ts';
import { ANALYTICS_ASK } from '../domain/messages.ts';
import { analyticsEvent, campaignOf, type Properties } from '../domain/telemetry.ts';
import { analyticsIdAtom } from './analyticsid.ts';
import { cartAtom } from './cart.ts';
import { appConfigAtom } from './config.ts';
import { kept } from './lib/kept.ts';
import { newId } from './lib/ids.ts';
import { deliveryTypeAtom, storeIdAtom } from './location.ts';
import { gpsAtom } from './places.ts';
import { networkAtom } from './network.ts';
import { navigationUrlAtom, queryParamsAtom } from './place.ts';
import { popupAtom } from './popup.ts';
import { apiAtom, countryAtom, placeAtom } from './seams.ts';
import { isLoggedInAtom, userAtom } from './session.ts';

// Analytics without anybody's script: events go into the page's `dataLayer`, where a tag manager finds them, and to the collector
// of our own server. Off unless the server switches them on, and silent until the customer says yes.

interface TagWindow { dataLayer?: unknown[]; navigator?: { globalPrivacyControl?: boolean } }
const page = globalThis as unknown as TagWindow;

const agreedAtom = kept<boolean | null>({ key: 'analytics-agreed', schema: z.nullable(z.boolean()), initial: null, forget: 'never' });
/** Where this visit began. */
const landingAtom = atom<{ readonly path: string; readonly query: Readonly<Record<string, string>> } | null>(null);

/** Switched on by the server, not forbidden with cookies, agreed to, and not refused by the browser's own signal. */
export const isAnalyticsOnAtom = atom((get) => {
  const config = get(appConfigAtom);
  return config?.analytics === true && !config.disableCookies && get(agreedAtom) === true && page.navigator?.globalPrivacyControl !== true;
});
export const isAnalyticsAskedAtom = atom((get) => {
  const config = get(appConfigAtom);
  return config?.analytics === true && !config.disableCookies && get(agreedAtom) === null && page.navigator?.globalPrivacyControl !== true;
});
export const askAnalyticsAtom = atom(null, (get, set) => {
  if (get(popupAtom) !== null) return;
  set(popupAtom, { message: ANALYTICS_ASK, left: { label: 'No', act: () => set(agreedAtom, false) }, right: { label: 'Yes', act: () => set(agreedAtom, true) } });
});

/** Analytics user attributes of the specification, section 3. */
const attributesAtom = atom((get): Properties => {
  const landing = get(landingAtom);
  const campaign = campaignOf(landing?.query ?? {});
  return {
    userType: get(isLoggedInAtom) ? 'loggedIn' : 'guest', storeCode: get(storeIdAtom), orderType: get(deliveryTypeAtom), gps: get(gpsAtom) ?? 'off',
    loginRoute: get(userAtom)?.loginType ?? '', deviceType: deviceType(navigator.userAgent), screenSize: `${innerWidth}x${innerHeight}`,
    screenResolution: `${screen.width}x${screen.height}`, networkType: get(networkAtom).networkType, landingPage: landing?.path ?? '',
    campaignSource: campaign.source, campaignMedium: campaign.medium, campaignName: campaign.name,
  };
});

/** A tag manager that fails is logged, and the event is in its queue all the same (specification section 8). */
function pushTag(event: object): void {
  page.dataLayer ??= [];
  try {
    page.dataLayer.push(event);
  } catch (thrown) {
    console.error(thrown);
    Array.prototype.push.call(page.dataLayer, event);
  }
}

/** Never rejects, shows nothing. */
export const trackAtom = atom(null, async (get, set, name: string, properties: Properties = {}): Promise<void> => {
  if (!get(isAnalyticsOnAtom)) return;
  const event = analyticsEvent(name, Date.now(), get(countryAtom).CURRENCY_CODE, properties);
  pushTag({ event: name, ...event.properties });
  let user: Properties = {};
  try {
    user = get(attributesAtom);
  } catch (thrown) {
    // Specification section 8: an attribute that fails goes to the console, the event goes on.
    console.error(thrown);
  }
  try {
    if (!get(analyticsIdAtom)) set(analyticsIdAtom, newId());
    await get(apiAtom).ensureSession();
    await get(apiAtom).call(contract.collect, { body: { clientId: get(analyticsIdAtom), user, events: [event] } });
  } catch (thrown) {
    console.error(thrown);
  }
});

export const openAnalyticsAtom = atom(null, (get, set) => {
  if (get(landingAtom) === null) set(landingAtom, { path: get(placeAtom).split('?')[0] ?? '/', query: get(queryParamsAtom) });
});
export const trackPlaceAtom = atom(null, (get, set) => set(trackAtom, 'page_view', { url: get(navigationUrlAtom) }));
export const trackCartAtom = atom(null, (get, set, name: string) => {
  const cart = get(cartAtom);
  return set(trackAtom, name, cart ? { value: cart.displayNetPrice, items: cart.validItems.length } : {});
});
