import type { GroupShares } from '../../../contract/shares.ts';
import type { Country } from '../../../../country/shape.ts';
import { countryConfig } from '../../../../country/index.ts';
import type { FundsWish } from '../../../contract/funds.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { PaymentMode } from '../../../contract/names.ts';
import * as contract from '../../../contract/orders.ts';
import type { OrderView } from '../../../contract/orders.ts';
import { optionsNamed, type PaymentChoice, type PaymentOption, type PaymentStep } from '../../../contract/payments.ts';
import { localDay } from '../../../domain/hours.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { errors, t } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import { cartEmptied } from '../../store/carts.ts';
import { ordersCounted } from '../../store/coupons.ts';
import { OutdatedRead, type Tx } from '../../store/db.ts';
import { finishGroup, type GroupRow } from '../../store/group.ts';
import { newId, newToken, digits } from '../../store/ids.ts';
import { giveBack, newJobs, type Claim } from '../../store/jobs.ts';
import {
  dropLocks,
  firstEvents,
  newOrder,
  numbersGiven,
  numberTaken,
  tellOrderIs,
  type EventRow,
  type OrderRow,
  type OrderSnapshot,
} from '../../store/orders.ts';
import type { Message } from '../../store/outbox.ts';
import { latestPayment, newPayment, stepSet, tellNewPayment, type PaymentRow } from '../../store/payments.ts';
import { payLinkOf } from '../../store/payLinks.ts';
import { claimForOrder } from '../../store/idempotency.ts';
import { readForSubmit, type SubmitReading } from '../../store/submitReading.ts';
import { writeTogether, type Write } from '../../store/together.ts';
import { sessionOver } from '../people/sessions.ts';
import { newShare } from '../../store/tracking.ts';
import { takeSpinAlong } from '../../store/wheel.ts';
import { attemptRow, begin, captureWhole, mustOwnCard, needsCode, sendFirstCode, startAtProvider } from './attempts.ts';
import { returnPath } from '../hosts/hosts.ts';
import {
  check,
  duplicatesSince,
  firstOrderOf,
  promisedQuotes,
  type Basket,
  type CheckoutReview,
  type CustomerInput,
  type Quote,
} from './checkout.ts';
import { takenFrom } from '../cart/cartReturn.ts';
import { englishWords } from '../cart/englishWords.ts';
import { paymentSays } from '../offers/couponConditions.ts';
import { isOwnMode, ownModeLabel, shortOf, stepOf, sumOf, takeFunds, wholeMode } from '../payment/funds.ts';
import { choiceOf, modeProblem, optionsOf } from '../payment/modes.ts';
import { linkedProvider, walletLink, type Linkable, type WalletLink } from '../payment/linkedWallets.ts';
import { linesFor } from './orderLines.ts';
import { countOrder } from '../experiments/record.ts';
import { groupToOrder, sharesFor, type GroupToOrder } from '../group/group.ts';
import { spendReward } from '../loyalty/loyalty.ts';
import { holdersFor, wayHolder } from '../offers/firstOrder.ts';
import { countedFor, useCoupons } from '../offers/redeem.ts';
import { serviceContent } from '../order/orders.ts';
import { nextStep, viewNow, viewOfNew, type NewOrder } from '../order/orderView.ts';
import { ordersBefore } from '../order/kitchen.ts';
import { tellJob, tellStoreNow } from '../order/outbox.ts';
import { placeOrder, placingOf, type Placement } from '../placing/placed.ts';
import { watchOf } from '../placing/settle.ts';
import { SETTLE_MS } from '../../call/payments.ts';
import { storeView } from '../places/stores.ts';
import { newHandOverCode, riderToken } from '../trains/handOver.ts';
import { stationByCode } from '../trains/journey.ts';
import { refreshSaved } from '../trains/saved.ts';
import { fingerprint, keyOf, once } from '../reliability/idempotency.ts';
import { takeTrain } from '../../store/trains.ts';
import { nowState } from '../../../domain/hours.ts';
import { windowOf } from '../../../domain/trains.ts';
import { aboutOrder, currentTrace } from '../../trace.ts';

