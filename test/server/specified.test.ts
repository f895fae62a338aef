import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sources } from '../architecture/sources.ts';
import { countries } from '../../country/index.ts';
import { allEndpoints } from '../kit/contract.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile, logIn } from './people.ts';

// Every call of the specification, section 7. Where it names no method, the one of product.md, section 4.2; where it names
// no path, ours.
const SPECIFIED = {
  Auth: `
    POST /loginhandler/login, searchuser, validatecode, sociallogin, socialvalidatecode, updateuser, forgotpassword,
      refreshtoken, refreshtokenanonymous, anonymoususer
    POST /refreshtoken, /refreshtokenanonymous, /anonymoususer
    POST /sso-aggregation/ve2/forgotpassword, /sso-aggregation/ve3/forgotpassword, /sso-aggregation/ve4/forgotpassword
    POST /sso-aggregation/ve2/finger-print, /sso-aggregation/ve1/logout
    POST /auth-service/micro-app/ve1/{}/auth`,
  Cart: `
    GET /agg/cart-service/ve1/cart/{}
    PUT /agg/cart-service/ve1/cart/{}/items
    POST /agg/cart-service/ve1/cart/{}/items, /agg/cart-service/ve1/cart/{}/promo/{}
    DELETE /agg/cart-service/ve1/cart/{}/promo/{}
    GET /cart-service/ve2/cart/{}/upsell_items, /cart-service/ve2/cart/{}/bin/{}
    POST /agg/cart-service/ve1/cart/offers/gamify`,
  Offers: `
    GET /agg/ve1/leftnav/store/{}/offers, /agg/cart-service/ve1/cart/{}/offers, /agg/ve1/leftnav/store/{}/cart/offers
    GET /agg/cart-service/promo/{}/combinedOffers, /promo-service/ve1/promo/{}/tnc
    GET /promo-service/ve1/promo/milestone/{}/status
    GET /promo-service/ve1/promo, /promo-service/ve1/promo/{}/validate, /content/ve1/promo/{}/text`,
  Orders: `
    POST /order-service/ve3/orders/validations, checkDuplicateOrder, submit, confirm, transaction/
    GET /order-service/ve3/orders/transaction/{}, /order-service/ve4/orders/transaction/{}
    POST /order-service/ve3/orders/transaction/{}/promo/{}, /order-service/ve4/orders/submit, /order-service/ve4/orders
    GET /order-service/ve1/orders, recent
    GET /order-service/ve3/orders/{}, /order-service/ve3/orders/{}/download
    GET /order-service/ve1/orders/favourites/easy, summary, recommendations
    POST /order-service/ve1/orders/favourites/{}
    POST /order-service/ve1/orders/onePassReOrder/order/{}
    POST /order-service/ve1/orders/{}/feedback
    GET /tracker-service/ve2/orders, /tracker-service/ve2/orders/{}, /order-service/ve1/orders/{}/tracker/trackOnMap`,
  'Payment and wallet': `
    GET /payment-service/ve1/payment/options/lastSuccessful, /payment-service/ve2/payment/options/lastSuccessful
    GET /payment-service/ve5/payment/options/lastSuccessful
    GET /payment-service/ve1/options/default, /payment-service/ve2/options/default
    POST /payment-service/ve1/orders/{}/otp, /payment-service/ve1/egv/pin/reset, /payment-service/ve1/card/submit
    GET /payment-service/ve1/card/{}/status, /jfl-payment-aggregator/ve1/payment/transaction-status
    GET /payment-service/ve3/wallets/{}/balance, /payment-service/ve4/wallets/{}/balance
    POST /payment-service/ve3/wallets/{}/link, /payment-service/ve3/wallets/{}/verify
    POST /payment-service/ve3/wallets/{}/redeem, /payment-service/ve4/wallets/{}/redeem
    GET /wallet-service/ve2/wallet/balance, /wallet-service/ve3/wallet/balance
    GET /wallet-service/ve2/wallet/available_balance/{}/{}, /wallet-service/ve3/wallet/available_balance/{}/{}
    GET /wallet-service/ve2/wallet/passbook/{}, /wallet-service/ve3/wallet/passbook/{}
    GET /wallet-service/ve3/wallet/summary, /wallet-service/ve3/wallet/transactions
    GET /wallet-service/ve3/loyalty/transactions`,
  'Stores and addresses': `
    POST /locator-service/ve2/stores, /locator-service/ve2/geocode
    GET /locator-service/ve3/stores, /locator-service/ve2/stores/{}, /locator-service/ve2/stores/{}/advanceorder-time
    GET /locator-service/ve2/cities, /locator-service/ve2/cities/{}/stores, /locator-service/ve2/cities/{}/localities
    GET /locator-service/ve2/stores/{}/localities
    GET /locator-service/ve3/stores/city/{}, /locator-service/ve3/stores/{}/stations/{}
    GET /locator-service/ve2/autocomplete, /locator-service/ve2/place/details
    GET /customer-service/ve2/user/{}/addresses
    POST /user/{}/addresses
    PUT /user/addresses/{}
    DELETE /user/addresses/{}`,
  'Catalogue and loyalty': `
    GET /content/ve1/stores/{}/menu, /content/ve1/stores/{}/toppings, /content/ve1/stores/{}/potp, /content/ve1/stores/{}/home
    GET /catalog-service/ve1/stores/{}/deals, /catalog-service/ve1/stores/{}/deals/{}, /catalog-service/ve1/stores/{}/deals/all
    GET /catalog-service/ve1/stores/{}/leftMenu, /catalog-service/ve1/stores/{}/widget, /content/ve1/stores/{}/widgets/{}
    GET /customer-service/ve1/user/favourites/products
    POST /customer-service/ve1/loyalty/register, /customer-service/ve1/loyalty/user/opt-out
    GET /customer-service/ve1/loyalty/user, /content/ve1/loyalty/programme`,
  Train: `
    GET /api/ve1/locator-service/pnr/{}, /order-service/ve1/orders/irctc
    POST /order-service/ve1/orders/irctc, validateOtp
    DELETE /order-service/ve1/orders/irctc/{}`,
  Other: `
    GET /api/ve1/pwa-config, /api/ve1/app-config, /alert-service/ve1/alerts
    GET /ucr-api/api/v1/categories, /ucr-api/api/v2/categories, /ucr-api/api/v3/categories, /ucr-api/api/tsgStatus/{}
    POST /ucr-api/api/feedbacks
    GET /feedback-service/ve1/feedback/template, /feedback-service/ve2/feedback/template
    POST /feedback-service/ve1/feedback, /feedback-service/ve2/feedback
    PUT /feedback-service/ve1/feedback/{}, /feedback-service/ve2/feedback/{}
    POST /feedback-service/ve2/feedback/additional, /user-activity-tracking/ve/v1/savePageViewData
    GET /order-service/ve1/delivery-instructions, /content/ve1/worldPizzaLeague/leaderboard
    GET /server-side/settings, /server-side/track-user, /server-side/track-goal, /server-side/push
    POST /events/t`,
};

