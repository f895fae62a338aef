import { countryConfig } from '../../../../../country/index.ts';
import type { Country } from '../../../../../country/shape.ts';
import type { Bill, CartLine } from '../../../../contract/cart.ts';
import { costOf, lineCosts } from '../../../../domain/allocation.ts';
import { localTime, timeText } from '../../../../domain/hours.ts';
import { foldLines } from '../../../../domain/foldLines.ts';
import { madeOf } from '../../../../domain/madeOf.ts';
import { allocate, fraction, subtract } from '../../../../domain/money.ts';
import { serviceLabel } from '../../../../domain/orders.ts';
import { money, type Money } from '../../../../contract/price.ts';
import { invoice as t, orders, formatMoney } from '../../../call/language.ts';
import { snapshotOf, type OrderRow, type OrderSnapshot } from '../../../store/orders.ts';
import { readInvoiceSeed, readSeeds, type SeedInvoice, type SeedLegal } from '../../../store/seeds.ts';
import type { Buyer, Fact, Paper, PaperRow, PaperSum, TakenOff } from '../../invoice/paper.ts';
import { amountWords } from '../../invoice/words.ts';
import { lineLabel, taxedOf } from '../../pricing/bill.ts';
import { serviceOf } from '../orders.ts';

// What stands on an invoice and on a credit note (src/decisions/2026-11-22-invoices.md).

interface Law {
  readonly country: Country;
  readonly seed: SeedInvoice;
  readonly legal: SeedLegal;
}
const laws = new Map<string, Law>();
/** What a country's law asks for, and who the seller is there. */
export function lawOf(code: string): Law {
  let law = laws.get(code);
  if (law === undefined) {
    const { legal } = readSeeds(code).content;
    law = { country: countryConfig(code), seed: readInvoiceSeed(code), legal };
    laws.set(code, law);
  }
  return law;
}

/** The year of the calendar in which the financial year of an instant (epoch ms) began. */
export function financialYear({ country, seed }: Law, at: number): number {
  const { year, month } = localTime(at, country.timeZone);
  return month < seed.yearFromMonth ? year - 1 : year;
}

/**
 * 'I10101/26/000123': at most the sixteen signs that India's rule 46 allows, and another for each kind, store and year.
 */
export const numberOf = (kind: 'INVOICE' | 'CREDIT', storeId: string, year: number, serial: number): string =>
  `${kind === 'INVOICE' ? 'I' : 'C'}${storeId}/${String(year % 100).padStart(2, '0')}/${String(serial).padStart(6, '0')}`;

function timeOf({ country }: Law, at: number): string {
  const { locale, timeZone } = country;
  const day = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(at);
  return t.day({ day, time: timeText(at, timeZone, orders.clock) });
}

const say = ({ country }: Law, amount: number) => formatMoney(money(amount), country);

/** Seller and registrations. A store that has none of its own goes under its country's first: nothing is sold without. */
function sellerOf({ seed, legal }: Law, order: OrderRow) {
  const { store } = snapshotOf(order);
  const own = seed.stores[store.id];
  const registration = seed.registrations[own?.registration ?? ''] ?? Object.values(seed.registrations)[0]!;
  const where = [store.address, store.locality, store.city].filter((part, index, all) => all.indexOf(part) === index);
  return {
    place: registration.name,
    seller: {
      name: legal.operator,
      lines: [store.name, `${where.join(', ')} ${store.postcode}`],
      facts: [...registration.facts, ...(own?.facts ?? [])],
    },
  };
}

/** The recipient of an order's invoice. */
export function buyerOf(order: OrderRow): Buyer {
  const { customer, address } = snapshotOf(order);
  const lines = address === null ? [] : [`${address.houseNo}, ${address.address}`];
  return { name: `${customer.firstName} ${customer.lastName}`.trim(), lines };
}

