import type { EndpointInput } from '../../../contract/endpoint.ts';
import type * as contract from '../../../contract/assistants.ts';
import type { Quote } from '../../../contract/assistants.ts';
import type { AddressInput } from '../../../contract/addresses.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { assistants as says, errors, t } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { addressesOf } from '../../store/addresses.ts';
import {
  addQuote,
  markOrdered,
  orderedSince,
  programOf,
  quoteOf,
  quoteOfCheckout,
  withdrawCheckout,
  type QuoteRow,
} from '../../store/assistants.ts';
import { cartState, takeCart, writeCoupons } from '../../store/carts.ts';
import { transact, type Tx } from '../../store/db.ts';
import { newId } from '../../store/ids.ts';
import { orderByKey } from '../../store/orders.ts';
import { userById } from '../../store/sessions.ts';
import { countWithin, takeBack } from '../../store/system.ts';
import { putOn } from '../offers/coupons.ts';
import { tried } from '../cart/advice.ts';
import { changeCart, type Operation } from '../cart/cartChanges.ts';
import { pricedFor } from '../cart/couponCodes.ts';
import { buyerOf, pricedCart } from '../cart/pricingContext.ts';
import { submitOnce } from '../checkout/submit.ts';
import { validate } from '../checkout/validations.ts';
import { CANCEL_SECONDS } from '../order/orders.ts';
import { viewNow } from '../order/orderView.ts';
import { mayDo, refuseUntil, takeOneBack } from '../people/limits.ts';
import { placeAt } from '../places/places.ts';
import { slotById } from '../places/stores.ts';

// An assistant prepares an order, and its customer confirms it on a page of ours, where they see what stands here and not
// what the assistant says of it. Nothing is ordered before, and money is paid in the customer's own app.

/** Orders by assistants that a customer confirms in 24 hours, and quotes that are made for them. */
const ORDERS_A_DAY = 6;
const QUOTES_A_DAY = 60;

type OrderWish = EndpointInput<typeof contract.quote>['body'];
/** What is kept of a wish: its lines are in the cart. */
interface KeptWish {
  readonly storeId: string;
  readonly deliveryType: OrderWish['deliveryType'];
  readonly address: AddressInput | null;
  readonly vehicle: OrderWish['vehicle'] | null;
  readonly table: string | null;
  readonly slotId: string | null;
  readonly note: string | null;
  /** Codes that the customer has named, all of which are on the cart. */
  readonly coupons: readonly string[];
}

/** The one cart that assistants fill for a customer; their own is never touched. */
const cartIdOf = (userId: string): string => `for_${userId}`;

/** Counts a quote, unless none is made. @throws Refusal 429 TOO_MANY, and what `make` throws */
async function oneOfADay<T>(call: Call, make: () => Promise<T>): Promise<T> {
  const id = `assistant-quotes|${userIdOf(call)}`;
  const { isCounted, endsAt } = await countWithin(call.db, id, QUOTES_A_DAY, DAY_MS, call.now);
  if (!isCounted) refuseUntil(endsAt, call.now);
  try {
    return await make();
  } catch (error) {
    await takeBack(call.db, id);
    throw error;
  }
}

async function addressOf(call: Call, { deliveryType, addressId, address }: OrderWish): Promise<AddressInput | null> {
  if (deliveryType !== 'DELIVERY') return null;
  if (addressId === undefined) return address ?? null;
  const saved = (await addressesOf(call.db, userIdOf(call))).find(({ id }) => id === addressId);
  if (saved === undefined) return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'addressId' });
  return saved.address;
}

/**
 * Puts the codes that a customer has named on the cart, as if they were typed.
 * @throws Refusal 422 COUPON_REJECTED, whose field is `coupons.` and the place of the code
 */
async function putOnNamed(tx: Tx, call: Call, cartId: string, codes: readonly string[]): Promise<void> {
  for (const [index, code] of codes.entries()) {
    const before = await pricedFor(tx, call, cartId, undefined);
    const trial = tried(before, code);
    if (trial.message !== null) refuse(422, 'COUPON_REJECTED', trial.message, { field: `coupons.${index}` });
    const { coupons, declined } = putOn(before.state, trial.coupon, before.context.catalogue);
    await writeCoupons(tx, cartId, coupons, declined);
  }
}