interface Submission extends Basket {
  readonly customer: CustomerInput;
  readonly paymentMode: PaymentMode;
  readonly cartVersion: number;
  readonly total: number;
  readonly instructions?: readonly string[] | undefined;
  readonly note?: string | undefined;
  readonly allowDuplicate?: boolean | undefined;
  readonly termsAccepted: boolean;
  readonly termsVersion?: string | undefined;
  readonly cardToken?: string | undefined;
  readonly funds?: FundsWish | undefined;
  readonly paymentChoice?: string | undefined;
  /** What the program of an assistant that prepared it calls itself. */
  readonly assistant?: string | undefined;
}

/**
 * Test hooks between the steps of a submit: a test can let a competing call run there, or end the process. Nothing else
 * sets them.
 */
export const submitSteps: {
  before: ((step: 'begin' | 'price' | 'redeem' | 'commit' | 'start') => Promise<void> | void) | null;
} = { before: null };

interface OrderReference {
  readonly orderId: string;
  readonly paymentId: string;
}

/** What a submit has written, for what follows its commit. */
interface Written extends NewOrder {
  /** What the store is told, and the job to tell it. */
  readonly message: Message;
  readonly job: Claim;
  /** Whether all that the order's view is made of is here. */
  readonly isWhole: boolean;
}

/** A call that submits. */
interface Submit {
  readonly call: Call;
  readonly asked: Submission;
  readonly key: string;
  readonly options: readonly PaymentOption[];
  /** The ids of what it makes: known before, so that its key can name them from the beginning. */
  readonly ids: OrderReference;
  /** Whether the cart is locked; not where it was made at this moment. */
  readonly isLocked: boolean;
}

/**
 * Turns a cart into an order in one transaction (reference: reliability 6.1), which holds the locks of the person and the
 * cart: a login elsewhere may be moving all that is theirs to another account, and ends this session then. It reads the
 * cart, compares version and total, uses up coupons with guarded updates, and writes order, payment and what the store is
 * told. Asks no outside service. What every order needs is read by one statement and written together
 * (decisions/2026-11-29-submit-statements.md); what few orders have, such as coupons and balances, by its own.
 * @returns the order that was made with this key before, if there is one
 * @throws Refusal 401 TOKEN_INVALID; 409 CART_CHANGED, PRICE_CHANGED, FUNDS_CHANGED, DUPLICATE_ORDER, COUPON_*; 422
 *   TERMS and every problem of the validations
 */
async function submit(tx: Tx, of: Submit): Promise<Written | OrderReference> {
  const { call, asked, options } = of;
  const kept = await readKept(tx, of);
  // It was made between the two: another call could go on changing it.
  if (!of.isLocked && kept.cart !== undefined) throw new OutdatedRead();
  if (!kept.isOpenSession) sessionOver(call.caller.host);
  // A guest who logged in meanwhile repeats the key from the account. The order moved to the account; the record of the
  // key did not.
  if (kept.orderId !== undefined) return await submittedBefore(tx, kept.orderId);
  const wish = payableWish(asked);
  if (!wish.termsAccepted) refuse(422, 'TERMS', errors.termsMissing, { field: 'termsAccepted' });
  const reading = await read(tx, call, wish, options, kept);
  const decision = decide(wish, reading);
  await mustOwnCard(tx, call, wish.paymentMode, wish.cardToken);
  return await write(tx, of, wish, reading, decision);
}

async function submittedBefore(tx: Tx, orderId: string): Promise<OrderReference> {
  const paid = await latestPayment(tx, orderId);
  if (paid === undefined) throw new Error(`order ${orderId} has no payment`);
  return { orderId, paymentId: paid.id };
}

function numberOf(count: number): string {
  const number = digits(count);
  return number.startsWith('0') ? numberOf(count) : number;
}
/** Numbers that an order may get, the first that is free: of four digits, or of six where many of those are given today. */
const numbersToTry = (): string[] => [4, 4, 4, 4, 6, 6].map(numberOf);

const dayFor = ({ caller, now }: Call): string => localDay(now, countryConfig(caller.country).timeZone);

async function readKept(tx: Tx, { call, asked, key }: Submit): Promise<KeptReading> {
  const { caller, now } = call;
  const numbers = numbersToTry();
  const kept = await readForSubmit(tx, {
    cartId: asked.cartId,
    userId: userIdOf(call),
    country: caller.country,
    mobile: caller.mobile,
    sessionId: caller.sessionId!,
    key,
    since: duplicatesSince(now),
    storeId: asked.storeId,
    day: dayFor(call),
    numbers,
    cash:
      asked.paymentMode === 'COD'
        ? {
            orderMobile: phoneNumber(asked.customer.mobile, countryConfig(caller.country)) ?? '',
            ...ordersBefore(now),
          }
        : null,
  });
  return { ...kept, numbers: numbers.filter((number) => !kept.given.has(number)) };
}
type KeptReading = SubmitReading & {
  /** Numbers that the store has not given today. */ readonly numbers: readonly string[];
};

