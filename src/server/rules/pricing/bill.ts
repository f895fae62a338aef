import type { Country, TaxBase } from '../../../../country/shape.ts';
import type { Bill, BillLine } from '../../../contract/cart.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import { money, type Money } from '../../../contract/price.ts';
import { t } from '../../call/language.ts';
import { REWARD_CODE } from '../../../domain/loyalty.ts';
import { fraction, percent, rounding } from '../../../domain/money.ts';
import type { SeedStore } from '../../store/seeds.ts';

export interface Discount {
  readonly code: string;
  readonly title: string;
  readonly amount: number;
  readonly on: 'items' | 'delivery';
}

/** A pizza that points pay for: what it costs as it was built, and how much of that the points pay; minor units. */
export interface Reward {
  readonly lineId: string;
  readonly title: string;
  readonly price: number;
  readonly off: number;
}

/** Everything a bill is made of; amounts in minor units. */
export interface BillParts {
  readonly deliveryType: DeliveryType;
  /** Sum of the lines, free ones at 0, without the pizza that points pay for. */
  readonly items: number;
  readonly reward?: Reward | undefined;
  readonly discounts: readonly Discount[];
  /** Worth of what coupons gave free of charge, plus what combos save against buying their parts. */
  readonly given: number;
  /** What the store asks for packaging, as `packagingFee` says it. */
  readonly packaging: number;
  readonly carryBag: boolean;
  readonly tip: number;
}

/**
 * The delivery fee before coupons, in minor units: only for DELIVERY, and none from the country's threshold on. The
 * threshold looks at prices before discounts, so a discount never takes free delivery away.
 */
export function deliveryFee(country: Country, deliveryType: DeliveryType, items: number): number {
  return deliveryType === 'DELIVERY' && items > 0 && items < country.fees.freeDeliveryFrom ? country.fees.delivery : 0;
}

/** What a store asks for the packaging of one order, in minor units; nothing is packed for a table. */
export const packagingFee = (country: Country, store: SeedStore, deliveryType: DeliveryType): number =>
  deliveryType === 'DINEIN' ? 0 : (store.packaging ?? country.fees.packaging);

/**
 * The whole bill, line by line (specification section 3; product.md 4.2). Lines that are not `included` add up to
 * `total`. Each tax line is calculated once, half up, on its base after discounts, so that central and state tax come
 * out equal.
 */
export function billOf(country: Country, parts: BillParts): Bill {
  const { fees, tax } = country;
  const items = parts.items + (parts.reward?.price ?? 0);
  const empty = items === 0;
  const lines: BillLine[] = [{ id: 'items', label: t.billItems, amount: money(items), kind: 'items' }];
  const charge = (id: string, label: string, amount: number) => {
    lines.push({ id, label, amount: money(amount), kind: 'charge' });
  };
  const bases: Record<TaxBase, number> = { items, packaging: 0, carryBag: 0, delivery: 0 };
  const discountLines = (on: Discount['on']) => {
    for (const discount of parts.discounts) {
      if (discount.on !== on) continue;
      const amount = Math.min(discount.amount, bases[on]);
      if (amount <= 0) continue;
      lines.push({
        id: `discount:${discount.code}`,
        label: t.billDiscount(discount),
        amount: money(-amount),
        kind: 'discount',
      });
      bases[on] -= amount;
    }
  };
  if (parts.reward !== undefined) {
    const { title, off } = parts.reward;
    lines.push({ id: `discount:${REWARD_CODE}`, label: title, amount: money(-off), kind: 'discount' });
    bases.items -= off;
  }
  discountLines('items');
  if (!empty && parts.packaging > 0) {
    bases.packaging = parts.packaging;
    charge('packaging', t.billPackaging, parts.packaging);
  }
  if (!empty && parts.carryBag && parts.deliveryType !== 'DINEIN') {
    bases.carryBag = fees.carryBag;
    charge('carryBag', t.billCarryBag, fees.carryBag);
  }
  if (!empty && parts.deliveryType === 'DELIVERY') {
    bases.delivery = deliveryFee(country, parts.deliveryType, items);
    charge('delivery', t.billDelivery, bases.delivery);
    discountLines('delivery');
  }
  const taxed = money(tax.base.reduce((sum, name) => sum + bases[name], 0));
  if (!empty) {
    for (const part of tax.parts) {
      const amount = tax.included
        ? fraction(taxed, part.basisPoints, 10_000 + tax.basisPoints)
        : percent(taxed, part.basisPoints);
      lines.push({
        id: `tax:${part.id}`,
        label: part.label,
        amount,
        kind: 'tax',
        ...(tax.included ? { included: true } : {}),
      });
    }
  }
  if (!empty && parts.deliveryType === 'DELIVERY' && parts.tip > 0) {
    lines.push({ id: 'tip', label: t.billTip, amount: money(parts.tip), kind: 'tip' });
  }
  const exact = sumOf(lines);
  const step = rounding(exact, country.roundTo);
  if (step !== 0) lines.push({ id: 'rounding', label: t.billRounding, amount: step, kind: 'rounding' });
  const discounts = lines.reduce((sum, line) => (line.kind === 'discount' ? sum - line.amount : sum), 0);
  return { currencyCode: country.CURRENCY_CODE, lines, total: sumOf(lines), savings: money(discounts + parts.given) };
}

/** What the lines are called that are on every bill, by their ids; taxes and coupons have a name of their own. */
const NAMES: Readonly<Record<string, () => string>> = {
  items: () => t.billItems,
  packaging: () => t.billPackaging,
  carryBag: () => t.billCarryBag,
  delivery: () => t.billDelivery,
  tip: () => t.billTip,
  rounding: () => t.billRounding,
  [`discount:${REWARD_CODE}`]: () => t.rewardTitle,
};
/** The label of a line in the language of this moment, which need not be that of the bill. */
export const lineLabel = ({ id, label }: Pick<BillLine, 'id' | 'label'>): string => NAMES[id]?.() ?? label;

function sumOf(lines: readonly BillLine[]): Money {
  return money(lines.reduce((sum, line) => (line.included === true ? sum : sum + line.amount), 0));
}

/** The cart's value after discounts on items and before charges: "Your cart value ... + Charges". */
export function netPrice(bill: Bill): Money {
  const delivery = bill.lines.find((line) => line.id === 'delivery');
  let net = 0;
  for (const line of bill.lines) {
    if (line === delivery) break;
    if (line.kind === 'items' || line.kind === 'discount') net += line.amount;
  }
  return money(net);
}

/** The value that a bill's taxes were calculated on, tax included where prices include it: what `billOf` made of it. */
export function taxedOf({ tax }: Country, bill: Bill): Money {
  let taxed = 0;
  // A discount stands below what it is taken off.
  let base: TaxBase = 'items';
  for (const { id, kind, amount } of bill.lines) {
    if (id === 'delivery' || id === 'packaging' || id === 'carryBag') base = id;
    if ((kind === 'items' || kind === 'discount' || kind === 'charge') && tax.base.includes(base)) taxed += amount;
  }
  return money(taxed);
}
