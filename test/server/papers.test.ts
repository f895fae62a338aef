import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { CartLine } from '../../src/contract/cart.ts';
import * as invoice from '#text/invoice.ts';
import {
  buyerOf,
  creditPaper,
  dishesOf,
  financialYear,
  invoicePaper,
  lawOf,
  leftAfter,
  numberOf,
  type Credit,
} from '../../src/server/rules/order/invoice/invoicePapers.ts';
import { money } from '../../src/contract/price.ts';
import { fraction } from '../../src/domain/money.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import type { Paper, TakenOff } from '../../src/server/rules/invoice/paper.ts';
import { billOf, lineLabel, taxedOf } from '../../src/server/rules/pricing/bill.ts';
import type { OrderRow } from '../../src/server/store/orders.ts';

const AT = Date.UTC(2027, 0, 13, 7, 30);
const made = { number: 'I10101/26/000001', at: AT };
const line = (more: object = {}) =>
  ({
    lineId: 'l1',
    quantity: 2,
    lineTotal: 40_000,
    product: { id: 'SD001', name: 'Knusperbrot', price: 20_000 },
    choices: [],
    ...more,
  }) as unknown as CartLine;
const bill = (code: string) =>
  billOf(countryConfig(code), {
    deliveryType: 'DELIVERY',
    items: 40_000,
    discounts: [{ code: 'ONE', title: 'One', amount: 5000, on: 'items' }],
    given: 0,
    packaging: 1000,
    carryBag: false,
    tip: 2000,
  });
function order(code: string, more: object = {}): OrderRow {
  const snapshot = {
    store: {
      id: '10101',
      name: 'Connaught Place',
      address: 'Inner Circle',
      locality: 'Connaught Place',
      city: 'New Delhi',
      postcode: '110001',
    },
    customer: { firstName: 'Asha', lastName: 'Rao', mobile: '98' },
    address: { houseNo: '12', address: 'Main Road' },
    lines: [line()],
    bill: bill(code),
    ...more,
  };
  return {
    id: 'ord_1',
    number: '0042',
    country: code,
    store_id: '10101',
    delivery_type: 'DELIVERY',
    submitted_at: AT - 60_000,
    snapshot: JSON.stringify(snapshot),
  } as OrderRow;
}
const values = (sums: readonly { label: string; value: string }[]) => sums.map(({ label, value }) => [label, value]);

test.each([
  ['IN', '2027-03-31T23:59:59+05:30', 2026],
  ['IN', '2027-04-01T00:00:00+05:30', 2027],
  ['IN', '2027-12-31T12:00:00+05:30', 2027],
])('%s: at %s it is the financial year that began in %d', (code, at, year) => {
  expect(financialYear(lawOf(code), Date.parse(at))).toBe(year);
});
test('a number tells kind, store, year and how many there were before', () => {
  expect(numberOf('INVOICE', '10101', 2026, 123)).toBe('I10101/26/000123');
  expect(numberOf('CREDIT', '10101', 2006, 1)).toBe('C10101/06/000001');
});
test('a buyer has a name, and an address where it was brought', () => {
  expect(buyerOf(order('IN'))).toEqual({ name: 'Asha Rao', lines: ['12, Main Road'] });
  expect(buyerOf(order('IN', { address: null, customer: { firstName: 'Asha', lastName: '' } }))).toEqual({
    name: 'Asha',
    lines: [],
  });
});