type PayableSubmission = Submission & { readonly held: number };

/** If balances pay the whole total, they become the payment mode, whatever else was chosen. */
function payableWish(asked: Submission): PayableSubmission {
  const held = sumOf(asked.funds);
  const isWhole = held > 0 && held === asked.total;
  return { ...asked, held, ...(isWhole ? { paymentMode: wholeMode(asked.funds!) } : {}) };
}

/** Everything that the decision about a submit needs. */
interface Reading {
  readonly checked: CheckoutReview;
  /** Quotes that still hold; empty if today's total is the one the customer saw. */
  readonly promised: readonly Quote[];
  /** The provider's wallet to pay from; null if the order is not paid from one. */
  readonly link: WalletLink | null;
  readonly isDuplicate: boolean;
  /** The group that shares this cart; null if it is not shared. */
  readonly group: GroupToOrder | null;
  readonly kept: KeptReading;
}

/** Everything the decision needs, problems included, of a cart that is locked. @throws Refusal 404 NOT_FOUND */
async function read(
  tx: Tx,
  call: Call,
  wish: PayableSubmission,
  options: readonly PaymentOption[],
  kept: KeptReading,
): Promise<Reading> {
  await submitSteps.before?.('price');
  const checked = await check(tx, call, wish, options, kept);
  const { groupId } = checked.state;
  return {
    checked,
    kept,
    promised: checked.quote.bill.total === wish.total ? [] : await promisedQuotes(tx, wish, checked, call.now),
    link: wish.linked === true ? await walletLink(tx, call, wish.paymentMode) : null,
    isDuplicate: wish.allowDuplicate !== true && kept.isDuplicate,
    group: groupId ? await groupToOrder(tx, groupId) : null,
  };
}

/** What the order will be. */
interface Decision {
  readonly quote: Quote;
  /** What is left to pay after the balances; minor units. */
  readonly rest: number;
  /** The payment mode's name, as the customer sees it. */
  readonly label: string;
  /** The bank or service of the mode. */
  readonly choice: PaymentChoice | null;
  readonly isLinked: boolean;
  /** What each person owes in a group order; null without a group. */
  readonly shares: GroupShares | null;
  readonly group: GroupRow | null;
}

/**
 * Decides whether the order can be placed, and at which price. Pure.
 * @throws Refusal 409 CART_CHANGED, PRICE_CHANGED, FUNDS_CHANGED, DUPLICATE_ORDER; 422 TERMS, PAYMENT_MODE, LINKED_GONE
 *   and every problem of the validations
 */
function decide(wish: PayableSubmission, { checked, promised, link, isDuplicate, group }: Reading): Decision {
  const { legal } = checked.catalogue.seeds.content;
  if ((wish.termsVersion ?? legal.version) !== legal.version)
    refuse(422, 'TERMS', errors.termsMissing, { field: 'termsAccepted' });
  if (checked.state.version !== wish.cartVersion) refuse(409, 'CART_CHANGED', t.cartChanged);
  if (checked.problems.length > 0) throw new Refusal(422, checked.problems);
  const quote = agreedQuote(wish, checked, promised);
  const rest = mustAddUp(wish, quote.bill.total, checked.catalogue.country);
  mustTake(wish.paymentMode, rest, checked);
  const provider = wish.linked === true ? linkedProvider(link) : undefined;
  if (isDuplicate) refuse(409, 'DUPLICATE_ORDER', errors.duplicateOrder);
  return {
    quote,
    rest,
    label: labelOf(wish.paymentMode, optionsNamed(checked.options, wish.deliveryType), provider),
    choice: choiceOf(checked.options, wish.paymentMode, wish.paymentChoice),
    isLinked: provider !== undefined,
    group: group?.group ?? null,
    shares: group && sharesFor(group, quote.lines, quote.bill, quote.costs),
  };
}

/**
 * The quote with the total the customer saw: today's, or an earlier one that still holds.
 * @throws Refusal 409 PRICE_CHANGED
 */
