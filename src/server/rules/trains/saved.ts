import type * as z from 'zod/mini';
import type { save, change } from '../../../contract/trains.ts';
import type { OtpSent } from '../../../contract/login.ts';
import { BOOK_AHEAD_HOURS, windowOf } from '../../../domain/trains.ts';
import type { ApiError } from '../../../contract/reply.ts';
import { errors, languageAsked, railway as say } from '../../call/language.ts';
import { jobs } from '../../call/jobs.ts';
import { refuse } from '../../call/refusal.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { RailRun, RailTicket } from '../../call/railway.ts';
import type { Services } from '../../call/services.ts';
import { takeCart } from '../../store/carts.ts';
import { transact, type Db } from '../../store/db.ts';
import { newId } from '../../store/ids.ts';
import { enqueue } from '../../store/jobs.ts';
import { orderById } from '../../store/orders.ts';
import { isFinal } from '../../../domain/orders.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import {
  addNews,
  addTrain,
  dropSaved,
  forgetJourney,
  setCartTrain,
  setTrain,
  trainByEither,
  type KnownStop,
  type TrainRow,
} from '../../store/trains.ts';
import { now as clockNow } from '../../store/system.ts';
import { mustOwnCart } from '../cart/pricingContext.ts';
import { checkCode, guess, numberOf, refuseCode, sendCode, type CodeOf } from '../people/otp.ts';
import { hereOf } from '../catalogue/here.ts';
import { findJourney, isOpenFor, stationByCode, stopsBetween, stopState, storeOfStation } from './journey.ts';
import { sealed } from './sealed.ts';

/** The journey is forgotten so long after its train should be at its destination. */
const FORGET_AFTER_MS = 3 * HOUR_MS;

type TrainInput = z.output<typeof save.body>;
type Change = z.output<typeof change.body>;
type OtpSending = z.output<typeof OtpSent>;

/** What the train is known by, from what the railway says of it now. */
export function seenNow(run: RailRun, station: string): Partial<TrainRow> {
  const stop = run.stops.find(({ code }) => code === station);
  if (stop === undefined) return {};
  return {
    arrives_at: stop.arrivesAt,
    departs_at: stop.departsAt,
    platform: stop.platform,
    ...(stop.hasArrived ? { halted_at: stop.arrivesAt } : {}),
  };
}

/** The stops of a journey as they are kept. */
const knownStops = (run: RailRun, ends: Pick<RailTicket, 'from' | 'to'>): KnownStop[] =>
  stopsBetween(run, ends).map(({ code, name, arrivesAt, hasArrived, missed }) => ({
    code,
    name,
    arrivesAt,
    hasArrived,
    isMissed: missed !== null,
  }));

export const forgetAt = (stops: readonly KnownStop[]): number =>
  Math.max(...stops.map((stop) => stop.arrivesAt)) + FORGET_AFTER_MS;

/**
 * Saves journey, station and seat for a cart, in the place of what was saved for it before.
 * @throws Refusal as findJourney; 422 TRAIN_STATION, TRAIN_CUTOFF, TRAIN_EARLY, STORE_SHUT, INVALID_MOBILE; 404 NOT_FOUND
 */
export async function saveTrain(call: Call, wish: TrainInput): Promise<{ row: TrainRow; otp: OtpSending | null }> {
  const { db, caller, now, services } = call;
  await mustOwnCart(db, caller, wish.cartId);
  const here = await hereOf(call);
  const { country } = here.catalogue;
  const mobile = wish.mobile === undefined ? '' : numberOf(wish.mobile, country);
  const passenger = wish.passenger && { ...wish.passenger, mobile: numberOf(wish.passenger.mobile, country) };
  const { pnr, ticket, run } = await findJourney(call, wish.pnr);
  const stop = stopsBetween(run, ticket).find(({ code }) => code === wish.stationId);
  const station = stationByCode(country.COUNTRY_CODE, wish.stationId);
  const store = storeOfStation(here.catalogue, wish.stationId);
  if (stop === undefined || station === undefined || store === undefined)
    return refuse(422, 'TRAIN_STATION', say.stopNotServed, { field: 'stationId' });
  const state = stopState(here, stop);
  if (state !== 'OPEN') refuseStop(state, station.cutoffMinutes);
  const userId = userIdOf(call);
  const stops = knownStops(run, ticket);
  const row: TrainRow = {
    id: newId('trn'),
    user_id: userId,
    country: caller.country,
    order_id: null,
    store_id: store.id,
    station: stop.code,
    run: run.run,
    train_number: run.number,
    train_name: run.name,
    pnr: await sealed(services.railway, pnr),
    pnr_end: pnr.slice(-4),
    coach: seat(wish.coach) ?? ticket.coach,
    berth: seat(wish.berth) ?? ticket.berth,
    passenger_name: passenger?.name ?? null,
    passenger_mobile: passenger?.mobile ?? null,
    mobile,
    language: languageAsked(),
    checked_at: isOwnNumber(call, mobile) ? now : null,
    stops: JSON.stringify(stops),
    scheduled_at: stop.scheduledAt,
    agreed_at: stop.arrivesAt,
    arrives_at: stop.arrivesAt,
    departs_at: stop.departsAt,
    platform: stop.platform,
    cutoff_minutes: station.cutoffMinutes,
    halted_at: null,
    question: null,
    answer_by: null,
    code_tries: 0,
    seen_at: now,
    forget_at: forgetAt(stops),
    created_at: now,
  };
  const kept = await transact(db, async (tx) => {
    await takeCart(tx, { cartId: wish.cartId, userId, country: caller.country, storeId: store.id }, now);
    await addTrain(tx, row);
    const before = await setCartTrain(tx, wish.cartId, row.id);
    const old = before === null ? undefined : await trainByEither(tx, before);
    // The same number need not be shown twice.
    const checked = old !== undefined && mobile !== '' && old.mobile === mobile ? old.checked_at : null;
    if (before !== null) await dropSaved(tx, before);
    if (checked !== null) await setTrain(tx, row.id, { checked_at: checked });
    await planForget(tx, row);
    return { ...row, checked_at: row.checked_at ?? checked };
  });
  return { row: kept, otp: await codeIfNeeded(call, kept, wish.host) };
}

