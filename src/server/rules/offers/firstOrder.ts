import { DAY_MS } from '../../../domain/time.ts';
import type { ApiError } from '../../../contract/reply.ts';
import { t, dayText } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { Caller } from '../../call/caller.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { cardOfToken } from '../../store/cardOffers.ts';
import type { Db, Tx } from '../../store/db.ts';
import { takeFirstOrder, usesOfHolders } from '../../store/firstOrders.ts';
import { derived, newToken } from '../../store/ids.ts';
import { linkedWallet } from '../../store/linkedWallets.ts';
import { secret } from '../../store/system.ts';
import { identitiesOf } from '../../store/vendors.ts';
import { couponByCode } from './coupons.ts';

// The offer for a first order is for somebody who is new to us. Who that is, is known by a number or a vendor's person that
// was proved, never by one that was typed. What else says that somebody comes again is counted, with room for those who
// share it: decisions/2026-11-22-first-order.md.

const FOR_GOOD = Number.MAX_SAFE_INTEGER;

type Kind = 'person' | 'device' | 'address' | 'spot' | 'payment';
/** How many orders of each may have the offer, and for how many days one of them counts; of help, how many share it. */
export const ROOM: Readonly<Record<Kind, { readonly most: number; readonly days: number | null }>> = {
  person: { most: 1, days: null },
  /** A family's tablet, the phone of somebody's parents. */
  device: { most: 2, days: 365 },
  /** A family, people who share a flat, a small hostel in which rooms have no numbers. */
  address: { most: 3, days: 90 },
  /** About 11 by 11 metres: a tower, a hostel. It stops who writes one address in a hundred ways. */
  spot: { most: 20, days: 90 },
  /** A card, a UPI id, a wallet: a couple's. */
  payment: { most: 2, days: 365 },
};

export interface Holder {
  readonly kind: Kind;
  /** Says nothing without the server's secret. */
  readonly id: string;
}

const holderOf = async (db: Db, kind: Kind, ...parts: readonly string[]): Promise<Holder> => ({
  kind,
  id: derived(await secret(db, 'first-orders', newToken), JSON.stringify([kind, ...parts])),
});

const FILLERS = new Set(['no', 'number', 'house', 'flat', 'door', 'plot', 'the', 'near', 'nr', 'opp']);
const SHORT: Readonly<Record<string, string>> = {
  rd: 'road',
  st: 'street',
  apt: 'apartment',
  apartments: 'apartment',
  blk: 'block',
  bldg: 'building',
  ln: 'lane',
  mg: 'marg',
};

/** House, street and place as words without order, case, accents or signs: one address written in two ways is one. */
function addressWords({ houseNo, address }: { readonly houseNo: string; readonly address: string }): string {
  const words = `${houseNo} ${address}`
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // 12A, 12-A and 12 a.
    .replace(/(\d)[\s/-]{0,3}(?=\p{L}\b)/gu, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !FILLERS.has(word))
    .map((word) => SHORT[word] ?? word.replace(/^0+(?=\d)/, ''));
  return [...new Set(words)].sort().join(' ');
}

interface Order {
  readonly deliveryType: string;
  readonly address?:
    | { readonly houseNo: string; readonly address: string; readonly latitude: number; readonly longitude: number }
    | null
    | undefined;
  readonly cardToken?: string | null | undefined;
  /** Id of the provider of the linked wallet that pays. */
  readonly wallet?: string | null | undefined;
  /** Hash of the device's token, if it has one. */
  readonly device: string | null;
}

/** Everybody and everything by which somebody who orders again would be known. */
export async function holdersFor(db: Db, caller: Caller, order: Order, now: number): Promise<Holder[]> {
  const { userId, mobile, isLoggedIn, country } = caller;
  if (userId === null || !isLoggedIn) return [];
  const persons = [
    ['user', userId],
    ...(mobile === null ? [] : [['mobile', mobile]]),
    ...(await identitiesOf(db, userId)).map(({ vendor, subject }) => ['vendor', vendor, subject]),
  ];
  const found = [];
  for (const parts of persons) found.push(await holderOf(db, 'person', ...parts));
  found.push(...(await placeHolders(db, country, order)));
  const way = await wayHolder(db, userId, order, now);
  return way === null ? found : [...found, way];
}

/** The device that an order is made with, and the door that it goes to. */
export async function placeHolders(
  db: Db,
  country: string,
  { device, deliveryType, address }: Pick<Order, 'device' | 'deliveryType' | 'address'>,
): Promise<Holder[]> {
  const found = device === null ? [] : [await holderOf(db, 'device', device)];
  if (deliveryType !== 'DELIVERY' || !address) return found;
  return [
    ...found,
    await holderOf(db, 'address', country, addressWords(address)),
    await holderOf(db, 'spot', address.latitude.toFixed(4), address.longitude.toFixed(4)),
  ];
}