function agreedQuote(wish: PayableSubmission, checked: CheckoutReview, promised: readonly Quote[]): Quote {
  if (checked.quote.bill.total === wish.total) return checked.quote;
  const { catalogue } = checked;
  const at = { catalogue, bin: null, cardCodes: checked.context.cardCodes };
  const found = promised.find(
    ({ bill, applied }) =>
      bill.total === wish.total &&
      // A quote may hold a coupon that this mode or card does not allow; then its price does not apply.
      applied.every((code) => {
        const coupon = catalogue.coupons.get(code);
        return coupon === undefined || paymentSays(coupon, wish.paymentMode, at) === null;
      }),
  );
  return found ?? refuse(409, 'PRICE_CHANGED', t.priceChanged, { field: 'total' });
}

/**
 * What is left to pay after the balances. It must be 0 if the balances are the payment mode, and above 0 if not (unless
 * the order is free), and a sum that the mode can pay.
 * @throws Refusal 409 FUNDS_CHANGED
 */
function mustAddUp({ held, paymentMode }: PayableSubmission, total: number, country: Pick<Country, 'roundTo'>): number {
  const rest = total - held;
  const isPayable = shortOf(rest, stepOf(paymentMode, country)) === 0;
  const isRight = isOwnMode(paymentMode) ? rest === 0 : (rest > 0 && isPayable) || (held === 0 && total === 0);
  if (!isRight) refuse(409, 'FUNDS_CHANGED', t.fundsChanged, { field: 'funds' });
  return rest;
}

/**
 * An earlier quote may leave more to pay than today's price, and more than the mode takes.
 * @throws Refusal 422 CASH_LIMIT
 */
function mustTake(mode: PaymentMode, rest: number, { catalogue, options }: CheckoutReview): void {
  const problem = isOwnMode(mode) ? null : modeProblem(catalogue.country, options, mode, rest);
  if (problem !== null) throw new Refusal(422, [problem]);
}

function labelOf(mode: PaymentMode, options: readonly PaymentOption[], provider: Linkable | undefined): string {
  return provider?.label ?? options.find((option) => option.id === mode)?.label ?? ownModeLabel(mode) ?? mode;
}

/** A copy of everything the order was made from, so that later changes elsewhere do not affect it. */
function snapshotFor(
  wish: PayableSubmission,
  checked: CheckoutReview,
  { quote, shares }: Decision,
  now: number,
): OrderSnapshot {
  const { maker, offline, catalogue } = checked;
  return {
    store: storeView(catalogue, maker, offline, now, wish.address ?? undefined),
    address: wish.deliveryType === 'DELIVERY' && checked.train === null ? (wish.address ?? null) : null,
    vehicle: wish.deliveryType === 'CURB' ? (wish.vehicle ?? null) : null,
    table: wish.deliveryType === 'DINEIN' ? (wish.table ?? null) : null,
    ...trainFor(checked),
    customer: { ...wish.customer, mobile: checked.mobile ?? '' },
    ...linesFor(quote),
    bill: quote.bill,
    ...englishWords(checked.state, checked.context),
    coupons: quote.applied,
    pizzas: quote.pizzas,
    instructions: [...new Set(wish.instructions ?? [])],
    note: wish.note || null,
    termsVersion: catalogue.seeds.content.legal.version,
    kitchen: {
      maxOrdersPer10Min: maker.maxOrdersPer10Min,
      prepMinutes: maker.prepMinutes,
      minutesPerKm: maker.minutesPerKm,
    },
    ...(shares === null ? {} : { group: shares }),
    ...(wish.assistant === undefined ? {} : { assistant: wish.assistant }),
    cart: takenFrom(checked.state),
  };
}

/** The slip for the rider of an order to a train; the code is the passenger's alone. */
async function riderPapers(tx: Tx, { train }: CheckoutReview): Promise<object> {
  if (train === null) return {};
  const { train_number: trainNumber, station, arrives_at: arrivesAt } = train;
  return { trainNumber, station, arrivesAt, riderToken: await riderToken(tx, train.id) };
}

/** The train of an order, without whose journey it is: that is forgotten sooner than the order. */
function trainFor({ train, catalogue }: CheckoutReview): Pick<OrderSnapshot, 'train'> {
  const station = train && stationByCode(catalogue.country.COUNTRY_CODE, train.station);
  if (!train || !station) return {};
  const { name, latitude, longitude } = station;
  return { train: { number: train.train_number, name: train.train_name, station: name, latitude, longitude } };
}