describe('an invoice', () => {
  test('says who sold what to whom, where no place is named twice', () => {
    const paper = invoicePaper(order('IN'), made, []);
    expect(paper.seller.lines).toEqual(['Connaught Place', 'Inner Circle, Connaught Place, New Delhi 110001']);
    expect(paper.seller.name).toBe(lawOf('IN').legal.operator);
    expect(paper).toMatchObject({ number: made.number, issuedAt: AT, title: lawOf('IN').seed.title });
    expect(paper.facts).toEqual([
      { label: invoice.number, value: made.number },
      { label: invoice.issued, value: expect.stringMatching(/13 Jan 2027.*1 PM/) },
      { label: invoice.order, value: '0042' },
      { label: invoice.placed, value: expect.stringMatching(/13 Jan 2027.*12:59 PM/) },
      { label: invoice.service, value: 'DELIVERY' },
      { label: lawOf('IN').seed.supplyLabel, value: expect.stringMatching(/\S/) },
    ]);
    const same = {
      store: { id: 'X', name: 'N', address: 'Town', locality: 'Town', city: 'Town', postcode: '1' },
    };
    expect(invoicePaper(order('IN', same), made, []).seller.lines[1]).toBe('Town 1');
  });
  test('has its dishes as they were in English, a gift as one, and what a combo holds', () => {
    const names = (more: object, of: object = {}) =>
      invoicePaper(order('IN', { lines: [line(more)], ...of }), made, []).rows.map(({ name, details, quantity }) => [
        name,
        details,
        quantity,
      ]);
    expect(names({})).toEqual([['Knusperbrot', [], '2']]);
    expect(names({ free: true })).toEqual([[invoice.free({ dish: 'Knusperbrot' }), [], '2']]);
    expect(names({}, { english: [{ lineId: 'l1', name: 'Crisp bread', slots: ['Dip'], choices: [] }] })).toEqual([
      ['Crisp bread', ['Dip'], '2'],
    ]);
    expect(names({}, { english: [{ lineId: 'other', name: 'Crisp bread', slots: [], choices: [] }] })[0]![0]).toBe(
      'Knusperbrot',
    );
    expect(names({ slots: [{ name: 'Pizza' }, { name: 'Drink' }] })[0]![1]).toEqual(['Pizza', 'Drink']);
    expect(invoicePaper(order('IN'), made, []).rows[0]).toMatchObject({
      price: '₹200',
      discount: '-₹50',
      amount: '₹350',
    });
  });
  test('has the value before its taxes once, then the taxes and the total', () => {
    const { sums } = invoicePaper(order('IN'), made, []);
    const labels = sums.map(({ label }) => label);
    expect(labels.filter((label) => label === invoice.taxable)).toHaveLength(1);
    const taxable = labels.indexOf(invoice.taxable);
    const taxes = bill('IN').lines.filter(({ kind }) => kind === 'tax');
    expect(labels.slice(taxable + 1, taxable + 1 + taxes.length)).toEqual(taxes.map(({ label }) => label));
    expect(sums.find(({ label }) => label === invoice.total)).toMatchObject({ weight: 'strong' });
    expect(sums.filter(({ weight }) => weight === 'small')).toHaveLength(1);
    expect(values(invoicePaper(order('IN', { englishBill: { items: 'All food' } }), made, []).sums)[0]).toEqual([
      'All food',
      '₹400',
    ]);
  });
  test('where prices hold their tax it says how much, below the total', () => {
    const { sums } = invoicePaper(order('LK'), made, []);
    const total = sums.findIndex(({ weight }) => weight === 'strong');
    const taxes = bill('LK').lines.filter(({ included }) => included === true);
    expect(sums.slice(total + 1).map(({ label }) => label)).toEqual([
      invoice.without({ tax: countryConfig('LK').tax.name }),
      ...taxes.map(({ label }) => invoice.included({ label })),
    ]);
    expect(sums.some(({ label }) => label === invoice.taxable)).toBe(false);
  });
  test('says what paid it, and what of it a late order gave back', () => {
    const { total } = bill('IN');
    const paid = (amount: number) => invoicePaper(order('IN'), made, [{ label: 'UPI', amount }]).paid;
    expect(paid(total).map(({ label }) => label)).toEqual(['UPI']);
    expect(paid(total - 10_000)).toMatchObject([{ label: 'UPI' }, { label: invoice.lateCredit, value: '₹100' }]);
    expect(paid(total - 10_000)).toHaveLength(2);
  });
});

