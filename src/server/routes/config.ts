import { catalogueHere } from '../call/call.ts';
import { countryConfig } from '../../../country/index.ts';
import * as config from '../../contract/config.ts';
import { appTold } from '../../domain/seo.ts';
import { localDay, openState } from '../../domain/hours.ts';
import { errors, found, languageAsked, t } from '../call/language.ts';
import type { Environment } from '../environment.ts';
import { blockedIn, withoutProvider } from '../call/features.ts';
import { on, onLasting, onSpoken } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { hostSide } from '../rules/hosts/hosts.ts';
import type { HostSide } from '../call/hosts.ts';
import { otherLogins } from '../rules/people/loginMethods.ts';
import { alertsAt } from '../rules/catalogue/home.ts';
import { DELIVERY_TYPES } from '../../domain/delivery.ts';
import { takesOf } from '../rules/catalogue/taking.ts';
import { hoursText } from '../rules/places/hours.ts';
import { readSwitches } from '../store/switches.ts';
import { offlineStores, toldAt } from '../store/stores.ts';

const NO_FEATURES = JSON.stringify({ features: [] });

export interface SiteConfig {
  /** Hosts read their client ids from it. */
  readonly environment: Environment;
  readonly disableCookies: boolean;
  readonly analytics: boolean;
  readonly otpVariant: number;
  /** The credit of the map's maker, '' if they ask for none; null for our own map. */
  readonly mapCredit: string | null;
}

function partnerBlock({ name, partnerName, payment, clientId }: HostSide, site: SiteConfig) {
  return { partnerName, primaryPaymentId: payment.mode, clientId: clientId(site.environment), source: name };
}

/** The routes of the app's config. `site` is set once when the server starts, from the environment. */
export function configRoutes(site: SiteConfig): Route[] {
  return [
    on(config.app, async (_input, call) => {
      const { db, caller, now, services } = call;
      const { host } = caller;
      const logins = otherLogins(call);
      const switches = await readSwitches(db);
      // Passed on as it is; the client has to cope with one that cannot be read.
      const features = switches.unreadable ?? switches.features ?? NO_FEATURES;
      const off = [...new Set([...blockedIn(host), ...withoutProvider(services)])];
      return {
        config: {
          features,
          disableCookies: site.disableCookies,
          otpVariant: site.otpVariant,
          analytics: site.analytics && !site.disableCookies,
          timestamp: now,
          ...(services.development ? { development: true } : {}),
          ...(logins.password || logins.social.length > 0 ? { logins } : {}),
          ...(site.mapCredit === null ? {} : { mapCredit: site.mapCredit }),
          vendorConfig:
            host === 'web'
              ? { blockedFeatures: off }
              : { blockedFeatures: off, partner: partnerBlock(hostSide(host), site) },
        },
      };
    }),
    onLasting(config.pwa, async (_input, { caller }) => {
      const country = countryConfig(caller.country);
      const own = await country.pwa();
      return {
        pwa: {
          name: appTold({ ...country, locale: languageAsked() }, found).name,
          shortName: own.short_name,
          themeColor: own.theme_color,
          backgroundColor: own.background_color,
        },
      };
    }),
    onSpoken(config.alerts, async ({ query: { storeId = '' } }, call) => {
      const { db, caller, now, seen } = call;
      const catalogue = await catalogueHere(call);
      const { country, stores } = catalogue;
      const store = stores.get(storeId);
      const told = await toldAt(db, storeId, seen);
      const away = await offlineStores(db, caller.country);
      const isForLater = DELIVERY_TYPES.some((type) => store && takesOf(catalogue, store, away, type, now) !== 'none');
      const state = store && openState(store.hours, now, country.timeZone);
      // Dismissing an alert dismisses this closing, or this day's news of orders, and nothing that comes after.
      const offline = away.has(storeId)
        ? [
            {
              id: `offline-${storeId}-${isForLater ? 'later' : 'none'}-${localDay(now, country.timeZone)}`,
              message: isForLater ? errors.advanceOrderOnly : errors.noOrdersNow,
            },
          ]
        : [];
      const closed =
        store && state?.isOpen === false
          ? [
              {
                id: `closed-${storeId}-${state.opensAt ?? 'on'}`,
                message: t.storeShut({ name: store.name, hours: hoursText(store.hours, now, country.timeZone) }),
              },
            ]
          : [];
      return { alerts: [...offline, ...closed, ...alertsAt(catalogue, storeId, told, now)] };
    }),
  ];
}
