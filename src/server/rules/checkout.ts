import type * as z from 'zod/mini';
import type { AddressInput } from '../../contract/addresses.ts';
import type { Bill, CartLine } from '../../contract/cart.ts';
import type { DeliveryType, PaymentMode } from '../../contract/names.ts';
import type { FundsWish } from '../../contract/funds.ts';
import type { Customer, Vehicle } from '../../contract/orders.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import type { ApiError } from '../../contract/reply.ts';
import type { TimeSlot } from '../../contract/stores.ts';
import { needsVehicle } from '../../domain/delivery.ts';
import { isEmail } from '../../domain/email.ts';
import { distanceKm } from '../../domain/geo.ts';
import { localDay } from '../../domain/hours.ts';
import * as messages from '../../domain/messages.ts';
import { DUPLICATE_WINDOW_MINUTES } from '../../domain/orders.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { userIdOf } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import { emptyCart, takeCart } from '../store/carts.ts';
import { cardOffersOf } from '../store/cardOffers.ts';
import type { Db, Tx } from '../store/db.ts';
import { finishGroup } from '../store/group.ts';
import { newId } from '../store/ids.ts';
import { addEvent, addOrder, dropLocks, keepLock, latestOrderSince, lockOf, orderByKey, startedBetween, takeNumber, type OrderRow } from '../store/orders.ts';
import { addToOutbox } from '../store/outbox.ts';
import { enqueue } from '../store/jobs.ts';
import { countOrder } from '../store/sessions.ts';
import { readSystem, type SystemRow } from '../store/system.ts';
import { takeSpinAlong } from '../store/wheel.ts';
import { offlineStores } from '../store/stores.ts';
import { addAttempt, returnPath } from './attempts.ts';
import { takenFrom } from './cartReturn.ts';
import { cartProblems, paymentModeProblems, type CartState, type Scene } from './cart.ts';
import { paymentSays } from './coupons.ts';
import { isOwnMode, sumOf, takeFunds, WALLET_LABEL, wholeMode } from './funds.ts';
import { mustBeLinked } from './linkedWallets.ts';
import type { CountryCatalogue } from './menu.ts';
import { sharesOfOrder } from './group.ts';
import { modeProblem } from './modes.ts';
import { kitchenDelayMs } from './orders.ts';
import type { OrderSnapshot } from './orderView.ts';
import { redeem } from './redeem.ts';
import { buyerOf, mustOwnCart, pricedCart, type Buyer } from './scene.ts';
import type { SeedStore } from './seeds.ts';
import { placeOrder } from './settlement.ts';
import { SETTLE_MS } from './payments.ts';
import { digits } from './signing.ts';
import { advanceStore, deliveryMinutes, slotById, storeProblem, storeView } from './stores.ts';

/** How long a quoted bill is charged as it was shown (product.md 3.4). */
export const LOCK_MS = 10 * 60_000;

type CustomerInput = z.output<typeof Customer>;

/** What a checkout says beside its cart. */
export interface Basket {
  readonly cartId: string; readonly storeId: string; readonly deliveryType: DeliveryType;
  readonly address?: z.output<typeof AddressInput> | null | undefined;
  readonly vehicle?: Vehicle | null | undefined;
  readonly table?: string | null | undefined;
  readonly slotId?: string | null | undefined;
  readonly customer?: CustomerInput | null | undefined;
  readonly paymentMode?: PaymentMode | undefined;
  /** The card that was chosen: card offers are judged by it. */
  readonly cardToken?: string | undefined;
  /** What balances can pay at most: a mode is asked for the rest. */
  readonly held?: number | undefined;
}

/** The part of a priced cart that an order is made of. */
export interface Quote { readonly bill: Bill; readonly lines: readonly CartLine[]; readonly applied: readonly string[]; readonly pizzas: number }

export interface Checked {
  readonly problems: ApiError[];
  readonly catalogue: CountryCatalogue;
  /** Who makes it: an offline store hands orders for later on. */
  readonly maker: SeedStore;
  readonly slot: TimeSlot | null;
  readonly offline: ReadonlySet<string>;
  readonly quote: Quote;
  readonly state: CartState;
  readonly scene: Scene;
  readonly mobile: string | null;
  readonly options: readonly PaymentOption[];
  readonly minutes: { from: number; to: number };
}

