import { countryConfig } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import type { Bill, CartLine } from '../../../contract/cart.ts';
import { localTime, timeText } from '../../../domain/hours.ts';
import { foldLines, madeOf } from '../../../domain/madeOf.ts';
import { allocate, fraction, ZERO } from '../../../domain/money.ts';
import { serviceLabel } from '../../../domain/orders.ts';
import { money, type Money } from '../../../contract/price.ts';
import { invoice as t, orders, formatMoney } from '../../call/language.ts';
import { snapshotOf, type OrderRow } from '../../store/orders.ts';
import { readInvoiceSeed, readSeeds, type SeedInvoice, type SeedLegal } from '../../store/seeds.ts';
import type { Buyer, Fact, Paper, PaperRow, PaperSum } from '../invoice/paper.ts';
import { amountWords } from '../invoice/words.ts';
import { lineLabel, taxedOf } from '../pricing/bill.ts';
import { serviceOf } from './orders.ts';

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

/** Whom an order's invoice is made out to. */
export function buyerOf(order: OrderRow): Buyer {
  const { customer, address } = snapshotOf(order);
  const lines = address === null ? [] : [`${address.houseNo}, ${address.address}`];
  return { name: `${customer.firstName} ${customer.lastName}`.trim(), lines };
}

function rowOf(law: Law, order: OrderRow, line: CartLine): PaperRow {
  const english = snapshotOf(order).english?.find(({ lineId }) => lineId === line.lineId);
  const { name = line.product.name, slots = (line.slots ?? []).map((slot) => slot.name) } = english ?? {};
  const choices = english?.choices ?? line.choices;
  return {
    name: line.free === true ? t.free({ dish: name }) : name,
    details: [...madeOf({ ...line, choices }), ...slots],
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

interface Made {
  readonly number: string;
  readonly at: number;
}

function common(law: Law, order: OrderRow, { number, at }: Made) {
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
  made: Made,
  paid: readonly { readonly label: string; readonly amount: number }[],
): Paper {
  const law = lawOf(order.country);
  const { lines, bill } = snapshotOf(order);
  const { place, ...rest } = common(law, order, made);
  const late = bill.total - paid.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...rest,
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
    rows: foldLines(lines).map((line) => rowOf(law, order, line)),
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
export interface Inside {
  readonly tax: number;
  readonly rounding: number;
}
export interface Credit extends Made {
  readonly reason: 'PROMISE' | 'REFUND';
  readonly amount: Money;
  /** What earlier credit notes of this invoice have taken off already. */
  readonly before: Money;
  /** Of what goes back for dishes; without it the credit is for a part of the whole bill. */
  readonly inside?: Inside | undefined;
  readonly invoice: { readonly number: string; readonly issuedAt: number };
}

/**
 * What a credit takes off a part of the bill: the share of all credits so far less that of those before, so that the
 * parts of many credits add up to the part exactly.
 */
const shareOf = (part: number, { amount, before }: Credit, total: number): number =>
  total === 0 ? 0 : fraction(money(part), before + amount, total) - fraction(money(part), before, total);

/** What a credit takes off the taxed value, off each tax, and off the rounding. */
function takenOff({ country }: Law, bill: Bill, credit: Credit) {
  const taxes = bill.lines.filter(({ kind }) => kind === 'tax');
  const { inside, amount } = credit;
  if (inside === undefined) {
    return {
      taxed: shareOf(taxedOf(country, bill), credit, bill.total),
      taxes: taxes.map((line) => ({ ...line, amount: shareOf(line.amount, credit, bill.total) })),
      rounding: 0,
    };
  }
  const { basisPoints, included } = country.tax;
  const taxed = amount - inside.tax - inside.rounding;
  const of = included ? fraction(money(taxed), basisPoints, 10_000 + basisPoints) : money(inside.tax);
  const shares = allocate(
    of,
    country.tax.parts.map((part) => part.basisPoints),
  );
  return {
    taxed,
    taxes: taxes.map((line) => ({
      ...line,
      amount: shares[country.tax.parts.findIndex(({ id }) => line.id === `tax:${id}`)] ?? ZERO,
    })),
    rounding: inside.rounding,
  };
}

export function creditPaper(order: OrderRow, credit: Credit): Paper {
  const law = lawOf(order.country);
  const { bill } = snapshotOf(order);
  const { place, ...rest } = common(law, order, credit);
  const reason = credit.reason === 'PROMISE' ? t.reasonPromise : t.reasonRefund;
  const { taxed, taxes: tax, rounding } = takenOff(law, bill, credit);
  const inside = tax.reduce((sum, line) => (line.included === true ? sum + line.amount : sum), 0);
  const isIncluded = law.country.tax.included;
  return {
    ...rest,
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
    rows: [
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
        value: say(law, taxed - inside),
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