/** Puts the lines and codes of a wish in the place of all that is in the cart. @returns the version of the cart since */
async function fill(call: Call, wish: OrderWish, quoteId: string): Promise<number | undefined> {
  const { db, now, caller } = call;
  const catalogue = await catalogueHere(call);
  const userId = userIdOf(call);
  const cartId = cartIdOf(userId);
  return await transact(db, async (tx) => {
    await takeCart(tx, { cartId, userId, country: caller.country, storeId: wish.storeId }, now);
    const before = await cartState(tx, cartId);
    const gone = (before?.lines ?? []).map(({ lineId }): Operation => ({
      operationId: `${quoteId}:${lineId}`,
      lineId,
      quantity: 0,
      wish: undefined,
    }));
    const added = wish.lines.map(({ quantity, ...line }, index): Operation => {
      const lineId = `${quoteId}.${index + 1}`;
      return { operationId: lineId, lineId, quantity, wish: line };
    });
    await changeCart(
      tx,
      catalogue,
      { cartId, ...buyerOf(caller) },
      [...gone, ...added],
      {
        deliveryType: wish.deliveryType,
        storeId: wish.storeId,
        tip: wish.deliveryType === 'DELIVERY' ? (wish.tip ?? 0) : 0,
        carryBag: false,
        cutlery: wish.cutlery ?? false,
        bestOffer: true,
      },
      now,
    );
    await writeCoupons(tx, cartId, [], []);
    await putOnNamed(tx, call, cartId, wish.coupons ?? []);
    return (await cartState(tx, cartId))?.version;
  });
}

const basketOf = (call: Call, { storeId, deliveryType, address, vehicle, table, slotId }: KeptWish) => ({
  cartId: cartIdOf(userIdOf(call)),
  storeId,
  deliveryType,
  address,
  vehicle: vehicle ?? null,
  table,
  slotId,
});

/** A quote as it stands now; one that was ordered, as its order: its cart holds something else since. */
async function viewOf(call: Call, row: QuoteRow): Promise<Quote> {
  const quote = await pricedView(call, row);
  if (row.order_id === null) return quote;
  const { orderType, address, lines, bill } = await viewNow(call, row.order_id);
  return { ...quote, deliveryType: orderType, address, lines, bill, problems: [] };
}

/** A quote priced anew, so that it is over when anything of it has changed. */
async function pricedView(call: Call, row: QuoteRow): Promise<Quote> {
  const { db, services, caller, now } = call;
  const wish = JSON.parse(row.wish) as KeptWish;
  const checked = await validate(call, basketOf(call, wish));
  const { cart } = await pricedCart(db, services.catalogue, cartIdOf(row.user_id), buyerOf(caller), now, {
    storeId: wish.storeId,
    deliveryType: wish.deliveryType,
  });
  const catalogue = await catalogueHere(call);
  const { stores, country } = catalogue;
  const store = stores.get(wish.storeId);
  const slot =
    store === undefined || wish.slotId === null ? null : slotById(country, store, wish.deliveryType, wish.slotId, now);
  // Both readings of the cart have to be of this quote: another program may fill it between them.
  const isCurrent =
    row.ends_at > 0 && [checked.quote.cartVersion, cart.version].every((version) => version === row.cart_version);
  const isSame = row.ends_at > now && isCurrent && checked.quote.bill.total === row.total;
  return {
    quoteId: row.id,
    checkoutId: row.checkout_id,
    isCurrent,
    state: row.order_id !== null ? 'ORDERED' : isSame ? 'OPEN' : 'OVER',
    name: row.name,
    storeId: wish.storeId,
    storeName: store?.name ?? '',
    deliveryType: wish.deliveryType,
    address: wish.address,
    place: wish.address === null ? null : (placeAt(catalogue, wish.address)?.formatted_address ?? null),
    slotId: wish.slotId,
    slotLabel: slot?.label ?? null,
    table: wish.table,
    vehicle: wish.vehicle ?? null,
    // What another program has asked for since is none of this one's.
    lines: isCurrent ? cart.validItems : [],
    note: wish.note,
    coupons: [...wish.coupons],
    bill: checked.quote.bill,
    problems: checked.problems,
    modes: checked.modes.filter(({ id }) => CONFIRMED_BY.has(id)),
    deliveryMinutes: checked.deliveryMinutes,
    endsAt: row.ends_at,
    cancelRule: t.cancelUntilConfirmed({ seconds: CANCEL_SECONDS }),
    termsVersion: checked.termsVersion,
    orderId: row.order_id,
  };
}