/** The card or the linked wallet that pays; null where nothing is known of it before the payment. */
export async function wayHolder(
  db: Db,
  userId: string,
  { cardToken, wallet }: Pick<Order, 'cardToken' | 'wallet'>,
  now: number,
): Promise<Holder | null> {
  const card = await cardOfToken(db, userId, cardToken, now);
  if (card !== '') return await holderOf(db, 'payment', 'card', card);
  const linked = wallet ? await linkedWallet(db, userId, wallet) : undefined;
  return linked === undefined ? null : await holderOf(db, 'payment', 'wallet', linked.provider, linked.mobile);
}

export const upiHolder = (db: Db, vpa: string): Promise<Holder> =>
  holderOf(db, 'payment', 'upi', vpa.trim().toLowerCase());

function sentenceFor({ kind }: Holder, endsAt: number, { country }: CountryCatalogue): string {
  if (kind === 'person') return t.couponFirstOrder;
  const from = dayText(endsAt, country);
  if (kind === 'device') return t.firstOrderDevice({ from });
  return kind === 'payment' ? t.firstOrderPayment({ from }) : t.firstOrderAddress({ from });
}

/** The codes among these that are for a first order, and those that are for a known customer at all. */
const firstCodes = (catalogue: CountryCatalogue, codes: readonly string[]) =>
  codes.filter((code) => couponByCode(catalogue, code)?.usage.firstOrderOnly === true);
const personalCodes = (catalogue: CountryCatalogue, codes: readonly string[]) =>
  codes.filter((code) => couponByCode(catalogue, code)?.usage.perUser != null);

/**
 * What stands against the offers on an order, before it is paid: that nobody knows yet who orders, or that somebody has
 * had it. The same for every number that is typed, so that it tells nobody who is a customer.
 */
export async function firstOrderProblems(
  db: Db,
  catalogue: CountryCatalogue,
  codes: readonly string[],
  caller: Caller,
  order: Order,
  now: number,
): Promise<ApiError[]> {
  const field = [...firstCodes(catalogue, codes), ...personalCodes(catalogue, codes)][0];
  if (field === undefined) return [];
  if (!caller.isLoggedIn) return [{ code: 'COUPON_LOGIN', displayMsg: t.couponLogin({ code: field }), field }];
  if (firstCodes(catalogue, codes).length === 0) return [];
  const holders = await holdersFor(db, caller, order, now);
  const uses = await usesOfHolders(
    db,
    caller.country,
    holders.map(({ id }) => id),
    now,
  );
  const spent = holders.find(({ id, kind }) => (uses.get(id)?.used ?? 0) >= ROOM[kind].most);
  if (spent === undefined) return [];
  const reason = sentenceFor(spent, uses.get(spent.id)!.endsAt, catalogue);
  return [{ code: 'COUPON_FIRST_ORDER', displayMsg: t.firstOrderTakeOff({ reason, code: field }), field }];
}

/**
 * Takes the offer's uses for an order, in the transaction that makes it: all holders, or none.
 * @throws Refusal 409 COUPON_LOGIN, COUPON_FIRST_ORDER; `field` is the code
 */
export async function takeFirstOrders(
  tx: Tx,
  catalogue: CountryCatalogue,
  of: { readonly code: string; readonly holders: readonly Holder[]; readonly orderId: string; readonly now: number },
): Promise<void> {
  const { code, now, orderId } = of;
  if (of.holders.length === 0) refuse(409, 'COUPON_LOGIN', t.couponLogin({ code }), { field: code });
  const country = catalogue.country.COUNTRY_CODE;
  // Always in the same order, so that two orders cannot deadlock.
  for (const holder of [...of.holders].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { most, days } = ROOM[holder.kind];
    const endsAt = days === null ? FOR_GOOD : now + days * DAY_MS;
    if (await takeFirstOrder(tx, { country, holder: holder.id, orderId, endsAt }, most, now)) continue;
    const uses = await usesOfHolders(tx, country, [holder.id], now);
    const reason = sentenceFor(holder, uses.get(holder.id)?.endsAt ?? now, catalogue);
    refuse(409, 'COUPON_FIRST_ORDER', t.firstOrderTakeOff({ reason, code }), { field: code });
  }
}

/**
 * Before another way to pay is tried for an order with an offer for a first order: it must not have paid for as many as it
 * may.
 * @throws Refusal 422 COUPON_FIRST_ORDER
 */
export async function takeWayToPay(
  tx: Tx,
  catalogue: CountryCatalogue,
  of: {
    readonly codes: readonly string[];
    readonly holders: readonly Holder[];
    readonly orderId: string;
    readonly field: string;
    readonly now: number;
  },
): Promise<void> {
  if (firstCodes(catalogue, of.codes).length === 0) return;
  const country = catalogue.country.COUNTRY_CODE;
  const { most, days } = ROOM.payment;
  for (const holder of of.holders) {
    if (holder.kind !== 'payment') continue;
    const use = { country, holder: holder.id, orderId: of.orderId, endsAt: of.now + (days ?? 0) * DAY_MS };
    if (await takeFirstOrder(tx, use, most, of.now)) continue;
    const uses = await usesOfHolders(tx, country, [holder.id], of.now);
    const reason = sentenceFor(holder, uses.get(holder.id)?.endsAt ?? of.now, catalogue);
    refuse(422, 'COUPON_FIRST_ORDER', reason, { field: of.field });
  }
}