/** An order's dishes and what each line of them cost, as it was decided when it was priced. */
export function dishesOf(order: OrderRow): Required<Pick<OrderSnapshot, 'lines' | 'costs'>> {
  const { lines, bill, costs } = snapshotOf(order);
  // Orders of older releases do not say it.
  const told = () =>
    lineCosts(bill, lines, countryConfig(order.country).tax).map((one) => ({ ...one, cost: costOf(one) }));
  return { lines, costs: costs ?? told() };
}

/** What lines are called on papers: equal ones as one, with what was taken off them, which its own column shows. */
function rowsOf(law: Law, order: OrderRow): PaperRow[] {
  const { lines, costs } = dishesOf(order);
  /** Without the taxes that come on top, and without what the bill was rounded by. */
  const net = new Map(costs.map(({ lineId, cost, tax, rounding }) => [lineId, money(cost - tax - rounding)]));
  const folded = foldLines(lines.map((line) => ({ ...line, lineTotal: net.get(line.lineId) ?? line.lineTotal })));
  return foldLines(lines).map((line, at) => {
    const amount = folded[at]!.lineTotal;
    const off = subtract(line.lineTotal, amount);
    return {
      ...rowOf(law, order, line),
      ...(off === 0 ? {} : { discount: say(law, -off) }),
      amount: say(law, amount),
    };
  });
}

function rowOf(law: Law, order: OrderRow, line: CartLine): PaperRow {
  const english = snapshotOf(order).english?.find(({ lineId }) => lineId === line.lineId);
  const { name = line.product.name, slots = (line.slots ?? []).map((slot) => slot.name) } = english ?? {};
  const { sizeName = line.sizeName, crustName = line.crustName, choices = line.choices } = english ?? {};
  return {
    name: line.free === true ? t.free({ dish: name }) : name,
    details: [...madeOf({ sizeName, crustName, choices }), ...slots],
    code: law.seed.code?.value ?? '',
    quantity: String(line.quantity),
    price: say(law, line.product.price),
    amount: say(law, line.lineTotal),
  };
}

/** The lines of the bill, and what was taxed before its taxes. */
function sumsOf(law: Law, order: OrderRow): PaperSum[] {
  const { country } = law;
  const { bill, englishBill = {} } = snapshotOf(order);
  const sums: PaperSum[] = [];
  const taxed = taxedOf(country, bill);
  for (const line of bill.lines) {
    if (line.included === true) continue;
    if (line.kind === 'tax' && !sums.some(({ weight }) => weight === 'small'))
      sums.push({ label: t.taxable, value: say(law, taxed), weight: 'small' });
    sums.push({ label: englishBill[line.id] ?? lineLabel(line), value: say(law, line.amount) });
  }
  sums.push({ label: t.total, value: say(law, bill.total), weight: 'strong' });
  const inside = bill.lines.filter((line) => line.included === true);
  const tax = inside.reduce((sum, line) => sum + line.amount, 0);
  if (inside.length > 0)
    sums.push(
      { label: t.without({ tax: country.tax.name }), value: say(law, taxed - tax), weight: 'small' },
      ...inside.map((line) => ({
        label: t.included({ label: line.label }),
        value: say(law, line.amount),
        weight: 'small' as const,
      })),
    );
  return sums;
}

function columnsOf({ seed }: Law): Paper['columns'] {
  return { name: t.item, code: seed.code?.label ?? '', quantity: t.quantity, price: t.rate, amount: t.amount };
}

interface PaperNumber {
  readonly number: string;
  readonly at: number;
}

function common(law: Law, order: OrderRow, { number, at }: PaperNumber) {
  const { seller, place } = sellerOf(law, order);
  return {
    number,
    issuedAt: at,
    language: law.country.locales['en'] ?? 'en',
    seller,
    buyerTitle: t.billedTo,
    columns: columnsOf(law),
    notes: law.seed.notes,
    footer: t.page({ page: '{page}', pages: '{pages}' }),
    place: { label: law.seed.supplyLabel, value: place },
  };
}

const wordsFor = (law: Law, amount: number): Fact => ({
  label: t.words,
  value: amountWords(money(amount), law.seed),
});

