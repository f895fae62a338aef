import { countries } from '../../country/index.ts';
import { NotVouched } from '../../src/server/call/hostLogin.ts';
import type { HostContext, HostFamily, HostSide } from '../../src/server/call/hosts.ts';
import { t } from '../../src/server/call/language.ts';
import type { RawRoute } from '../../src/server/call/route.ts';
import { partnerGateway, partnerWebhook } from './server/gateway.ts';
import { loginWith } from './server/login.ts';
import { type Partner, partnerSettings, partnersOf } from './server/partners.ts';
import { sampleRoutes } from './server/sample.ts';
import { isTrusted, newKey, publicHalf } from './server/tokens.ts';
import { secret } from '../../src/server/store/system.ts';

/** Our half of the key with which partners judge what we sign. */
const shopKeys: RawRoute = {
  method: 'GET',
  path: '/partners/keys',
  embedded: false,
  handler: async (_context, { db }) =>
    Response.json(
      { keys: [publicHalf(await secret(db, 'frame-shop-key', newKey))] },
      { headers: { 'cache-control': 'public, max-age=300' } },
    ),
};

function paymentOf(host: string, partner: Partner): HostSide['payment'] {
  const { payments } = partner;
  if (!isTrusted(partner) || payments === undefined)
    // The mode's own words are the country's.
    return { mode: 'COD', about: '' };
  return {
    mode: 'HOST',
    label: partner.label,
    get about() {
      return t.payInsideAbout({ app: partner.label });
    },
    gateway: partnerGateway(host, { ...partner, payments }),
  };
}

/** A row becomes a host of its own: sessions, nonces, accounts and payments of two partners never meet. */
function sideOf(partner: Partner & { readonly isImitated?: true }): HostSide {
  const name = `frame-${partner.name}`;
  return {
    name,
    partnerName: partner.label,
    app: {
      name: partner.label,
      colour: '#7a2e0e',
      ink: '#ffffff',
      switches: [],
    },
    countries: partner.countries,
    clientId: () => partner.audience ?? '',
    blockedFeatures: partner.blockedFeatures ?? [],
    page: {
      folder: 'frame',
      path: `frame/${partner.name}`,
      ancestors: partner.origins,
      settings: {
        partner: JSON.stringify({
          name: partner.name,
          origins: partner.isImitated ? ['self'] : partner.origins,
          blocked: partner.blockedFeatures ?? [],
          ...(partner.payments === undefined ? {} : { pays: true }),
        }),
      },
    },
    payment: paymentOf(name, partner),
    ...(isTrusted(partner) && partner.payments !== undefined ? { webhook: partnerWebhook(partner) } : {}),
    login: (around: HostContext) =>
      isTrusted(partner)
        ? loginWith(partner, around)
        : () => Promise.reject(new NotVouched(`${partner.name} has no keys`)),
  };
}

export const host: HostFamily = {
  name: 'frame',
  settings: [partnerSettings],
  countries: countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE),
  routes: [shopKeys, ...sampleRoutes],
  members: (environment) => partnersOf(environment).map(sideOf),
};