/** How an order is handed over: to a train by letters and digits, and always against them. */
function handOverCodeFor(wish: PayableSubmission, { train, catalogue }: CheckoutReview): string | null {
  if (train !== null) return newHandOverCode();
  // What is left at the door or with the guard is handed to nobody who could say it.
  const isLeft = serviceContent(catalogue.country.COUNTRY_CODE).deliveryInstructions.some(
    ({ id, unattended }) => unattended === true && wish.instructions?.includes(id),
  );
  if (wish.deliveryType === 'DELIVERY' && isLeft) return null;
  // An order that is already paid needs a code, so that it is handed to the right person.
  return wish.paymentMode === 'COD' ? null : digits(4);
}

/** When an order fails if it is unpaid: as `payableUntil` says, or sooner. */
function settleBy(now: number, { train, slot, maker, catalogue }: CheckoutReview): number {
  const usual = now + SETTLE_MS;
  if (train !== null) return Math.min(usual, windowOf(train.arrives_at, train.cutoff_minutes).payUntil);
  const state = nowState(maker, slot?.startsAt ?? now, catalogue.country.timeZone);
  return state.isOpen ? Math.min(usual, state.payBy) : usual;
}

function orderOf(
  call: Call,
  wish: PayableSubmission,
  checked: CheckoutReview,
  decision: Decision,
  own: Pick<OrderRow, 'id' | 'number' | 'idempotency_key' | 'snapshot'>,
): OrderRow {
  const { caller, now } = call;
  const { bill } = decision.quote;
  return {
    ...own,
    country: caller.country,
    host: caller.host,
    user_id: userIdOf(call),
    mobile: checked.mobile ?? '',
    cart_id: wish.cartId,
    cart_version: checked.state.version,
    store_id: checked.maker.id,
    delivery_type: checked.train === null ? wish.deliveryType : 'IRCTC',
    status: 'PENDING',
    stage: null,
    total: bill.total,
    currency: bill.currencyCode,
    submitted_at: now,
    scheduled_for: checked.train?.arrives_at ?? checked.slot?.startsAt ?? null,
    starts_at: null,
    confirmed_at: null,
    finished_at: null,
    life: null,
    settle_by: settleBy(now, checked),
    hand_over_code: handOverCodeFor(wish, checked),
    arrived_at: null,
    bay: null,
    promise_deadline: null,
    promise_state: null,
    trace: currentTrace()?.id ?? null,
    cutlery: checked.state.cutlery ? 1 : 0,
  };
}

/** The order's number: one that its store has not given today. */
async function numberFor(tx: Tx, call: Call, { checked: { maker }, kept }: Reading, storeId: string): Promise<string> {
  const { numbers } = kept;
  // An order for later may be another store's.
  const given =
    maker.id === storeId ? kept.given : await numbersGiven(tx, { storeId: maker.id, day: dayFor(call), numbers });
  const free = numbers.find((number) => !given.has(number));
  if (free === undefined) throw new OutdatedRead();
  return free;
}

/** What the store is told of an order. */
async function messageFor(tx: Tx, order: OrderRow, checked: CheckoutReview): Promise<Message> {
  const { id: orderId, number, store_id: storeId, total, currency, submitted_at: at } = order;
  const cutlery = order.cutlery === 1 ? { cutlery: true } : {};
  const payload = { number, storeId, total, currency, ...cutlery, ...(await riderPapers(tx, checked)) };
  return { orderId, kind: 'order.submitted', payload, at };
}

/** Whether no balance pays a part of it and no train brings it: what both write is read again. */
const isPlain = ({ held }: PayableSubmission, { train }: CheckoutReview): boolean => held === 0 && train === null;

const isDone = ({ state }: PaymentRow): boolean => state === 'DUE_AT_DOOR' || state === 'CAPTURED';

/** How an order in cash goes on that is placed by the write that adds it; null for any other. Pure. */
function placingWith(
  order: OrderRow,
  payment: PaymentRow,
  wish: PayableSubmission,
  { checked, kept }: Reading,
  now: number,
): Placement | null {
  // An order for later may be made by another store, whose kitchen was not looked at.
  const isKnown = isPlain(wish, checked) && order.store_id === wish.storeId;
  return isDone(payment) && isKnown && kept.cash !== null ? placingOf(order, kept.cash.placing, now) : null;
}