function buyer(call: Call, mobile: string | null): Buyer {
  const own = buyerOf(call.caller);
  // A guest's coupons are counted by the number of the order, or every new session would be a new customer.
  return { ...own, mobile: own.mobile ?? mobile };
}

/**
 * Everything that stands between this cart and an order, all at once (product.md PAY-12), and its price now. `final`
 * belongs to a submit, which has taken the cart: the card is known by now or never, so a card offer needs one that it is for.
 */
export async function check(db: Db, call: Call, basket: Basket, options: readonly PaymentOption[], final?: SystemRow): Promise<Checked> {
  const { caller, now, services } = call;
  const isFinal = final !== undefined;
  const seen = final ?? await readSystem(db);
  // Whoever submits has shown this already.
  if (!isFinal) await mustOwnCart(db, caller, basket.cartId);
  const catalogue = await services.catalogue.of(db, caller.country, seen);
  const { country } = catalogue;
  const mobile = basket.customer ? phoneNumber(basket.customer.mobile, country) : null;
  const cardCodes = basket.paymentMode === 'CARD' && (isFinal || basket.cardToken !== undefined) ? await cardOffersOf(db, userIdOf(call), basket.cardToken, now) : undefined;
  const priced = await pricedCart(db, services.catalogue, basket.cartId, buyer(call, mobile), now, {
    storeId: basket.storeId, deliveryType: basket.deliveryType, paymentMode: basket.paymentMode ?? null, cardCodes,
  }, seen);
  const { scene, state, cart } = priced;
  const { store } = scene;
  const offline = await offlineStores(db, caller.country, seen);
  const slotId = basket.slotId ?? null;
  const maker = advanceStore(catalogue, store, offline) ?? store;
  const problems = cartProblems(cart, country);
  const atStore = storeProblem(catalogue, store, offline, { deliveryType: basket.deliveryType, slotId }, now);
  if (atStore !== null) problems.push(atStore);
  problems.push(...placeProblems(basket, store));
  if (basket.customer) problems.push(...customerProblems(basket.customer, mobile, country));
  if (basket.paymentMode !== undefined) {
    const rest = Math.max(0, cart.bill.total - (basket.held ?? 0));
    const mode = isOwnMode(basket.paymentMode) ? (rest === 0 ? null : { code: 'FUNDS_SHORT', displayMsg: messages.FUNDS_SHORT, field: 'paymentMode' })
      : modeProblem(country, options, basket.paymentMode, rest);
    if (mode !== null) problems.push(mode);
    else problems.push(...paymentModeProblems(state, scene, basket.paymentMode));
  }
  const km = basket.deliveryType === 'DELIVERY' && basket.address ? distanceKm(store, basket.address) : null;
  const load = kitchenDelayMs(await startedBetween(db, maker.id, now - 600_000, now), maker.maxOrdersPer10Min);
  return {
    problems, catalogue, maker, offline, state, scene, mobile, options,
    slot: slotId === null ? null : slotById(country, maker, basket.deliveryType, slotId, now),
    quote: { bill: cart.bill, lines: cart.validItems, applied: priced.applied, pizzas: priced.pizzas },
    minutes: deliveryMinutes(store, basket.deliveryType, km, Math.round(load / 60_000)),
  };
}

/** Address, vehicle and table: each delivery type asks for one of its own. */
export function placeProblems(basket: Pick<Basket, 'deliveryType' | 'address' | 'vehicle' | 'table'>, store: SeedStore): ApiError[] {
  const { deliveryType, address, vehicle, table } = basket;
  if (deliveryType === 'DELIVERY') {
    if (!address) return [{ code: 'ADDRESS_MISSING', displayMsg: messages.ADDRESS_MISSING, field: 'address' }];
    if (distanceKm(store, address) > store.deliveryRadiusKm) return [{ code: 'OUT_OF_RANGE', displayMsg: messages.NO_DELIVERY_HERE, field: 'address' }];
  }
  if (needsVehicle(deliveryType) && !vehicle) return [{ code: 'VEHICLE_MISSING', displayMsg: messages.VEHICLE_MISSING, field: 'vehicle' }];
  if (deliveryType === 'DINEIN') {
    const number = (table ?? '').trim();
    if (number === '') return [{ code: 'TABLE_MISSING', displayMsg: messages.TABLE_MISSING, field: 'table' }];
    if (!/^\d{1,3}$/.test(number) || Number(number) < 1 || Number(number) > store.dineInTables) {
      return [{ code: 'TABLE_UNKNOWN', displayMsg: `This store has tables 1 to ${store.dineInTables}. ${messages.TABLE_MISSING}`, field: 'table' }];
    }
  }
  return [];
}

