// How long the best combination of offers takes: 40 coupons that all may be used, 30 lines, 8 payment modes.
import { countryConfig } from '../../country/index.ts';
import { priceCart, type CartState, type PricedCart, type PricingContext } from '../../src/server/rules/cart/cart.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { advisedOffers } from '../../src/server/rules/cart/advice.ts';
import { advise, bestCombination } from '../../src/server/rules/offers/optimise.ts';
import type { SeedCoupon } from '../../src/server/store/seeds.ts';
import { median, pad, within } from './numbers.ts';

const COUPONS = 40;
const LINES = 30;
const RUNS = 300;
const LIMIT_MS = 10;
const NOW = Date.UTC(2027, 0, 13, 7, 0);
const MODES = ['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'WALLET', 'EGV', 'MFS', 'COD'];

/** The element at `n`, beginning again after the last. */
function turn<T>(list: readonly T[], n: number): T {
  const one = list[n % list.length];
  if (one === undefined) throw new Error('There is nothing to take turns with.');
  return one;
}

function basket(): PricedCart {
  const real = catalogueFromDisk(countryConfig('india'));
  const [base, store] = [real.coupons.get('FLAT100'), real.stores.get('10101')];
  if (!base || !store) throw new Error('The seeds have no coupon FLAT100 or no store 10101.');
  const sides = [...real.items.values()].filter((item) => item.kind === 'SIDE');
  const kinds: ((n: number) => Pick<SeedCoupon, 'type' | 'value'>)[] = [
    (n) => ({ type: 'FLAT', value: 1_000 + n * 137 }),
    (n) => ({ type: 'PERCENT', value: 2 + n }),
    (n) => ({ type: 'FREE_ITEM', value: { itemId: turn(sides, n).id, qty: 1 } }),
    () => ({ type: 'NTH_PERCENT', value: { category: ['2', '3'], size: 'M', n: 2, percent: 50 } }),
  ];
  const coupons = Array.from({ length: COUPONS }, (_, n): SeedCoupon => ({
    ...base,
    code: `C${n}`,
    minCart: 10_000 + n * 500,
    stackGroup: turn(['coupon', 'freebie', 'delivery'], n),
    ...turn(kinds, n)(n),
    paymentModes: n % 5 === 0 ? [turn(MODES, n)] : null,
    excludes: [],
  }));
  const catalogue = { ...real, coupons: new Map(coupons.map((coupon) => [coupon.code, coupon])) };
  const pizzas = [...real.items.values()].filter((item) => item.kind === 'PIZZA');
  const lines = Array.from({ length: LINES }, (_, n) => ({
    lineId: `l${n}`,
    quantity: 1 + (n % 3),
    removed: false,
    changedAt: 1,
    wish: { productId: turn(pizzas, n).id, size: turn(['R', 'M', 'L'] as const, n) },
  }));
  const state: CartState = {
    cartId: 'c',
    userId: 'u',
    version: 1,
    storeId: '10101',
    deliveryType: 'DELIVERY',
    lines,
    coupons: [],
    declined: [],
    tip: 0,
    carryBag: false,
    cutlery: false,
    paymentMode: null,
  };
  const context: PricingContext = {
    catalogue,
    store,
    soldOut: new Set(),
    now: NOW,
    bin: null,
    modes: MODES,
    shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: () => 0 },
    states: new Map(coupons.map(({ code }) => [code, { used: 0 }])),
  };
  return priceCart(state, context);
}

function timed(work: () => unknown) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  // What is not compiled yet is not what a server does all day.
  const warm = times.slice(RUNS / 3);
  return { middle: median(warm), p99: within(warm, 0.99), first: times[0] ?? Number.NaN };
}

export function benchOptimise(): void {
  const priced = basket();
  console.log(
    `\nBest combination of ${COUPONS} coupons on ${LINES} lines, ${MODES.length} payment modes (limit ${LIMIT_MS} ms)`,
  );
  console.log(`${pad('', 40)}  median ms    p99 ms  first ms`);
  const rows = {
    'best combination': () => bestCombination(priced.couponCase),
    'with the reason of every other': () => advise(priced.couponCase),
    'the whole answer, with an item to add': () => advisedOffers(priced),
  };
  for (const [name, work] of Object.entries(rows)) {
    const { middle, p99, first } = timed(work);
    console.log(`${pad(name, 40)}${[middle, p99, first].map((ms) => ms.toFixed(2).padStart(10)).join(' ')}`);
  }
}
