import { countryConfig } from '../../../country/index.ts';
import * as config from '../../contract/config.ts';
import { MINI_APP_BLOCKED } from '../../domain/features.ts';
import { hoursText, openState } from '../../domain/hours.ts';
import { ADVANCE_ORDER_ONLY, storeShut } from '../../domain/messages.ts';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { partnerSide, type PartnerSide } from '../rules/partners.ts';
import { readSwitches } from '../rules/switches.ts';
import { offlineStores } from '../store/stores.ts';

const NO_FEATURES = JSON.stringify({ features: [] });

export interface SiteConfig {
  /** Read by hosts for their client ids. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly disableCookies: boolean;
  readonly analytics: boolean;
  readonly otpVariant: number;
  /** Whose map it is; '' for our own. */
  readonly mapCredit: string;
}

function partnerBlock({ name, partnerName, paymentMode, clientId }: PartnerSide, site: SiteConfig) {
  return { partnerName, primaryPaymentId: paymentMode, clientId: clientId(site.environment), source: name };
}

/** Set once at the start, from the environment. */
export function configRoutes(site: SiteConfig): Route[] {
  return [
    on(config.app, async (_input, { db, caller: { partner }, now, services }) => {
      // The features string is passed on as it is: a broken one is the client's to survive.
      const features = services.development ? (await readSwitches(db)).features ?? NO_FEATURES : NO_FEATURES;
      return {
        status: 'SUCCESS' as const,
        config: {
          features, disableCookies: site.disableCookies, otpVariant: site.otpVariant, analytics: site.analytics && !site.disableCookies, timestamp: now,
          ...(site.mapCredit === '' ? {} : { mapCredit: site.mapCredit }),
          vendorConfig: partner === 'web' ? { blockedFeatures: [] } : {
            blockedFeatures: [...MINI_APP_BLOCKED],
            partner: partnerBlock(partnerSide(partner), site),
          },
        },
      };
    }),
    on(config.pwa, async (_input, { caller }) => {
      const own = await countryConfig(caller.country).pwa();
      return { status: 'SUCCESS' as const, pwa: { name: own.name, shortName: own.short_name, themeColor: own.theme_color, backgroundColor: own.background_color } };
    }),
    on(config.alerts, async ({ query: { storeId = '' } }, { db, caller, now, seen, services }) => {
      const alert = (await offlineStores(db, caller.country)).has(storeId) ? [{ id: `offline-${storeId}`, message: ADVANCE_ORDER_ONLY }] : [];
      const { country, stores } = await services.catalogue.of(db, caller.country, seen);
      const store = stores.get(storeId);
      if (store === undefined || openState(store.hours, now, country.timeZone).isOpen) return { status: 'SUCCESS' as const, alerts: alert };
      return { status: 'SUCCESS' as const, alerts: [...alert, { id: `closed-${storeId}`, message: storeShut(store.name, hoursText(store.hours, now, country.timeZone)) }] };
    }),
  ];
}