function customerProblems(customer: CustomerInput, mobile: string | null, country: CountryCatalogue['country']): ApiError[] {
  const problems: ApiError[] = [];
  if (customer.firstName.trim() === '') problems.push({ code: 'FIRST_NAME', displayMsg: messages.FIRST_NAME_MISSING, field: 'customer.firstName' });
  if (mobile === null) problems.push({ code: 'INVALID_MOBILE', displayMsg: messages.mobileInvalid(country.PHONE_DIGIT), field: 'customer.mobile' });
  if (customer.email !== undefined && customer.email.trim() !== '' && !isEmail(customer.email)) {
    problems.push({ code: 'INVALID_EMAIL', displayMsg: messages.EMAIL_INVALID, field: 'customer.email' });
  }
  return problems;
}

/** Locks belong to what decides a price beside the cart itself. */
function contextOf(basket: Pick<Basket, 'storeId' | 'deliveryType'>, mode: PaymentMode | undefined, cardCodes?: ReadonlySet<string>): string {
  const card = cardCodes === undefined ? '' : ` card ${[...cardCodes].sort().join(' ')}`;
  return `${basket.storeId} ${basket.deliveryType} ${mode ?? ''}${card}`;
}

/** The bill as it will be charged for the next ten minutes: an earlier quote of the same cart, else today's. */
export async function lockPrice(tx: Tx, call: Call, basket: Basket, checked: Checked): Promise<{ quote: Quote; lockedUntil: number }> {
  const { state, quote } = checked;
  const context = contextOf(basket, basket.paymentMode, checked.scene.cardCodes);
  await keepLock(tx, {
    cart_id: basket.cartId, cart_version: state.version, context, user_id: userIdOf(call), total: quote.bill.total, quote: JSON.stringify(quote),
    priced_at: call.now, locked_until: call.now + LOCK_MS,
  }, call.now);
  const lock = await lockOf(tx, basket.cartId, state.version, context, call.now);
  return lock === undefined ? { quote, lockedUntil: call.now + LOCK_MS } : { quote: JSON.parse(lock.quote) as Quote, lockedUntil: lock.locked_until };
}

export async function duplicateOf(db: Db, userId: string, now: number): Promise<OrderRow | undefined> {
  return await latestOrderSince(db, userId, now - DUPLICATE_WINDOW_MINUTES * 60_000);
}

export interface Submission extends Basket {
  readonly customer: CustomerInput;
  readonly paymentMode: PaymentMode;
  readonly cartVersion: number;
  readonly total: number;
  readonly instructions?: readonly string[] | undefined;
  readonly note?: string | undefined;
  readonly allowDuplicate?: boolean | undefined;
  readonly termsAccepted: boolean;
  readonly cardToken?: string | undefined;
  readonly funds?: FundsWish | undefined;
  readonly linked?: boolean | undefined;
}

/** Places where a test lets a rival run, or ends the process, between two steps of a submit. Nobody else sets them. */
export const submitSteps: { before: ((step: 'price' | 'redeem' | 'commit' | 'start') => Promise<void> | void) | null } = { before: null };

/**
 * Makes an order of a cart in one transaction (reference: reliability 6.1): the cart is taken and read again in here, its
 * version and total compared, coupons used up by guarded updates, order, payment and outbox written. Nothing outside is asked.
 * @throws Refusal 409 CART_CHANGED, PRICE_CHANGED, DUPLICATE_ORDER, COUPON_*; 422 TERMS and every problem of the validations
 */
