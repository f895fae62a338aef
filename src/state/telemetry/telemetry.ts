import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { atom } from 'jotai';
import { deviceType } from '../../domain/device.ts';
import { pageName } from '../../domain/pagenames.ts';
import { analyticsEvent, campaignOf, type Properties } from '../../domain/telemetry.ts';
import { cartAtom } from '../first/cart.ts';
import { campaignAtom, validCampaign } from '../consent/campaign.ts';
import { isCountedAtom } from '../base/config.ts';
import { consentToAtom, isRefusedByBrowserAtom, isUsageAgreedAtom, sayAtom } from '../consent/consents.ts';
import { enqueueEventAtom } from './telemetryOutbox.ts';
import { deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { gpsAtom } from '../places/places.ts';
import { networkAtom } from '../base/network.ts';
import { navigationUrlAtom } from '../base/path.ts';
import { popupAtom } from '../base/popup.ts';
import { countryAtom } from '../base/country.ts';
import { pathAtom } from '../first/seams.ts';
import { isLoggedInAtom, userAtom } from '../base/session.ts';

// Analytics without a third party's script: events go into the page's `dataLayer`, where a tag manager finds them, and
// to our own server. Off unless the server switches them on, and silent until the customer agrees.

interface TagWindow {
  dataLayer?: unknown[];
}
const page = globalThis as unknown as TagWindow;

/** The path that this visit began with, with its query. */
const landingAtom = atom<string | null>(null);

/** On if the server allows it, cookies are not disabled, and the customer and the browser have agreed. */
export const isAnalyticsOnAtom = atom((get) => get(isCountedAtom) && get(isUsageAgreedAtom));
export const isAnalyticsAskedAtom = atom(
  (get) => get(isCountedAtom) && get(consentToAtom)('usage') === undefined && !get(isRefusedByBrowserAtom),
);
/** Once a visit: a question that was closed is not put again at the next page. */
export const isAskedOnceAtom = atom(false);
export const askAnalyticsAtom = atom(null, (get, set) => {
  if (get(popupAtom) !== null) return;
  set(isAskedOnceAtom, true);
  set(popupAtom, {
    message: errors.analyticsAsk,
    areEqual: true,
    left: { label: t.analyticsNo, act: () => void set(sayAtom, 'usage', false) },
    right: { label: t.analyticsYes, act: () => void set(sayAtom, 'usage', true) },
  });
});

/** As the host says it, or else the browser. */
const networkTypeOf = ({ networkType }: { networkType: string }): string =>
  networkType === 'unknown'
    ? ((navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType ?? networkType)
    : networkType;

/** Analytics user attributes of the specification, section 3. */
const attributesAtom = atom((get): Properties => {
  const campaign = validCampaign(get(campaignAtom), Date.now());
  return {
    userType: get(isLoggedInAtom) ? 'loggedIn' : 'guest',
    storeCode: get(storeIdAtom),
    orderType: get(deliveryTypeAtom),
    gps: get(gpsAtom) ?? 'off',
    loginRoute: get(userAtom)?.loginType ?? '',
    deviceType: deviceType(navigator.userAgent),
    screenSize: `${innerWidth}x${innerHeight}`,
    screenResolution: `${screen.width}x${screen.height}`,
    networkType: networkTypeOf(get(networkAtom)),
    landingPage: get(landingAtom)?.split('?')[0] ?? '',
    campaignSource: campaign?.source ?? '',
    campaignMedium: campaign?.medium ?? '',
    campaignName: campaign?.name ?? '',
  };
});

/**
 * If a tag manager's own `push` fails, that is logged and the event is queued all the same (specification section 8).
 */
function pushTag(event: object): void {
  page.dataLayer ??= [];
  try {
    page.dataLayer.push(event);
  } catch (thrown) {
    console.error(thrown);
    Array.prototype.push.call(page.dataLayer, event);
  }
}

/** Records an event, which is sent when it can be. Never throws and shows nothing. */
export const trackAtom = atom(null, (get, set, name: string, properties: Properties = {}): void => {
  if (!get(isAnalyticsOnAtom)) return;
  const event = analyticsEvent(name, Date.now(), get(countryAtom).CURRENCY_CODE, properties);
  pushTag({ event: name, ...event.properties });
  let user: Properties = {};
  try {
    user = get(attributesAtom);
  } catch (thrown) {
    // Specification section 8: a failing attribute is logged, and the event is sent without it.
    console.error(thrown);
  }
  set(enqueueEventAtom, event, user);
});

export const openAnalyticsAtom = atom(null, (get, set, landed: string) => {
  if (get(landingAtom) === null) set(landingAtom, landed);
});
/** Keeps the campaign that this visit came by, if it came by one: the last one counts until there is another. */
export const keepCampaignAtom = atom(null, (get, set) => {
  const { source, medium, name } = campaignOf(
    Object.fromEntries(new URLSearchParams(get(landingAtom)?.split('?')[1] ?? '')),
  );
  if (get(isAnalyticsOnAtom) && (source || medium || name)) set(campaignAtom, { source, medium, name, at: Date.now() });
});
export const trackPlaceAtom = atom(null, (get, set) =>
  set(trackAtom, 'page_view', {
    url: get(navigationUrlAtom),
    pageName: pageName(get(pathAtom).split('?')[0] ?? '/') ?? '',
  }),
);
export const trackCartAtom = atom(null, (get, set, name: string) => {
  const cart = get(cartAtom);
  return set(trackAtom, name, cart ? { value: cart.displayNetPrice, items: cart.validItems.length } : {});
});