/**
 * How an order that an assistant has prepared can be paid: in the customer's own app, by a link, or at the door. Cash needs
 * no code: the order's number is the one that its customer has logged in with (`receiverOf`).
 */
const CONFIRMED_BY: ReadonlySet<string> = new Set(['UPI', 'NETBANKING', 'MFS', 'PAYTM', 'LINK', 'COD']);

/** The checkout that a quote goes on with. @throws Refusal 404 NOT_FOUND, 409 QUOTE_OVER for one that is ordered or withdrawn */
async function continuedCheckout(call: Call, checkoutId: string): Promise<void> {
  const row = await lastQuote(call, checkoutId);
  if (row.order_id !== null || row.ends_at === 0) refuse(409, 'QUOTE_OVER', says.quoteOver);
}

/**
 * Prepares an order.
 * @throws Refusal 403 ASSISTANT_ONLY, 404 NOT_FOUND, 409 QUOTE_OVER where another program has asked at the same moment,
 *   422 COUPON_REJECTED, 429 TOO_MANY, and what the cart refuses
 */
export async function prepareQuote(call: Call, wish: OrderWish): Promise<Quote> {
  const name = await programOf(call.db, call.caller.sessionId ?? '');
  if (name === null) return refuse(403, 'ASSISTANT_ONLY', t.featureOff);
  if (wish.checkoutId !== undefined) await continuedCheckout(call, wish.checkoutId);
  return await oneOfADay(call, () => quoteFor(call, wish, name));
}

/** @throws Refusal as `prepareQuote` */
async function quoteFor(call: Call, wish: OrderWish, name: string): Promise<Quote> {
  const kept: KeptWish = {
    storeId: wish.storeId,
    deliveryType: wish.deliveryType,
    address: await addressOf(call, wish),
    vehicle: wish.vehicle ?? null,
    table: wish.table ?? null,
    slotId: wish.slotId ?? null,
    note: wish.note ?? null,
    coupons: wish.coupons ?? [],
  };
  const id = newId('quo');
  for (const _ of kept.coupons) await mayDo(call, 'namedCoupons');
  const version = await fill(call, wish, id);
  for (const _ of kept.coupons) await takeOneBack(call, 'namedCoupons');
  const { quote } = await validate(call, basketOf(call, kept));
  // Another program has filled the cart meanwhile: its dishes do not go to the address of this one.
  if (quote.cartVersion !== version) refuse(409, 'QUOTE_OVER', says.quoteOver);
  const row: QuoteRow = {
    id,
    checkout_id: wish.checkoutId ?? id,
    made_at: call.now,
    user_id: userIdOf(call),
    name,
    wish: JSON.stringify(kept),
    cart_version: quote.cartVersion,
    total: quote.bill.total,
    // While a dish cannot be sold no price is held, and nothing can be confirmed.
    ends_at: quote.lockedUntil ?? call.now,
    order_id: null,
  };
  await addQuote(call.db, row);
  return await viewOf(call, row);
}

/** By what the order of a quote is known, so that a quote makes one. */
const keyOf = ({ id }: QuoteRow): string => `quote:${id}`;

/**
 * A quote with its order. A server that ended between the order and its note in the quote has left it without one: nobody
 * is told then that it is over, and asks for a second order.
 */