export async function submit(tx: Tx, call: Call, asked: Submission, key: string, options: readonly PaymentOption[]): Promise<{ orderId: string; paymentId: string }> {
  const { caller, now } = call;
  const held = sumOf(asked.funds);
  // Balances that pay for everything are the way this order is paid, whatever else was chosen.
  const wish: Submission = { ...asked, held, ...(held > 0 && held === asked.total ? { paymentMode: wholeMode(asked.funds!) } : {}) };
  const userId = userIdOf(call);
  // A guest that logged in meanwhile sends the same key from another account: the order went over, the key did not.
  const before = await orderByKey(tx, userId, key);
  if (before !== undefined) {
    const paid = await tx.selectFrom('payments').select('id').where('order_id', '=', before.id).orderBy('attempt', 'desc').limit(1).executeTakeFirstOrThrow();
    return { orderId: before.id, paymentId: paid.id };
  }
  if (!wish.termsAccepted) refuse(422, 'TERMS', messages.TERMS_MISSING, { field: 'termsAccepted' });
  await mustOwnCart(tx, caller, wish.cartId);
  const seen = await readSystem(tx);
  const catalogue = await call.services.catalogue.of(tx, caller.country, seen);
  await takeCart(tx, { cartId: wish.cartId, userId, country: caller.country, storeId: catalogue.country.DEFAULT_STORE }, now);
  await submitSteps.before?.('price');
  const checked = await check(tx, call, wish, options, seen);
  if (checked.state.version !== wish.cartVersion) refuse(409, 'CART_CHANGED', messages.CART_CHANGED);
  if (checked.problems.length > 0) throw new Refusal(422, checked.problems);
  const quote = await agreedQuote(tx, wish, checked, now);
  const rest = quote.bill.total - held;
  if (rest < 0 || rest === 0 && !isOwnMode(wish.paymentMode) && quote.bill.total > 0) refuse(409, 'FUNDS_CHANGED', messages.FUNDS_CHANGED, { field: 'funds' });
  if (isOwnMode(wish.paymentMode) && rest > 0) refuse(409, 'FUNDS_CHANGED', messages.FUNDS_CHANGED, { field: 'funds' });
  const provider = wish.linked === true ? await mustBeLinked(tx, call, wish.paymentMode) : undefined;
  if (wish.allowDuplicate !== true && await duplicateOf(tx, userId, now) !== undefined) refuse(409, 'DUPLICATE_ORDER', messages.DUPLICATE_ORDER);

  const { maker, slot, mobile } = checked;
  const orderId = newId('ord');
  await submitSteps.before?.('redeem');
  await redeem(tx, catalogue, { couponCodes: quote.applied, userId, mobile: caller.mobile ?? mobile, orderId, now });
  const isCash = wish.paymentMode === 'COD';
  const needsCode = isCash && (!caller.isLoggedIn || caller.mobile !== mobile);
  const { groupId } = checked.state;
  const shared = groupId ? await sharesOfOrder(tx, groupId, quote.lines, quote.bill) : null;
  const snapshot: OrderSnapshot = {
    store: storeView(catalogue.country, maker, checked.offline, now, wish.address ?? undefined),
    address: wish.deliveryType === 'DELIVERY' ? wish.address ?? null : null,
    vehicle: wish.deliveryType === 'CURB' ? wish.vehicle ?? null : null,
    table: wish.deliveryType === 'DINEIN' ? wish.table?.trim() ?? null : null,
    customer: { ...wish.customer, mobile: mobile ?? '' }, lines: quote.lines, bill: quote.bill, coupons: quote.applied, pizzas: quote.pizzas,
    instructions: [...new Set(wish.instructions ?? [])], note: wish.note?.trim() || null,
    kitchen: { maxOrdersPer10Min: maker.maxOrdersPer10Min, prepMinutes: maker.prepMinutes, minutesPerKm: maker.minutesPerKm },
    ...(shared === null ? {} : { group: shared.shares }),
    cart: takenFrom(checked.state),
  };
  const order: OrderRow = {
    id: orderId, number: await numberFor(tx, maker.id, localDay(now, catalogue.country.timeZone)), country: caller.country, partner: caller.partner,
    user_id: userId, mobile: mobile ?? '', idempotency_key: key, cart_id: wish.cartId, cart_version: checked.state.version, store_id: maker.id,
    delivery_type: wish.deliveryType, status: 'PENDING', stage: null, total: quote.bill.total, currency: quote.bill.currencyCode, snapshot: JSON.stringify(snapshot),
    submitted_at: now, scheduled_for: slot?.startsAt ?? null, starts_at: null, confirmed_at: null, finished_at: null, life: null, settle_by: now + SETTLE_MS,
    // Whoever paid before must be told apart from whoever happens to stand at the door.
    hand_over_code: isCash ? null : digits(4), arrived_at: null, bay: null, promise_deadline: null, promise_state: null,
  };
  if (!await addOrder(tx, order)) refuse(409, 'CART_CHANGED', messages.CART_CHANGED);
  if (wish.funds !== undefined && held > 0) await takeFunds(tx, call, order, wish.funds, wish.paymentMode);
  if (shared !== null) await finishGroup(tx, shared.group, 'ORDERED', orderId);
  await takeSpinAlong(tx, wish.cartId, orderId);
  await addEvent(tx, { order_id: orderId, from_status: null, status: 'PENDING', stage: null, actor: 'system', at: now });
  const payment = await addAttempt(tx, order, {
    attempt: 1, mode: wish.paymentMode, label: provider?.label ?? labelOf(wish.paymentMode, options), amount: rest, linked: provider !== undefined,
    cardToken: wish.cardToken ?? null, needsCode, returnPath: returnPath(call.header('returnpath'), caller.country, caller.partner), host: call.header('x-host'),
  }, now);
  if (payment.state === 'DUE_AT_DOOR' || payment.state === 'CAPTURED') await placeOrder(tx, order, now);
  await addToOutbox(tx, { orderId, kind: 'order.submitted', payload: { number: order.number, storeId: maker.id, total: order.total, currency: order.currency }, at: now });
  await enqueue(tx, { kind: 'outbox.send', runAt: now, payload: { orderId }, key: `outbox.send:${orderId}` });
  await emptyCart(tx, wish.cartId, now);
  await dropLocks(tx, wish.cartId);
  await countOrder(tx, userId);
  await submitSteps.before?.('commit');
  return { orderId, paymentId: payment.id };
}