describe('a credit note', () => {
  const { total } = bill('IN');
  const credit = (amount: number, before: Parameters<typeof leftAfter>[1] = [], more: Partial<Credit> = {}) =>
    creditPaper(order('IN'), {
      number: 'C10101/26/000001',
      at: AT,
      reason: 'REFUND',
      amount: amount as Credit['amount'],
      left: leftAfter(order('IN'), before),
      invoice: { number: made.number, issuedAt: AT - 1 },
      ...more,
    });
  /** In minor units. */
  const numbers = ({ sums }: Paper) =>
    sums.map(({ value }) => Math.round(Number(value.replaceAll(/[^\d.-]/g, '')) * 100));

  test('names its invoice and why', () => {
    expect(credit(total).facts).toEqual([
      { label: invoice.creditNumber, value: 'C10101/26/000001' },
      { label: invoice.issued, value: expect.stringMatching(/2027/) },
      {
        label: invoice.forInvoice,
        value: expect.stringContaining(made.number),
      },
      { label: invoice.order, value: '0042' },
      { label: invoice.reason, value: invoice.reasonRefund },
      { label: lawOf('IN').seed.supplyLabel, value: expect.stringMatching(/\S/) },
    ]);
    const promise = credit(total, [], { reason: 'PROMISE' });
    expect(promise.rows).toEqual([
      expect.objectContaining({ name: invoice.creditLine, details: [invoice.reasonPromise], quantity: '1' }),
    ]);
    expect(promise.paid).toEqual([]);
  });
  test('of all takes off all that was taxed, and all taxes', () => {
    const taxes = bill('IN').lines.filter(({ kind }) => kind === 'tax');
    const all = numbers(credit(total));
    expect(all.at(-1)).toBe(total);
    expect(all.slice(1, -1)).toEqual(taxes.map(({ amount }) => amount));
  });
  test('the parts of many come to those of one, to the last paisa', () => {
    const cuts = [0, 3333, 9999, 10_001, total];
    const notes: (Paper & { amount: number })[] = [];
    for (const [n, end] of cuts.slice(1).entries())
      notes.push({ ...credit(end - cuts[n]!, notes), amount: end - cuts[n]! });
    const parts = notes.map(numbers);
    const sum = parts.reduce((sums, part) => sums.map((one, n) => one + part[n]!));
    expect(sum).toEqual(numbers(credit(total)));
    expect(parts[1]!.every((one) => one > 0)).toBe(true);
  });

  const CODES = ['IN', 'LK', 'BG'] as const;
  test('those for dishes and those for the whole bill, in any order, take no more tax than there was, and together all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CODES),
        fc.array(fc.record({ part: fc.integer({ min: 1, max: 1000 }), ofDishes: fc.boolean() }), { maxLength: 8 }),
        (code, wishes) => {
          const own = order(code);
          const [dish] = dishesOf(own).costs;
          const whole = bill(code).total;
          const taxes = bill(code).lines.filter(({ kind }) => kind === 'tax');
          const notes: { amount: number; taken: TakenOff }[] = [];
          const make = (amount: number, inside?: Credit['inside']) => {
            if (amount <= 0) return;
            const { taken, rows, sums } = creditPaper(own, {
              number: '1',
              at: AT,
              reason: 'REFUND',
              amount: amount as Credit['amount'],
              left: leftAfter(own, notes),
              inside,
              invoice: { number: made.number, issuedAt: AT - 1 },
            });
            const [first] = rows;
            // The dish and the taxes on top of it are what the note is for.
            if (first!.name !== invoice.creditLine && !countryConfig(code).tax.included)
              expect(
                numbers({ sums } as Paper)
                  .slice(0, -1)
                  .reduce((sum, one) => sum + one, 0),
              ).toBe(amount);
            notes.push({ amount, taken: taken! });
          };
          let dishes: number = dish!.cost;
          for (const { part, ofDishes } of wishes) {
            const left = whole - notes.reduce((sum, { amount }) => sum + amount, 0);
            if (ofDishes) {
              const amount = Math.min(left, Math.ceil((dishes * part) / 1000));
              const tax = fraction(money(dish!.tax), amount, dish!.cost);
              const line = { lineId: 'l1', quantity: 1, amount: amount - tax };
              make(amount, { tax, rounding: 0, lines: [line] });
              dishes -= amount;
            } else make(Math.ceil((left * part) / 2000));
            for (const { id, amount } of taxes) {
              const taken = notes.reduce((sum, note) => sum + note.taken.taxes[id]!, 0);
              expect(taken).toBeLessThanOrEqual(amount);
              expect(Math.min(...notes.map((note) => note.taken.taxes[id]!))).toBeGreaterThanOrEqual(0);
            }
          }
          make(whole - notes.reduce((sum, { amount }) => sum + amount, 0));
          for (const { id, amount } of taxes)
            expect(notes.reduce((sum, note) => sum + note.taken.taxes[id]!, 0)).toBe(amount);
          expect(notes.reduce((sum, note) => sum + note.taken.taxed, 0)).toBe(taxedOf(countryConfig(code), bill(code)));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a bill', () => {
  const india = countryConfig('IN');
  const { fees } = india;
  const parts = (more: object = {}) => ({
    deliveryType: 'DELIVERY' as const,
    items: 20_000,
    discounts: [],
    given: 0,
    packaging: 1000,
    carryBag: true,
    tip: 2000,
    ...more,
  });
  const ids = (more: object = {}) =>
    billOf(india, parts(more)).lines.flatMap(({ id, kind }) => (kind === 'tax' || id === 'rounding' ? [] : [id]));
  const of = (id: string, more: object) => billOf(india, parts(more)).lines.find((one) => one.id === id)?.amount;

  test('a discount takes off what there is, below it, and no more; one on the delivery stands below that', () => {
    const discounts = [
      { code: 'D', title: 'D', amount: 9_999_999, on: 'delivery' as const },
      { code: 'A', title: 'A', amount: 15_000, on: 'items' as const },
      { code: 'B', title: 'B', amount: 15_000, on: 'items' as const },
      { code: 'C', title: 'C', amount: 1, on: 'items' as const },
    ];
    expect(ids({ discounts })).toEqual([
      ...['items', 'discount:A', 'discount:B', 'packaging', 'carryBag', 'delivery', 'discount:D', 'tip'],
    ]);
    expect([of('discount:A', { discounts }), of('discount:B', { discounts })]).toEqual([-15_000, -5000]);
    expect(of('discount:D', { discounts })).toBe(-fees.delivery);
    expect(billOf(india, parts({ discounts, given: 700 })).savings).toBe(20_000 + fees.delivery + 700);
    expect(ids({ discounts, deliveryType: 'PICKUP' })).not.toContain('discount:D');
  });
  test('a pizza that points pay for is on it with what they pay', () => {
    const reward = { title: 'Free pizza', price: 10_000, off: 9000 };
    const bill = billOf(india, parts({ reward }));
    expect(bill.lines.slice(0, 2)).toMatchObject([
      { id: 'items', amount: 30_000 },
      { label: 'Free pizza', amount: -9000, kind: 'discount' },
    ]);
    // It counts for free delivery.
    const near = { items: fees.freeDeliveryFrom - 5000 };
    expect(of('delivery', near)).toBe(fees.delivery);
    expect(of('delivery', { ...near, reward })).toBe(0);
  });
  test.each(['IN', 'LK', 'BG'])('%s: what its taxes are of is what the country taxes', (code) => {
    const country = countryConfig(code);
    const discounts = [
      { code: 'D', title: 'D', amount: 100, on: 'delivery' as const },
      { code: 'A', title: 'A', amount: 300, on: 'items' as const },
    ];
    const bill = billOf(country, parts({ discounts }));
    const amounts = Object.fromEntries(bill.lines.map(({ id, amount }) => [id, amount as number]));
    const bases: Readonly<Record<string, number>> = {
      items: 20_000 - 300,
      packaging: 1000,
      carryBag: country.fees.carryBag,
      delivery: (amounts['delivery'] ?? 0) - Math.min(100, amounts['delivery'] ?? 0),
    };
    expect(taxedOf(country, bill)).toBe(country.tax.base.reduce((sum, base) => sum + bases[base]!, 0));
    const rows = bill.lines.filter(({ included }) => included !== true);
    expect(bill.total).toBe(rows.reduce((sum, { amount }) => sum + amount, 0));
    expect(bill.total % country.roundTo).toBe(0);
  });

  test('its lines are called in the language of whoever reads them, but for taxes and coupons', () => {
    const lines = billOf(india, parts()).lines.filter(({ kind }) => kind !== 'tax');
    for (const one of lines) {
      expect(lineLabel({ ...one, label: 'old' })).toBe(one.label);
      inLanguage('hi', () => expect(lineLabel(one)).not.toBe(one.label));
    }
    expect(lineLabel({ id: 'tax:cgst', label: 'CGST' })).toBe('CGST');
    expect(lineLabel({ id: 'discount:ONE', label: 'One' })).toBe('One');
  });
});
