import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sources } from '../architecture/sources.ts';
import { countries } from '../../country/index.ts';
import { allEndpoints } from '../kit/contract.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile, logIn } from './people.ts';

// Every call of the specification, section 7, by its row. Where it names no method, the one of product.md, section 4.2;
// where it names no path, ours. A call has one method until the next one is named.
const SPECIFIED = {
  'API-03': 'POST /loginhandler/login',
  'API-04': 'POST /loginhandler/searchuser',
  'API-05': 'POST /loginhandler/validatecode',
  'API-06': 'POST /loginhandler/sociallogin',
  'API-07': 'POST /loginhandler/socialvalidatecode',
  'API-08': 'POST /loginhandler/updateuser',
  'API-09': 'POST /loginhandler/forgotpassword',
  'API-10': 'POST /loginhandler/refreshtoken, /refreshtoken',
  'API-11': 'POST /loginhandler/refreshtokenanonymous, /refreshtokenanonymous',
  'API-12': 'POST /loginhandler/anonymoususer, /anonymoususer',
  'API-13': `
    POST /sso-aggregation/ve2/forgotpassword, /sso-aggregation/ve3/forgotpassword,
      /sso-aggregation/ve4/forgotpassword`,
  'API-14': 'POST /sso-aggregation/ve2/finger-print',
  'API-15': 'POST /sso-aggregation/ve1/logout',
  'API-16': 'POST /auth-service/micro-app/ve1/{}/auth',
  'API-19': 'GET /agg/cart-service/ve1/cart/{}',
  'API-20': 'PUT /agg/cart-service/ve1/cart/{}/items POST /agg/cart-service/ve1/cart/{}/items',
  'API-21': 'GET /cart-service/ve2/cart/{}/upsell_items',
  'API-22': 'POST /agg/cart-service/ve1/cart/{}/promo/{} DELETE /agg/cart-service/ve1/cart/{}/promo/{}',
  'API-23': 'GET /cart-service/ve2/cart/{}/bin/{}',
  'API-24': 'POST /agg/cart-service/ve1/cart/offers/gamify',
  'API-25': 'GET /agg/ve1/leftnav/store/{}/offers',
  'API-26': 'GET /agg/cart-service/ve1/cart/{}/offers',
  'API-27': 'GET /agg/ve1/leftnav/store/{}/cart/offers',
  'API-28': 'GET /agg/cart-service/promo/{}/combinedOffers',
  'API-29': 'GET /promo-service/ve1/promo/{}/tnc',
  'API-30': 'GET /promo-service/ve1/promo/milestone/{}/status',
  'API-31': 'GET /promo-service/ve1/promo, /promo-service/ve1/promo/{}/validate, /content/ve1/promo/{}/text',
  'API-32': 'POST /order-service/ve3/orders/validations',
  'API-33': 'POST /order-service/ve3/orders/checkDuplicateOrder',
  'API-34': 'POST /order-service/ve3/orders/submit, /order-service/ve4/orders/submit',
  'API-35': 'POST /order-service/ve3/orders/confirm',
  'API-36': `
    POST /order-service/ve3/orders/transaction/, /order-service/ve3/orders/transaction/{}/promo/{}
    POST /order-service/ve4/orders/transaction/
    GET /order-service/ve3/orders/transaction/{}, /order-service/ve4/orders/transaction/{}`,
  'API-37': 'POST /order-service/ve4/orders',
  'API-38': 'GET /order-service/ve1/orders, /order-service/ve1/orders/recent',
  'API-39': 'GET /order-service/ve3/orders/{}',
  'API-40': 'GET /order-service/ve3/orders/{}/download',
  'API-41': `
    GET /order-service/ve1/orders/favourites/easy, /order-service/ve1/orders/favourites/summary,
      /order-service/ve1/orders/favourites/recommendations
    POST /order-service/ve1/orders/favourites/{}`,
  'API-42': 'POST /order-service/ve1/orders/onePassReOrder/order/{}',
  'API-43': 'POST /order-service/ve1/orders/{}/feedback GET /order-service/ve1/orders/{}/tracker/trackOnMap',
  'API-44': 'GET /tracker-service/ve2/orders, /tracker-service/ve2/orders/{}',
  'API-45': `
    GET /payment-service/ve1/payment/options/lastSuccessful,
      /payment-service/ve2/payment/options/lastSuccessful, /payment-service/ve5/payment/options/lastSuccessful`,
  'API-46': 'GET /payment-service/ve1/options/default, /payment-service/ve2/options/default',
  'API-47': 'POST /payment-service/ve1/orders/{}/otp',
  'API-48': 'POST /payment-service/ve1/egv/pin/reset',
  'API-49': `
    GET /payment-service/ve3/wallets/{}/balance, /payment-service/ve4/wallets/{}/balance
    POST /payment-service/ve3/wallets/{}/link, /payment-service/ve3/wallets/{}/verify,
      /payment-service/ve3/wallets/{}/redeem, /payment-service/ve4/wallets/{}/redeem`,
  'API-50': 'POST /payment-service/ve1/card/submit GET /payment-service/ve1/card/{}/status',
  'API-51': 'GET /jfl-payment-aggregator/ve1/payment/transaction-status',
  'API-52': `
    GET /wallet-service/ve2/wallet/balance, /wallet-service/ve3/wallet/balance,
      /wallet-service/ve2/wallet/available_balance/{}/{}, /wallet-service/ve3/wallet/available_balance/{}/{},
      /wallet-service/ve2/wallet/passbook/{}, /wallet-service/ve3/wallet/passbook/{},
      /wallet-service/ve3/wallet/summary, /wallet-service/ve3/wallet/transactions,
      /wallet-service/ve3/loyalty/transactions`,
  'API-53': 'POST /locator-service/ve2/stores GET /locator-service/ve3/stores',
  'API-54': 'GET /locator-service/ve2/stores/{}',
  'API-55': 'GET /locator-service/ve2/stores/{}/advanceorder-time',
  'API-56': `
    GET /locator-service/ve2/cities, /locator-service/ve2/cities/{}/stores,
      /locator-service/ve2/cities/{}/localities, /locator-service/ve3/stores/city/{}`,
  'API-57': 'GET /locator-service/ve3/stores/{}/stations/{}',
  'API-58': `
    GET /locator-service/ve2/autocomplete, /locator-service/ve2/place/details
    POST /locator-service/ve2/geocode`,
  'API-59': `
    GET /locator-service/ve2/stores/{}/localities, /locator-service/ve3/stores
    POST /locator-service/ve2/stores`,
  'API-60': 'GET /customer-service/ve2/user/{}/addresses',
  'API-61': 'POST /user/{}/addresses',
  'API-62': 'PUT /user/addresses/{} DELETE /user/addresses/{}',
  'API-63': 'GET /content/ve1/stores/{}/menu, /content/ve1/stores/{}/toppings',
  'API-64': `
    GET /catalog-service/ve1/stores/{}/deals, /catalog-service/ve1/stores/{}/deals/{},
      /catalog-service/ve1/stores/{}/deals/all, /catalog-service/ve1/stores/{}/leftMenu,
      /catalog-service/ve1/stores/{}/widget`,
  'API-65': 'GET /content/ve1/stores/{}/potp, /content/ve1/stores/{}/home',
  'API-66': 'GET /customer-service/ve1/user/favourites/products',
  'API-67': 'GET /catalog-service/ve1/stores/{}/widget, /content/ve1/stores/{}/widgets/{}',
  'API-68': `
    POST /customer-service/ve1/loyalty/register, /customer-service/ve1/loyalty/user/opt-out
    GET /customer-service/ve1/loyalty/user, /content/ve1/loyalty/programme`,
  'API-69': 'GET /api/ve1/locator-service/pnr/{}',
  'API-70': `
    GET /order-service/ve1/orders/irctc
    POST /order-service/ve1/orders/irctc, /order-service/ve1/orders/irctc/validateOtp
    DELETE /order-service/ve1/orders/irctc/{}`,
  'API-71': 'GET /api/ve1/pwa-config, /api/ve1/app-config',
  'API-72': 'GET /alert-service/ve1/alerts',
  'API-73': `
    GET /ucr-api/api/v1/categories, /ucr-api/api/v2/categories, /ucr-api/api/v3/categories,
      /ucr-api/api/tsgStatus/{}
    POST /ucr-api/api/feedbacks`,
  'API-74': `
    GET /feedback-service/ve1/feedback/template, /feedback-service/ve2/feedback/template
    POST /feedback-service/ve1/feedback, /feedback-service/ve2/feedback,
      /feedback-service/ve2/feedback/additional
    PUT /feedback-service/ve1/feedback/{}, /feedback-service/ve2/feedback/{}`,
  'API-75': 'GET /order-service/ve1/delivery-instructions, /content/ve1/worldPizzaLeague/leaderboard',
  'API-76': 'POST /user-activity-tracking/ve/v1/savePageViewData',
  'API-77': `
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
};

/** "POST /a, /b" are POST /a and POST /b. */
function callsOf(text: string): string[] {
  let method = '';
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      if (word.startsWith('/')) return [`${method} ${word}`];
      method = word;
      return [];
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

  test.each(Object.entries(SPECIFIED))(
    '%s: each of its calls is documented and answers [API-03, API-04, API-05, API-06, API-07, API-08, API-09, API-10, API-11, API-12, API-13, API-14, API-15, API-16, API-19, API-20, API-21, API-22, API-23, API-24, API-25, API-26, API-27, API-28, API-29, API-30, API-31, API-32, API-33, API-34, API-35, API-36, API-37, API-38, API-39, API-40, API-41, API-42, API-43, API-44, API-45, API-46, API-47, API-48, API-49, API-50, API-51, API-52, API-53, API-54, API-55, API-56, API-57, API-58, API-59, API-60, API-61, API-62, API-63, API-64, API-65, API-66, API-67, API-68, API-69, API-70, API-71, API-72, API-73, API-74, API-75, API-76, API-77]',
    async (_row, text) => {
      for (const call of callsOf(text)) {
        expect(known).toContain(call);
        const [method, path] = call.split(' ') as [string, string];
        // Of a call that is there a caller without a key is told that; of one that is not, that it is not.
        const { status } = await fetch(server.url + path.replaceAll('{}', 'x'), { method });
        expect([call, status]).toEqual([call, 401]);
      }
    },
  );

  test('a country’s registry names only existing calls, and what it leaves out is off for clients with its key [CFG-29]', async () => {
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
    const specified = new Set(Object.values(SPECIFIED).flatMap(callsOf));
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