/** @param paid with what the customer has paid how much, in minor units */
export function invoicePaper(
  order: OrderRow,
  made: PaperNumber,
  paid: readonly { readonly label: string; readonly amount: number }[],
): Paper {
  const law = lawOf(order.country);
  const { bill } = snapshotOf(order);
  const rows = rowsOf(law, order);
  const { place, columns, ...rest } = common(law, order, made);
  const late = bill.total - paid.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...rest,
    columns: { ...columns, ...(rows.some(({ discount }) => discount !== undefined) ? { discount: t.discount } : {}) },
    title: law.seed.title,
    heading: law.seed.heading,
    facts: [
      { label: t.number, value: made.number },
      { label: t.issued, value: timeOf(law, made.at) },
      { label: t.order, value: order.number },
      { label: t.placed, value: timeOf(law, order.submitted_at) },
      { label: t.service, value: serviceLabel(serviceOf(order)) },
      place,
    ],
    rows,
    sums: sumsOf(law, order),
    words: wordsFor(law, bill.total),
    paidTitle: t.paidWith,
    paid: [...paid, ...(late > 0 ? [{ label: t.lateCredit, amount: late }] : [])].map(({ label, amount }) => ({
      label,
      value: say(law, amount),
    })),
  };
}

/** What of an amount is tax on top of prices, and what the bill was rounded by; minor units. */
export interface AmountParts {
  readonly tax: number;
  readonly rounding: number;
  /** Of which dishes the rest is, how many pieces of each. */
  readonly lines: readonly { readonly lineId: string; readonly quantity: number; readonly amount: number }[];
}
export interface Credit extends PaperNumber {
  readonly reason: 'PROMISE' | 'REFUND';
  readonly amount: Money;
  /** What earlier credit notes have left of the invoice. */
  readonly left: InvoiceRest;
  /** Of what goes back for dishes; without it the credit is for a part of the whole bill. */
  readonly inside?: AmountParts | undefined;
  readonly invoice: { readonly number: string; readonly issuedAt: number };
}
/** An amount of an invoice, with what of it was taxed, and each tax of it by its line's id; minor units. */
export interface InvoiceRest extends TakenOff {
  readonly amount: number;
}

const taxesOf = ({ lines }: Bill) => lines.filter(({ kind }) => kind === 'tax');
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, one) => sum + one, 0);

/** What is left of an order's invoice after these credit notes. Those of older releases do not say what they took off. */
export function leftAfter(
  order: OrderRow,
  credits: readonly { readonly amount: number; readonly taken?: TakenOff | undefined }[],
): InvoiceRest {
  const { bill } = snapshotOf(order);
  const taxed = taxedOf(lawOf(order.country).country, bill);
  const without = (whole: number, takes: (taken: TakenOff) => number) =>
    credits.reduce(
      (rest, { amount, taken }) =>
        Math.max(0, rest - (taken ? takes(taken) : fraction(money(whole), amount, Math.max(1, bill.total)))),
      whole,
    );
  return {
    amount: bill.total - sumOf(credits.map(({ amount }) => amount)),
    taxed: without(taxed, (taken) => taken.taxed),
    taxes: Object.fromEntries(
      taxesOf(bill).map(({ id, amount }) => [id, without(amount, ({ taxes }) => taxes[id] ?? 0)]),
    ),
  };
}

/**
 * What a credit is for: dishes, or, where earlier credits for the whole bill have left less of the invoice than its dishes
 * cost, a part of that bill, too.
 */
function dishesIn({ country: { tax } }: Law, { inside, amount, left }: Credit): AmountParts | undefined {
  const goods = left.taxed + (tax.included ? 0 : sumOf(Object.values(left.taxes)));
  return inside !== undefined && amount - inside.rounding <= goods ? inside : undefined;
}

/**
 * What a credit takes off the taxed value and off each tax. It is never more than is left of them, and a credit for all
 * that is left takes all of it: so the parts of many credits, for dishes or for the whole bill, add up to the invoice.
 */