function eventsOf({ id, status, submitted_at: at }: OrderRow, placing: Placement | null): EventRow[] {
  const first: EventRow = { order_id: id, seq: 1, from_status: null, status, stage: null, actor: 'system', at };
  return placing === null ? [first] : [first, { ...placing.event, seq: 2 }];
}

/**
 * Writes the order and everything that goes with it.
 * @throws Refusal 409 COUPON_*, CART_CHANGED, REWARD_GONE, and what takeFunds refuses
 */
async function write(
  tx: Tx,
  { call, key, ids }: Submit,
  wish: PayableSubmission,
  reading: Reading,
  decision: Decision,
): Promise<Written> {
  const { caller, now } = call;
  const { checked, kept } = reading;
  const { quote, rest } = decision;
  const { catalogue } = checked;
  const userId = userIdOf(call);
  const { orderId } = ids;
  const counted = { userId, mobile: caller.mobile, orderId, now };
  await submitSteps.before?.('redeem');
  if (quote.applied.length > 0) {
    const holders = await holdersFor(tx, caller, firstOrderOf(call, wish), now);
    await useCoupons(tx, catalogue, { ...counted, couponCodes: quote.applied, holders });
  }
  const snapshot = snapshotFor(wish, checked, decision, now);
  const order = orderOf(call, wish, checked, decision, {
    id: orderId,
    number: await numberFor(tx, call, reading, wish.storeId),
    idempotency_key: key,
    snapshot: JSON.stringify(snapshot),
  });
  aboutOrder(order);
  const payment = attemptRow(
    order,
    {
      id: ids.paymentId,
      attempt: 1,
      mode: wish.paymentMode,
      label: decision.label,
      amount: rest,
      linked: decision.isLinked,
      choice: decision.choice,
      cardToken: wish.cardToken ?? null,
      link: wish.paymentMode === 'LINK' ? newToken() : null,
      holder: await wayHolder(tx, userId, firstOrderOf(call, wish), now),
      // The number of an order to a train is checked before it.
      needsCode:
        checked.train === null && needsCode(caller, wish.paymentMode, order.mobile, kept.cash?.isConfirmed === true),
      host: caller.host,
      returnPath: returnPath(call.header('returnpath'), caller.country, caller.host),
      settleBy: order.settle_by,
    },
    now,
  );
  const placing = placingWith(order, payment, wish, reading, now);
  const placed: OrderRow = { ...order, ...placing?.values };
  const events = eventsOf(order, placing);
  const message = await messageFor(tx, order, checked);
  const later = [...watchOf(payment), ...(placing?.jobs ?? [])];
  const jobs = newJobs(tx, later, tellJob(message), kept.system.now - kept.system.offsetMs);
  const [isNumbered, isNew] = await writeTogether(tx, [
    numberTaken.of(tx, { store_id: order.store_id, day: dayFor(call), number: order.number }),
    newOrder.of(tx, placed),
    ordersCounted.of(tx, { rows: countedFor(catalogue, counted) }),
    firstEvents.of(tx, { rows: events }),
    newPayment.of(tx, payment),
    jobs.add,
    ...(placing === null ? [] : [newShare.of(tx, placing.share)]),
    ...cartEmptied(tx, checked.state, now),
  ]);
  // Another order of this moment has the number.
  if (isNumbered !== 1) throw new OutdatedRead();
  if (isNew !== 1) refuse(409, 'CART_CHANGED', t.cartChanged);
  tellOrderIs(tx, order);
  if (placing !== null) tellOrderIs(tx, placed);
  tellNewPayment(tx, payment);
  await writeRare(tx, call, wish, order, reading, decision);
  if (placing !== null) await countOrder(tx, order, placing.visitors, now);
  if (payment.link !== null) await payLinkOf(tx, orderId, payment.link, now);
  await captureWhole(tx, payment, now);
  const isPlacedNow = placing === null && isDone(payment);
  if (isPlacedNow) await placeOrder(tx, order, now);
  await submitSteps.before?.('commit');
  const isWhole = isPlain(wish, checked) && !isPlacedNow;
  return { order: placed, snapshot, events, payment, message, job: jobs.own, isWhole };
}

