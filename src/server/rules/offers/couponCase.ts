import type { DeliveryType } from '../../../contract/names.ts';
import type { Reason } from '../../../domain/allocation.ts';
import { categoryLabel } from '../../../domain/seo.ts';
import { WEEKDAYS } from '../../../domain/hours.ts';
import { t, languageAsked, translated } from '../../call/language.ts';
import type { Reward } from '../pricing/bill.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import type { PricedLine } from '../pricing/price.ts';
import { windowAt } from './windows.ts';
import { eitherOf } from './lists.ts';
import type { CouponState } from '../../store/coupons.ts';
import { labelOfMode } from '../payment/modes.ts';
import type { CouponWords, SeedCoupon } from '../../store/seeds.ts';

/** What the database knows about the customer. */
export interface Shopper {
  /** False in a mini-app, which never shows partner offers (product.md C05b). */
  readonly partnerOffers: boolean;
  readonly hasOrdered: boolean;
  readonly used: ReadonlyMap<string, number>;
  /** Days with an order that count towards the coupon's next reward; those already used for a reward are left out. */
  readonly steps: (code: string, stepsRequired: number) => number;
}

/** Everything about a cart that coupon rules look at. */
export interface CouponCase {
  readonly catalogue: CountryCatalogue;
  /** Without the pizza that points pay for: a coupon counts what is paid. */
  readonly lines: readonly PricedLine[];
  readonly deliveryType: DeliveryType;
  /** Goes to a train, which is a service of its own (IRCTC). */
  readonly isToTrain?: boolean | undefined;
  readonly storeId: string;
  readonly isAllNight: boolean;
  readonly paymentMode: string | null;
  /** First digits of the card; null if they are not known. */
  readonly bin: string | null;
  /** Coupon codes that the chosen card qualifies for; absent while no card is chosen. */
  readonly cardCodes?: ReadonlySet<string> | undefined;
  /** Payment modes available in this host and country. */
  readonly modes: readonly string[];
  /** Coupon codes that this cart won on the wheel. */
  readonly prizes: ReadonlySet<string>;
  /** Codes the customer put on the cart: of two equal offers, these stay. */
  readonly held: ReadonlySet<string>;
  /** Delivery types the store serves (DELIVERY, PICKUP ...). */
  readonly services: readonly string[];
  /** What the bill holds besides food, so that it is rounded just like the cart's own bill. */
  readonly extras: {
    readonly packaging: number;
    readonly carryBag: boolean;
    readonly tip: number;
    readonly reward?: Reward | undefined;
  };
  readonly shopper: Shopper;
  readonly states: ReadonlyMap<string, CouponState>;
  readonly soldOut: ReadonlySet<string>;
  readonly now: number;
}

export interface FreeItem {
  readonly itemId: string;
  readonly quantity: number;
}

/** What a coupon does to this cart; amounts in minor units. */
export interface Effect {
  readonly on: 'items' | 'delivery';
  readonly discount: number;
  /** How much of it is for which line, by the line's id; asked for once the cart is priced. */
  readonly reasons: () => ReadonlyMap<string, Reason>;
  readonly free: readonly FreeItem[];
  /** Milestones: how many steps are done, and of how many. */
  readonly steps?: number;
  readonly stepsRequired?: number;
  readonly note?: string;
}

export type Verdict = { readonly ok: true; readonly effect: Effect } | { readonly ok: false; readonly message: string };

export const no = (message: string): Verdict => ({ ok: false, message });

/** `excludes` names product types, or DEALS. Such lines count neither towards the minimum nor for the discount. */
export function isExcluded(coupon: SeedCoupon, line: PricedLine): boolean {
  return (line.isDeal && coupon.excludes.includes('DEALS')) || coupon.excludes.includes(line.productType);
}

export const sumOfLines = (lines: readonly PricedLine[]) =>
  lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
export const counted = (coupon: SeedCoupon, lines: readonly PricedLine[]) =>
  lines.filter((line) => !isExcluded(coupon, line));
export const countedSum = (coupon: SeedCoupon, lines: readonly PricedLine[]): number =>
  sumOfLines(counted(coupon, lines));

export const labelsOf = ({ country }: CountryCatalogue, ids: readonly string[]) =>
  eitherOf(
    ids.map((id) => {
      const row = country.categories.find((one) => one.id === id);
      return row ? categoryLabel({ ...country, locale: languageAsked() }, row) : id;
    }),
  );

/** What a coupon says in the language of the request; its messages and steps only where they are said in another than its own. */
export function wordsOf({ title, confettiMessage, confettiSubMessage, tnc, said }: SeedCoupon): CouponWords {
  return translated<CouponWords>({ title, confettiMessage, confettiSubMessage, tnc }, said);
}

/** The time in which the coupon is valid now, or will be next. */
export const windowOf = ({ window }: SeedCoupon, { now, catalogue }: Pick<CouponCase, 'now' | 'catalogue'>) =>
  windowAt(window, now, catalogue.country.timeZone);

/** Which food the coupon does not count. */
export function withoutOf({ excludes }: SeedCoupon): 'NONE' | 'MINIS' | 'COMBOS' | 'BOTH' {
  if (!excludes.includes('PIZZA-MANIA')) return excludes.includes('DEALS') ? 'COMBOS' : 'NONE';
  return excludes.includes('DEALS') ? 'BOTH' : 'MINIS';
}

export function modeLabel(catalogue: CountryCatalogue, id: string): string {
  const mode = catalogue.seeds.payments.modes.find((one) => one.id === id);
  return mode === undefined ? id : labelOfMode(mode);
}

export const fromStores = (storeIds: readonly string[], { stores }: CountryCatalogue) =>
  t.couponFromStore({ stores: eitherOf(storeIds.map((id) => stores.get(id)?.name ?? id)) });

export const daysText = (days: readonly number[]) =>
  eitherOf(days.map((day) => t.couponWeekday({ day: WEEKDAYS[day]! })));