const seat = (typed: string | null | undefined): string | null => typed?.toUpperCase() || null;
const isOwnNumber = ({ caller }: Call, mobile: string): boolean =>
  mobile !== '' && caller.isLoggedIn && caller.mobile === mobile;

function refuseStop(state: string, minutes: number): never {
  if (state === 'TOO_EARLY') refuse(422, 'TRAIN_EARLY', say.early({ hours: BOOK_AHEAD_HOURS }), { field: 'stationId' });
  if (state === 'CLOSED') refuse(422, 'TRAIN_CUTOFF', say.cutoff({ minutes }), { field: 'stationId' });
  if (state === 'STORE_SHUT') refuse(422, 'STORE_SHUT', say.stopStoreShut, { field: 'stationId' });
  return refuse(422, 'TRAIN_STATION', say.stationGone, { field: 'stationId' });
}

const codeOf = (row: Pick<TrainRow, 'id' | 'mobile' | 'user_id'>, country: CodeOf['country']): CodeOf => ({
  purpose: `train:${row.id}`,
  mobile: row.mobile,
  userId: row.user_id,
  country,
});

async function codeIfNeeded(call: Call, row: TrainRow, host: string | undefined): Promise<OtpSending | null> {
  return row.mobile === '' || row.checked_at !== null ? null : await sendTrainCode(call, row, host);
}

/** @throws Refusal 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT */
export async function sendTrainCode(call: Call, row: TrainRow, host: string | undefined): Promise<OtpSending> {
  const { country } = (await hereOf(call)).catalogue;
  if (row.mobile === '') return refuse(422, 'INVALID_MOBILE', errors.mobileInvalid({ digits: country.PHONE_DIGIT }));
  const sent = await sendCode(call, codeOf(row, country), { page: { host }, text: say.codeMessage });
  return { status: 'SUCCESS', ...sent };
}

/** @throws Refusal 422 OTP_WRONG, OTP_EXPIRED, OTP_TRIES, OTP_FAILED; 428 CHALLENGE; 429 TOO_MANY */
export async function checkTrainCode(call: Call, row: TrainRow, code: string): Promise<TrainRow> {
  const { country } = (await hereOf(call)).catalogue;
  const verdict = await guess(call, () =>
    transact(call.db, async (tx) => {
      const found = await checkCode(tx, codeOf(row, country), code, call.now);
      if (found.kind === 'right') await setTrain(tx, row.id, { checked_at: call.now });
      return found;
    }),
  );
  if (verdict.kind !== 'right') refuseCode(verdict);
  return { ...row, checked_at: call.now };
}

/**
 * Changes seat, passenger or number; what is left out stays.
 * @throws Refusal 409 TRAIN_LEFT; 422 INVALID_MOBILE
 */
export async function changeTrain(
  call: Call,
  row: TrainRow,
  wish: Change,
): Promise<{ row: TrainRow; otp: OtpSending | null }> {
  const { country } = (await hereOf(call)).catalogue;
  const passenger = wish.passenger && { ...wish.passenger, mobile: numberOf(wish.passenger.mobile, country) };
  const mobile = wish.mobile === undefined ? row.mobile : numberOf(wish.mobile, country);
  const isNew = mobile !== row.mobile;
  const values: Partial<TrainRow> = {
    language: languageAsked(),
    ...(wish.coach === undefined ? {} : { coach: seat(wish.coach) }),
    ...(wish.berth === undefined ? {} : { berth: seat(wish.berth) }),
    ...(wish.passenger === undefined
      ? {}
      : { passenger_name: passenger?.name ?? null, passenger_mobile: passenger?.mobile ?? null }),
    ...(isNew && row.order_id === null ? { mobile, checked_at: isOwnNumber(call, mobile) ? call.now : null } : {}),
  };
  await transact(call.db, async (tx) => {
    if (row.order_id !== null) {
      const order = await orderById(tx, row.order_id);
      if (order === undefined || isFinal(order.status) || order.status === 'PICKED UP')
        refuse(409, 'TRAIN_LEFT', say.left);
      // The same said again is no news.
      const { coach, berth } = { ...row, ...values };
      if (coach !== row.coach || berth !== row.berth)
        await addNews(tx, { train_id: row.id, kind: 'SEAT', details: JSON.stringify({ coach, berth }), at: call.now });
    }
    await setTrain(tx, row.id, values);
  });
  const changed = { ...row, ...values };
  return { row: changed, otp: isNew ? await codeIfNeeded(call, changed, wish.host) : null };
}