/** The total the customer saw is charged, if it is today's or one that was promised. @throws Refusal 409 PRICE_CHANGED */
async function agreedQuote(tx: Tx, wish: Submission, checked: Checked, now: number): Promise<Quote> {
  if (checked.quote.bill.total === wish.total) return checked.quote;
  const { cardCodes } = checked.scene;
  for (const context of new Set([contextOf(wish, wish.paymentMode, cardCodes), contextOf(wish, wish.paymentMode), contextOf(wish, undefined)])) {
    const lock = await lockOf(tx, wish.cartId, wish.cartVersion, context, now);
    if (lock?.total !== wish.total) continue;
    const quote = JSON.parse(lock.quote) as Quote;
    // A quote may hold a coupon that this mode, or this card, does not allow: that would be another price.
    const at = { catalogue: checked.catalogue, paymentMode: wish.paymentMode, bin: null, cardCodes };
    const isBound = quote.applied.some((code) => {
      const coupon = checked.catalogue.coupons.get(code);
      return coupon !== undefined && paymentSays(coupon, at) !== null;
    });
    if (!isBound) return quote;
  }
  return refuse(409, 'PRICE_CHANGED', messages.PRICE_CHANGED, { field: 'total' });
}

export function labelOf(mode: PaymentMode, options: readonly PaymentOption[]): string {
  return options.find((option) => option.id === mode)?.label ?? OWN_LABELS[mode] ?? mode;
}
const OWN_LABELS: Partial<Record<PaymentMode, string>> = { WALLET: WALLET_LABEL, EGV: 'E-voucher' };

const NUMBER_TRIES = 30;
/** Four digits that no other order of this store and day has; five when the day is that full. */
async function numberFor(tx: Tx, storeId: string, day: string): Promise<string> {
  for (let n = 0; n < NUMBER_TRIES; n += 1) {
    const number = digits(n < NUMBER_TRIES / 2 ? 4 : 6);
    if (!number.startsWith('0') && await takeNumber(tx, storeId, day, number)) return number;
  }
  throw new Error(`no free order number at store ${storeId} on ${day}`);
}
