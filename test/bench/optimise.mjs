// How long the best combination of offers takes: 40 coupons that all may be used, 30 lines, 8 payment modes.
import { countryConfig } from '../../country/index.ts';
import { priceCart } from '../../src/server/rules/cart.ts';
import { catalogueFromDisk } from '../../src/server/rules/menu.ts';
import { advisedOffers } from '../../src/server/rules/offers.ts';
import { advise, bestCombination } from '../../src/server/rules/optimise.ts';
import { median, pad } from './numbers.mjs';

const COUPONS = 40;
const LINES = 30;
const RUNS = 300;
const LIMIT_MS = 10;
const NOW = Date.UTC(2027, 0, 13, 7, 0);
const MODES = ['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'WALLET', 'EGV', 'MFS', 'COD'];

function basket() {
  const real = catalogueFromDisk(countryConfig('india'));
  const base = real.coupons.get('FLAT100');
  const sides = [...real.items.values()].filter((item) => item.kind === 'SIDE');
  const kinds = [
    (n) => ({ type: 'FLAT', value: 1_000 + n * 137 }), (n) => ({ type: 'PERCENT', value: 2 + n }),
    (n) => ({ type: 'FREE_ITEM', value: { itemId: sides[n % sides.length].id, qty: 1 } }), () => ({ type: 'NTH_PERCENT', value: { category: ['2', '3'], size: 'M', n: 2, percent: 50 } }),
  ];
  const coupons = Array.from({ length: COUPONS }, (_, n) => ({
    ...base, code: `C${n}`, minCart: 10_000 + n * 500, stackGroup: ['coupon', 'freebie', 'delivery'][n % 3], ...kinds[n % kinds.length](n),
    paymentModes: n % 5 === 0 ? [MODES[n % MODES.length]] : null, excludes: [],
  }));
  const catalogue = { ...real, coupons: new Map(coupons.map((coupon) => [coupon.code, coupon])) };
  const pizzas = [...real.items.values()].filter((item) => item.kind === 'PIZZA');
  const lines = Array.from({ length: LINES }, (_, n) => ({ lineId: `l${n}`, quantity: 1 + n % 3, removed: false, changedAt: 1, wish: { productId: pizzas[n % pizzas.length].id, size: ['R', 'M', 'L'][n % 3] } }));
  const state = { cartId: 'c', userId: 'u', version: 1, storeId: '10101', deliveryType: 'DELIVERY', lines, coupons: [], declined: [], tip: 0, carryBag: false, cutlery: false, paymentMode: null };
  const scene = {
    catalogue, store: real.stores.get('10101'), soldOut: new Set(), now: NOW, bin: null, modes: MODES,
    shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: () => 0 }, states: new Map(coupons.map(({ code }) => [code, { loadedAt: NOW, used: 0 }])),
  };
  return priceCart(state, scene);
}

function timed(work) {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  // What is not compiled yet is not what a server does all day.
  const warm = times.slice(RUNS / 3).sort((a, b) => a - b);
  return { middle: median(warm), p99: warm[Math.floor(warm.length * 0.99)], first: times[0] };
}

export function benchOptimise() {
  const priced = basket();
  console.log(`\nBest combination of ${COUPONS} coupons on ${LINES} lines, ${MODES.length} payment modes (limit ${LIMIT_MS} ms)`);
  console.log(`${pad('', 40)}  median ms    p99 ms  first ms`);
  const rows = { 'best combination': () => bestCombination(priced.couponCase), 'with the reason of every other': () => advise(priced.couponCase), 'the whole answer, with an item to add': () => advisedOffers(priced) };
  for (const [name, work] of Object.entries(rows)) {
    const { middle, p99, first } = timed(work);
    console.log(`${pad(name, 40)}${[middle, p99, first].map((ms) => ms.toFixed(2).padStart(10)).join(' ')}`);
  }
}