/** What few orders have. @throws Refusal 409 CART_CHANGED, REWARD_GONE, and what takeFunds refuses */
async function writeRare(
  tx: Tx,
  call: Call,
  wish: PayableSubmission,
  order: OrderRow,
  { checked }: Reading,
  { quote, group }: Decision,
): Promise<void> {
  if (checked.train !== null && !(await takeTrain(tx, checked.train.id, order.id)))
    refuse(409, 'CART_CHANGED', t.cartChanged);
  if (wish.funds !== undefined && wish.held > 0) await takeFunds(tx, call, order, wish.funds, wish.paymentMode);
  if (quote.isRewarded === true) await spendReward(tx, order, call.now);
  if (group !== null) await finishGroup(tx, group, 'ORDERED', order.id);
  if (checked.hasSpun) await takeSpinAlong(tx, wish.cartId, order.id);
}

/**
 * Begins a payment that was just written: its code is sent, or it is started outside.
 * @returns as it is from then on, to be stored with `stepSet`; null where it could not be started, and has failed
 */
async function beginNew(call: Call, order: OrderRow, payment: PaymentRow): Promise<PaymentRow | null> {
  if (payment.state === 'OTP_NEEDED') return { ...payment, step: await sendFirstCode(call, payment, order) };
  if (payment.state !== 'CREATED') return payment;
  const step = await startAtProvider(call, payment);
  return step && { ...payment, step: JSON.stringify(step), state: 'SENT' };
}

/**
 * What follows the commit: the store is told, and the payment begun where it begins outside. What comes of both is handed
 * to `withReply`, to be written with the answer.
 */
async function follow(
  call: Call,
  { order, payment, message, job, isWhole, ...more }: Written,
  withReply: (writes: readonly Write[]) => void,
): Promise<{ readonly order: OrderView; readonly next: PaymentStep }> {
  const { db, now } = call;
  try {
    await submitSteps.before?.('start');
    const told = await tellStoreNow(call, message, job);
    if (!isWhole) {
      const next = await begin(call, payment.id);
      withReply(told);
      return { order: await viewNow(call, order.id), next };
    }
    const begun = await beginNew(call, order, payment);
    withReply(told);
    if (begun === null) return { order: await viewNow(call, order.id), next: { kind: 'none' } };
    if (begun.step !== null && begun.step !== payment.step)
      withReply([stepSet.of(db, { id: payment.id, step: begun.step })]);
    return {
      order: viewOfNew({ order, payment: begun, ...more }, now),
      next: nextStep(begun, now) ?? { kind: 'none' },
    };
  } catch (error) {
    // Where the database is away, the lease ends by itself.
    await giveBack(db, [job]).catch(() => call.services.log.warn({}, 'a job was not given back'));
    throw error;
  }
}

/** Orders the caller's cart, once for its key, and begins the payment. @throws Refusal as `submit` */
export async function submitOnce(
  call: Call,
  body: EndpointInput<typeof contract.submit>['body'] & Pick<Submission, 'assistant'>,
): Promise<PreparedReply> {
  const key = keyOf(call);
  await refreshSaved(call, body.train);
  const options = await optionsOf(call);
  await submitSteps.before?.('begin');
  const ids: OrderReference = { orderId: newId('ord'), paymentId: newId('txn') };
  /** By this call; null where another one has, or another process. */
  let written: Written | null = null;
  let isLocked = false;
  try {
    return await once(
      call,
      key,
      fingerprint(contract.submit.path, body),
      async (tx) => {
        const made = await submit(tx, { call, asked: body, key, options, ids, isLocked });
        written = 'order' in made ? made : null;
        return 'order' in made ? ids : made;
      },
      async ({ orderId, paymentId }, withReply) => {
        // A transaction that was undone, and then found its key taken, has written nothing.
        if (written?.order.id === orderId) return await follow(call, written, withReply);
        await submitSteps.before?.('start');
        const next = await begin(call, paymentId);
        return { order: await viewNow(call, orderId), next };
      },
      {
        expected: ids,
        async claim(tx, own) {
          const got = await claimForOrder(tx, own, body.cartId);
          ({ isLocked } = got);
          return got.isClaimed;
        },
      },
    );
  } catch (error) {
    // The price was locked with a coupon that cannot be used any more: drop the lock, so that it is not quoted again.
    if (error instanceof Refusal && error.errors.some(({ code }) => code.startsWith('COUPON_')))
      await dropLocks(call.db, body.cartId);
    throw error;
  }
}