function takenOff(law: Law, credit: Credit): TakenOff {
  const { amount, left } = credit;
  const of = dishesIn(law, credit);
  const ids = Object.keys(left.taxes);
  const whole = Object.values(left.taxes);
  if (of === undefined) {
    const part = (all: number) => fraction(money(all), amount, left.amount);
    return { taxed: part(left.taxed), taxes: Object.fromEntries(ids.map((id, at) => [id, part(whole[at]!)])) };
  }
  const { basisPoints, included } = law.country.tax;
  const goods = amount - of.rounding;
  const usual = included
    ? goods === left.taxed
      ? sumOf(whole)
      : fraction(money(goods), basisPoints, 10_000 + basisPoints)
    : Math.max(of.tax, goods - left.taxed);
  const tax = Math.min(usual, sumOf(whole));
  // By what is left of each, so that what one has had more is made up for by the next credit.
  const shares = allocate(money(tax), whole);
  return {
    taxed: included ? goods : goods - tax,
    taxes: Object.fromEntries(ids.map((id, at) => [id, shares[at]!])),
  };
}

/** A dish of which money goes back: what each piece of it is shown only where that is the same for all. */
function creditRow(
  law: Law,
  order: OrderRow,
  { lineId, quantity, amount }: AmountParts['lines'][number],
  reason: string,
): PaperRow {
  const line = snapshotOf(order).lines.find((own) => own.lineId === lineId)!;
  return {
    ...rowOf(law, order, line),
    details: [reason],
    quantity: String(quantity),
    price: amount % quantity === 0 ? say(law, amount / quantity) : '',
    amount: say(law, amount),
  };
}

export function creditPaper(order: OrderRow, credit: Credit): Paper {
  const law = lawOf(order.country);
  const { bill } = snapshotOf(order);
  const { place, ...rest } = common(law, order, credit);
  const reason = credit.reason === 'PROMISE' ? t.reasonPromise : t.reasonRefund;
  const taken = takenOff(law, credit);
  const isIncluded = law.country.tax.included;
  const tax = taxesOf(bill).map((line) => ({ ...line, amount: taken.taxes[line.id]! }));
  const inside = isIncluded ? sumOf(tax.map(({ amount }) => amount)) : 0;
  const dishes = dishesIn(law, credit);
  const rounding = dishes?.rounding ?? 0;
  const amounts =
    dishes &&
    allocate(
      money(taken.taxed),
      dishes.lines.map((line) => line.amount),
    );
  return {
    ...rest,
    taken,
    title: law.seed.creditTitle,
    heading: law.seed.creditHeading,
    facts: [
      { label: t.creditNumber, value: credit.number },
      { label: t.issued, value: timeOf(law, credit.at) },
      {
        label: t.forInvoice,
        value: t.invoiceOf({ number: credit.invoice.number, date: timeOf(law, credit.invoice.issuedAt) }),
      },
      { label: t.order, value: order.number },
      { label: t.reason, value: reason },
      place,
    ],
    rows: dishes?.lines.map((line, at) => creditRow(law, order, { ...line, amount: amounts![at]! }, reason)) ?? [
      {
        name: t.creditLine,
        details: [reason],
        code: law.seed.code?.value ?? '',
        quantity: '1',
        price: say(law, credit.amount),
        amount: say(law, credit.amount),
      },
    ],
    sums: [
      {
        label: isIncluded ? t.without({ tax: law.country.tax.name }) : t.taxable,
        value: say(law, taken.taxed - inside),
        weight: 'small',
      },
      ...tax.map((line) => ({
        label: isIncluded ? t.included({ label: line.label }) : line.label,
        value: say(law, line.amount),
        weight: 'small' as const,
      })),
      ...(rounding === 0 ? [] : [{ label: lineLabel({ id: 'rounding', label: '' }), value: say(law, rounding) }]),
      { label: t.creditTotal, value: say(law, credit.amount), weight: 'strong' },
    ],
    words: wordsFor(law, credit.amount),
    paidTitle: '',
    paid: [],
  };
}