async function withOrder(call: Call, row: QuoteRow | undefined): Promise<QuoteRow> {
  if (row === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
  if (row.order_id !== null) return row;
  return { ...row, order_id: (await orderByKey(call.db, row.user_id, keyOf(row)))?.id ?? null };
}

async function ownQuote(call: Call, quoteId: string): Promise<QuoteRow> {
  return await withOrder(call, await quoteOf(call.db, userIdOf(call), quoteId));
}

/** An order that waits. @throws Refusal 404 NOT_FOUND */
export async function quoteNow(call: Call, quoteId: string): Promise<Quote> {
  return await viewOf(call, await ownQuote(call, quoteId));
}

async function lastQuote(call: Call, checkoutId: string): Promise<QuoteRow> {
  return await withOrder(call, await quoteOfCheckout(call.db, userIdOf(call), checkoutId));
}

/** The order of a checkout that waits. @throws Refusal 404 NOT_FOUND */
export async function checkoutNow(call: Call, checkoutId: string): Promise<Quote> {
  return await viewOf(call, await lastQuote(call, checkoutId));
}

/** Ends a checkout: nobody can confirm it any more. @throws Refusal 404 NOT_FOUND, 409 QUOTE_OVER where it is ordered */
export async function endCheckout(call: Call, checkoutId: string): Promise<Quote> {
  await withdrawCheckout(call.db, userIdOf(call), checkoutId);
  const row = await lastQuote(call, checkoutId);
  if (row.order_id !== null) refuse(409, 'QUOTE_OVER', says.quoteOver);
  return await viewOf(call, row);
}

type Confirmation = EndpointInput<typeof contract.confirm>['body'];

/** @throws Refusal 409 QUOTE_OVER, 422 PAYMENT_MODE, 429 TOO_MANY */
async function mustBeConfirmable(call: Call, row: QuoteRow, { total, paymentMode }: Confirmation): Promise<void> {
  const { state, modes } = await viewOf(call, row);
  if (state !== 'OPEN' || total !== row.total) refuse(409, 'QUOTE_OVER', says.quoteOver);
  if (!modes.some(({ id }) => id === paymentMode)) refuse(422, 'PAYMENT_MODE', t.featureOff, { field: 'paymentMode' });
  // One quote at a time can be confirmed, so nobody orders between this and the order.
  const oldest = (await orderedSince(call.db, row.user_id, call.now - DAY_MS))[ORDERS_A_DAY - 1];
  if (oldest !== undefined) refuseUntil(oldest + DAY_MS, call.now);
}

/** Who receives it: as the customer has said, else as in their profile. */
async function receiverOf(call: Call, customer: Confirmation['customer']) {
  const user = await userById(call.db, userIdOf(call));
  return {
    firstName: customer?.firstName ?? user?.first_name ?? '',
    lastName: customer?.lastName ?? user?.last_name ?? '',
    mobile: call.caller.mobile ?? '',
  };
}

/**
 * The customer's yes. One quote makes one order, however often and from wherever it is confirmed.
 * @throws Refusal 403 CUSTOMER_ONLY, 404 NOT_FOUND, as `mustBeConfirmable`, and as `submit`
 */
export async function confirmQuote(call: Call, quoteId: string, body: Confirmation): Promise<PreparedReply> {
  const { db } = call;
  if ((await programOf(db, call.caller.sessionId ?? '')) !== null) refuse(403, 'CUSTOMER_ONLY', t.featureOff);
  const row = await ownQuote(call, quoteId);
  const key = keyOf(row);
  const wish = JSON.parse(row.wish) as KeptWish;
  const isOrdered = async () => (await orderByKey(db, row.user_id, key)) !== undefined;
  if (!(await isOrdered())) {
    await mustBeConfirmable(call, row, body).catch(async (error: unknown) => {
      // The same yes, said twice at once, may have ordered meanwhile: its quote is over by that alone.
      if (!(error instanceof Refusal) || !(await isOrdered())) throw error;
    });
  }
  const reply = await submitOnce(
    { ...call, idempotencyKey: key },
    {
      ...basketOf(call, wish),
      customer: await receiverOf(call, body.customer),
      paymentMode: body.paymentMode,
      cartVersion: row.cart_version,
      total: row.total,
      ...(wish.note === null ? {} : { note: wish.note }),
      ...(body.allowDuplicate === undefined ? {} : { allowDuplicate: body.allowDuplicate }),
      termsAccepted: body.termsAccepted,
      ...(body.termsVersion === undefined ? {} : { termsVersion: body.termsVersion }),
      assistant: row.name,
    },
  );
  const order = await orderByKey(db, row.user_id, key);
  if (order !== undefined) await markOrdered(db, row.id, order.id);
  return reply;
}