/** Calls that no page makes, by file and name in the contract, and why. A client of the interface may need them. */
const OF_NO_PAGE: Readonly<Record<string, string>> = {
  'coupons.forCart': 'combinedOffers answers the same with what is best, in one call',
  'coupons.ofStoreForCart':
    'the offers page has its groups and the best of them by combinedOffers, for the cart and its store',
  'coupons.list': 'the offers of the store hold its coupons',
  'experiments.trackUser': 'the page tells all at once, by batch-events',
  'experiments.trackGoal': 'the page tells all at once, by batch-events',
  'experiments.push': 'the page tells all at once, by batch-events',
  'experiments.events': 'the page tells all at once, by batch-events',
  'feedback.ofOrder': 'the form is that of the feedback service, which a link opens as well',
  'help.categories': 'the help begins at an order, whose guide holds them',
  'help.orderCategories': 'the guide holds them with the dishes',
  'home.home':
    'home is drawn from the menu, which the phone has already, and asks for widgets and alerts by themselves',
  'login.searchUser': 'one form logs in who is known and who is new, so that it tells nobody who has an account',
  'menu.deals': 'the menu holds the deals',
  'menu.leftMenu': 'the menu holds its categories',
  'payments.chargeStatus': 'the transaction says how its card payment stands',
  'payments.status': 'the transaction says how its payment stands',
  'stores.advanceOrderTime': 'the store holds its slots, with timeSlots=true',
  'stores.localitiesOfStore': 'the localities of a city come with the store of each',
  'tracking.active': 'recent orders hold those that are under way',
  'wallet.available': 'the ways to pay of a transaction hold what the wallet can pay',
  'wallet.balance': 'the summary holds the balance',
};