/** Tells the store of an order that its passenger sits elsewhere now. */
export const tellSeat = ({ log }: Services, { order_id: orderId, coach, berth }: TrainRow): void =>
  log.info({ orderId, coach, berth }, 'changed the seat of an order');

/** Asks the railway again before an order, so that no order goes to a train that is gone. An old answer does for a while. */
export async function refreshSaved(call: Call, id: string | null | undefined): Promise<void> {
  if (id == null) return;
  const row = await trainByEither(call.db, id);
  if (row === undefined || row.order_id !== null) return;
  try {
    const run = await call.services.railway.run(row.run);
    const stop = run?.stops.find(({ code }) => code === row.station);
    const isGone = run === null || run.isCancelled || stop === undefined || stop.missed !== null;
    await setTrain(call.db, row.id, {
      seen_at: call.now,
      ...(isGone || run === null ? { arrives_at: 0 } : seenNow(run, row.station)),
      ...(isGone ? {} : { agreed_at: stop.arrivesAt }),
    });
  } catch (error) {
    call.services.log.warn({ error: String(error) }, 'the railway gave no answer');
  }
}

/** An answer of the railway that is older than this is not enough for an order. */
const HEARD_WITHIN_MS = 30 * MINUTE_MS;

/** Why nothing can be ordered to this saved train now. `row` undefined: there is none. */
export async function trainProblems(
  call: Call,
  db: Db,
  row: TrainRow | undefined,
  { storeId, mobile }: { readonly storeId: string; readonly mobile: string | null },
): Promise<ApiError[]> {
  const field = 'train';
  const isOwn = row !== undefined && row.user_id === userIdOf(call) && row.country === call.caller.country;
  if (!isOwn || row.order_id !== null) return [{ code: 'TRAIN_SAVED', displayMsg: say.saved, field }];
  const problems: ApiError[] = [];
  if (row.arrives_at === 0) return [{ code: 'TRAIN_GONE', displayMsg: say.stationGone, field }];
  if (call.now - row.seen_at > HEARD_WITHIN_MS)
    problems.push({ code: 'RAILWAY_AWAY', displayMsg: say.railwayAway, field });
  if (row.store_id !== storeId) problems.push({ code: 'TRAIN_STORE', displayMsg: say.stationOther, field: 'storeId' });
  const { opensAt, orderUntil } = windowOf(row.arrives_at, row.cutoff_minutes);
  if (call.now >= orderUntil)
    problems.push({ code: 'TRAIN_CUTOFF', displayMsg: say.cutoff({ minutes: row.cutoff_minutes }), field });
  if (call.now < opensAt)
    problems.push({ code: 'TRAIN_EARLY', displayMsg: say.early({ hours: BOOK_AHEAD_HOURS }), field });
  const { catalogue, offline } = await hereOf({ ...call, db });
  const store = catalogue.stores.get(row.store_id);
  if (store === undefined || offline.has(store.id) || !isOpenFor(catalogue, store, row.arrives_at))
    problems.push({ code: 'STORE_SHUT', displayMsg: say.stopStoreShut, field });
  if (row.checked_at === null || (mobile !== null && row.mobile !== mobile))
    problems.push({ code: 'TRAIN_OTP', displayMsg: say.phoneCheck, field: 'customer.mobile' });
  return problems;
}

const planForget = (tx: Db, { id, forget_at }: Pick<TrainRow, 'id' | 'forget_at'>) =>
  enqueue(tx, {
    kind: 'train.forget',
    runAt: forget_at,
    payload: { trainId: id },
    key: `train.forget:${id}:${forget_at}`,
  });

/** Forgets a saved journey that no order was made for. */
export async function dropTrain(call: Call, { id }: TrainRow): Promise<void> {
  await transact(call.db, (tx) => dropSaved(tx, id));
}

/** The journey is over: its number, its seat and who ate are forgotten; what was only saved goes whole. */
jobs.on<{ trainId: string }>('train.forget', async ({ trainId }, { db }) => {
  await transact(db, async (tx) => {
    const row = await trainByEither(tx, trainId);
    if (row === undefined) return;
    const at = await clockNow(tx);
    const order = row.order_id === null ? undefined : await orderById(tx, row.order_id);
    // The train is late, or its order is still under way.
    if (row.forget_at > at) return await planForget(tx, row);
    if (order !== undefined && !isFinal(order.status)) {
      const later = at + FORGET_AFTER_MS;
      await setTrain(tx, row.id, { forget_at: later });
      return await planForget(tx, { id: row.id, forget_at: later });
    }
    if (order === undefined) return void (await dropSaved(tx, row.id));
    await forgetJourney(tx, row.id);
  });
});