/** "POST /a/b, c" are POST /a/b and POST /a/c: a name without a slash stands beside, or below, the path before it. */
function callsOf(text: string, known: ReadonlySet<string>): string[] {
  let method = '';
  let base = '';
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      if (/^[A-Z]+$/.test(word)) {
        method = word;
        return [];
      }
      if (word.startsWith('/')) base = word;
      if (word.startsWith('/')) return [`${method} ${word}`];
      const beside = `${method} ${base.slice(0, base.lastIndexOf('/'))}/${word}`;
      return [known.has(beside) ? beside : `${method} ${base}/${word}`];
    });
}

const PAGES = /^(?:src\/(?:api|bridge|state|shell|screens|full)|hosts)\//;

/** Calls by file and name in the contract that a page's code names. */
function namedByPages(): Set<string> {
  const named = new Set<string>();
  for (const { code } of sources.filter((one) => PAGES.test(one.file) && !/\/(?:server|fake)\.ts$/.test(one.file)))
    for (const [, whole, some, from] of code.matchAll(
      /import (?:\* as (\w+)|\{([^}]*)\}) from '[^']*contract\/(\w+)\.ts'/g,
    )) {
      const rest = code.replace(/import[^;]*;/g, '');
      if (whole !== undefined) {
        for (const [, name] of rest.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'))) named.add(`${from}.${name}`);
        for (const [, names] of rest.matchAll(new RegExp(`\\{([^{}]*)\\} = ${whole}\\b`, 'g')))
          for (const name of names!.split(',')) named.add(`${from}.${name.trim()}`);
      }
      for (const name of some?.split(',') ?? []) named.add(`${from}.${name.trim().split(' as ')[0]}`);
    }
  return named;
}

describe('the calls of the specification', () => {
  let server: TestServer;
  let known: ReadonlySet<string>;
  beforeAll(async () => {
    server = await startServer({ settings: { quiet: true, distDir: null } });
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    known = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
      ),
    );
  });
  afterAll(() => server.stop());

  test.each(Object.entries(SPECIFIED))('%s: each is in the document', (_section, text) => {
    const calls = callsOf(text, known);
    expect(calls.length).toBeGreaterThan(4);
    expect(calls.filter((call) => !known.has(call))).toEqual([]);
  });

  test('the registry of a country names calls that are there, and what it leaves out is off for whoever calls with its key [CFG-29]', async () => {
    const template = (path: string) => path.replace(/\{\w+\}/g, '{}');
    const registry = (code: string) =>
      Object.values(countries.find((one) => one.COUNTRY_CODE === code)!.api.paths).flatMap((noun) =>
        Object.values(noun),
      );
    const everywhere = registry('IN');
    const calls = [...known].map((call) => call.split(' ') as [string, string]);
    expect(everywhere.filter((path) => !calls.some(([, known]) => known === template(path)))).toEqual([]);
    for (const [code, apiKey] of [
      ['IN', 'in-web'],
      ['LK', 'lk-web'],
      ['BG', 'bg-web'],
    ] as const) {
      const own = registry(code);
      const { as } = await logIn(server, freshMobile(apiKey), apiKey);
      const off: string[] = [];
      const closed: string[] = [];
      for (const path of everywhere.filter((one) => !registry('LK').includes(one)))
        for (const [method] of calls.filter(([how, known]) => how === 'GET' && known === template(path))) {
          const { status } = await fetch(
            `${server.url}${path.replace('{provider}', 'PAYTM').replace(/\{\w+\}/g, 'x')}`,
            {
              method,
              headers: { api_key: apiKey, authToken: as.authToken!, userId: as.userId! },
            },
          );
          if (!own.includes(path)) off.push(`${method} ${path}`);
          // Of a wallet elsewhere that nobody can link there, there is none.
          if (status === 403 || (status === 404 && path.includes('{provider}'))) closed.push(`${method} ${path}`);
        }
      expect([code, closed]).toEqual([code, off]);
      expect(off.length > 5).toBe(code !== 'IN');
    }
  });

  test('each is made by a page, or it is said why not', async () => {
    const specified = new Set(Object.values(SPECIFIED).flatMap((text) => callsOf(text, known)));
    const named = namedByPages();
    // Trains may be taken out of the pages as a whole.
    const hasTrains = sources.some(({ file }) => file.startsWith('src/screens/trains/'));
    const unused: string[] = [];
    for (const [name, { method, path, aliases = [] }] of await allEndpoints()) {
      const own = [path, ...aliases].map((one) => `${method} ${one.replace(/\{\w+\}/g, '{}')}`);
      if (own.some((call) => specified.has(call)) && !named.has(name) && (hasTrains || !name.startsWith('trains.')))
        unused.push(name);
    }
    expect(unused.sort()).toEqual(Object.keys(OF_NO_PAGE).sort());
  });
});
