import { answerBy, HAND_OVER_MINUTES, replan, windowOf, type FoodState, type HaltNow } from '../../../domain/trains.ts';
import { LineProblem } from '../../../domain/build.ts';
import { localTime } from '../../../domain/hours.ts';
import { inputOf } from '../../../domain/lineInput.ts';
import { isFinal } from '../../../domain/orders.ts';
import { countryConfig } from '../../../../country/index.ts';
import { internationalPhone } from '../../../domain/phone.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { inLanguage, railway as say } from '../../call/language.ts';
import { jobs } from '../../call/jobs.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import type { RailRun } from '../../call/railway.ts';
import type { Services } from '../../call/services.ts';
import { transact, type Db, type Root, type Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { lockOrder, plannedLife, setOrder, snapshotOf, type OrderRow, type OrderSnapshot } from '../../store/orders.ts';
import { offlineStores, soldOutAt } from '../../store/stores.ts';
import { now as clockNow } from '../../store/system.ts';
import {
  addNews,
  closeQuestion,
  setTrain,
  stopsOf,
  trainByEither,
  type LackingStation,
  type NewsKind,
  type OpenQuestion,
  type OtherStation,
  type TrainRow,
} from '../../store/trains.ts';
import { cancelOrder } from '../order/cancellation.ts';
import { deliverOrder, moveStart } from '../order/lifecycle.ts';
import { planNews } from '../order/orderNotices.ts';
import { momentText, paidWord, type NewsDetails } from '../order/trainView.ts';
import { latestPayment } from '../../store/payments.ts';
import { priceLine, type Availability } from '../pricing/price.ts';
import { isOpenFor, nextLook, stationByCode, storeOfStation } from './journey.ts';
import { forgetAt, seenNow, tellSeat } from './saved.ts';
import { unsealed } from './sealed.ts';

/** A change of so many minutes is told. */
const TOLD_FROM_MINUTES = 5;
/** Nobody has said for so long after the arrival that the train was there: the food did not reach it. */
const UNKNOWN_FOR_MS = 6 * HOUR_MS;

const planLook = (tx: Tx | Root, trainId: string, at: number, n: number) =>
  enqueue(tx, { kind: 'train.watch', runAt: at, payload: { trainId, n }, key: `train.watch:${trainId}:${n}` });

/** Begins to look after the train of an order, if it has one. */
export async function watchTrain(tx: Tx, order: OrderRow, now: number): Promise<void> {
  if (order.delivery_type !== 'IRCTC') return;
  const row = (await trainByEither(tx, order.id))!;
  await planLook(tx, row.id, now, 0);
}

/** What the stations of a run mean to one order. */
export interface StationContext {
  readonly catalogue: CountryCatalogue;
  readonly offline: ReadonlySet<string>;
  readonly now: number;
}

/** Other stations of the journey that the food could still come to; `lacking` could, if their store had all dishes. */
export async function otherStations(
  db: Db,
  { catalogue, offline, now }: StationContext,
  { row, order, run }: { readonly row: TrainRow; readonly order: OrderRow; readonly run: RailRun },
): Promise<Pick<OpenQuestion, 'others'> & Required<Pick<OpenQuestion, 'lacking'>>> {
  const own = new Set(stopsOf(row).map(({ code }) => code));
  const others: OtherStation[] = [];
  const lacking: LackingStation[] = [];
  for (const stop of run.stops) {
    const station = stationByCode(row.country, stop.code);
    const store = storeOfStation(catalogue, stop.code);
    if (!own.has(stop.code) || stop.code === row.station || station === undefined || store === undefined) continue;
    const { orderUntil } = windowOf(stop.arrivesAt, station.cutoffMinutes);
    const isOpen =
      stop.missed === null &&
      !stop.hasArrived &&
      now < orderUntil &&
      !offline.has(store.id) &&
      isOpenFor(catalogue, store, stop.arrivesAt);
    if (!isOpen) continue;
    const soldOut = await soldOutAt(db, store.id);
    const { minutes } = localTime(stop.arrivesAt, catalogue.country.timeZone);
    const dishes = missingDishes(catalogue, snapshotOf(order).lines, { soldOut, minutes });
    if (dishes.length > 0) lacking.push({ station: stop.code, name: stop.name, dishes });
    else others.push({ station: stop.code, name: stop.name, storeId: store.id, arrivesAt: stop.arrivesAt, orderUntil });
  }
  return { others, lacking };
}

/** The dishes of an order that a store does not have at that time: sold out, not on the menu, or not at that hour. */
function missingDishes(catalogue: CountryCatalogue, lines: OrderSnapshot['lines'], at: Availability): string[] {
  const missing = lines.filter((line) => {
    const { lineId, quantity, ...wish } = inputOf(line);
    try {
      priceLine(catalogue, lineId, quantity, wish, at);
      return false;
    } catch (error) {
      if (error instanceof LineProblem) return true;
      throw error;
    }
  });
  return [...new Set(missing.map(({ product }) => product.name))];
}

const tell = (tx: Tx, row: Pick<TrainRow, 'id'>, kind: NewsKind, details: NewsDetails, at: number) =>
  addNews(tx, { train_id: row.id, kind, details: JSON.stringify(details), at });

/** Gives all the money back, and says why. */
export async function refundTrain(
  tx: Tx,
  order: OrderRow,
  row: TrainRow,
  why: NonNullable<NewsDetails['why']>,
  now: number,
): Promise<void> {
  const actor = order.status !== 'ADVANCE ORDER' ? 'store' : why === 'CHOSEN' ? 'customer' : 'system';
  if (!(await cancelOrder(tx, order, [order.status], actor, now))) return;
  await setTrain(tx, row.id, { question: null, answer_by: null });
  await tell(tx, row, 'REFUNDED', { why }, now);
  if (why === 'CHOSEN') return;
  await planNews(tx, order, { id: 'TRAIN_REFUND' }, now);
  await planSms(tx, row, 'REFUND', now);
}

/** Customers without an open browser or without notices get an SMS of what they must know. */
const planSms = (tx: Tx, { id }: Pick<TrainRow, 'id'>, about: 'ASK' | 'REFUND', now: number) =>
  enqueue(tx, { kind: 'train.sms', runAt: now, payload: { trainId: id, about }, key: `train.sms:${id}:${about}` });

jobs.on<{ trainId: string; about: 'ASK' | 'REFUND' }>(
  'train.sms',
  async ({ trainId, about }, { db, services, now }) => {
    const row = (await trainByEither(db, trainId))!;
    // It was answered meanwhile, or the journey is over and forgotten.
    if (row.mobile === '' || (about === 'ASK' && row.answer_by === null)) return;
    const country = countryConfig(row.country);
    const app = country.appName;
    const paid = paidWord((await latestPayment(db, row.order_id!))?.mode);
    const text = inLanguage(row.language, () =>
      about === 'ASK'
        ? say.smsAsk({ app, paid, time: momentText(row.answer_by!, row.country, now) })
        : say.smsRefund({ app, paid }),
    );
    await services.sms.send(db, internationalPhone(row.mobile, country), text);
  },
);

/** The order goes with its train: later or earlier than it was, and nobody has to be asked. */
async function follow(tx: Tx, order: OrderRow, row: TrainRow, now: number, more: Partial<TrainRow>): Promise<void> {
  const arrivesAt = more.arrives_at!;
  if (row.question !== null) await setTrain(tx, row.id, { question: null, answer_by: null });
  if (order.status === 'ADVANCE ORDER' && (order.scheduled_for !== arrivesAt || row.question !== null))
    await moveStart(tx, order, arrivesAt, { earliest: now });
  const moved = Math.round((arrivesAt - row.arrives_at) / MINUTE_MS);
  if (Math.abs(moved) >= TOLD_FROM_MINUTES) {
    const late = Math.round((arrivesAt - row.scheduled_at) / MINUTE_MS);
    await tell(tx, row, late > 0 ? 'LATE' : 'ON_TIME', { minutes: late, arrivesAt }, now);
    await planNews(tx, order, { id: 'TRAIN_TIME' }, now);
  }
  if (more.platform != null && row.platform !== null && more.platform !== row.platform) {
    await tell(tx, row, 'PLATFORM', { platform: more.platform }, now);
    await planNews(tx, order, { id: 'TRAIN_PLATFORM' }, now);
  }
}

/** Asks the passenger, and holds the kitchen back until there is an answer, or its time is over. */
async function ask(
  tx: Tx,
  order: OrderRow,
  row: TrainRow,
  question: OpenQuestion,
  arrivesAt: number,
  now: number,
): Promise<void> {
  const isWaiting = order.status === 'ADVANCE ORDER';
  const ends = [
    ...(question.mayWait ? [windowOf(arrivesAt, row.cutoff_minutes).orderUntil] : []),
    ...question.others.map((other) => other.orderUntil),
  ];
  const by = answerBy(now, isWaiting ? 'WAITING' : 'MADE', Math.max(0, ...ends), row.answer_by);
  const isNew = row.question === null;
  await setTrain(tx, row.id, { question: JSON.stringify(question), answer_by: by });
  // Where there is no time at which the store could make it, the default or an answer ends the waiting.
  if (isWaiting && question.mayWait) await moveStart(tx, order, arrivesAt, { earliest: by + 1 });
  else if (isWaiting) await setOrder(tx, order.id, { starts_at: Math.max(by + 1, order.starts_at!) });
  await enqueue(tx, {
    kind: 'train.answer',
    runAt: by,
    payload: { trainId: row.id, answerBy: by },
    key: `train.answer:${row.id}:${by}`,
  });
  if (!isNew) return;
  await tell(tx, row, 'ASKED', {}, now);
  await planNews(tx, order, { id: 'TRAIN_ASK' }, now);
  await planSms(tx, row, 'ASK', now);
}

/** Whether the rider was on the platform before the train had left again. */
function wasThere(order: OrderRow, departsAt: number): boolean {
  const left = plannedLife(order)?.steps.find(({ status }) => status === 'PICKED UP');
  return left !== undefined && left.at + HAND_OVER_MINUTES * MINUTE_MS <= departsAt;
}

/** Applies what the railway says; the order is locked. */
async function applyRun(tx: Tx, order: OrderRow, row: TrainRow, run: RailRun, around: StationContext): Promise<void> {
  const { now } = around;
  const stop = run.stops.find(({ code }) => code === row.station);
  const seen = seenNow(run, row.station);
  const stops = stopsOf(row).map((known) => {
    const is = run.stops.find(({ code }) => code === known.code);
    return is === undefined
      ? known
      : { ...known, arrivesAt: is.arrivesAt, hasArrived: is.hasArrived, isMissed: is.missed !== null };
  });
  const halt: HaltNow = {
    isTrainCancelled: run.isCancelled,
    isShort: stop === undefined || stop.missed === 'SHORT',
    isSkipped: stop?.missed === 'SKIPPED',
    hasArrived: stop?.hasArrived ?? false,
    arrivesAt: stop?.arrivesAt ?? row.arrives_at,
  };
  const food: FoodState = order.status === 'ADVANCE ORDER' ? 'WAITING' : 'MADE';
  const { others, lacking } = await otherStations(tx, around, { row, order, run });
  const store = around.catalogue.stores.get(row.store_id);
  const isStoreOpen = store !== undefined && isOpenFor(around.catalogue, store, halt.arrivesAt);
  const what = replan({ food, agreedAt: row.agreed_at, others: others.length, isStoreOpen }, halt);
  if (what.kind === 'REFUND') await refundTrain(tx, order, row, what.why, now);
  else if (what.kind === 'ASK')
    await ask(
      tx,
      order,
      row,
      {
        kind: what.about,
        mayWait: what.about === 'LATE' && (food === 'MADE' || isStoreOpen),
        others: food === 'WAITING' ? others : [],
        lacking: food === 'WAITING' ? lacking : [],
      },
      halt.arrivesAt,
      now,
    );
  else await follow(tx, order, row, now, seen);
  await setTrain(tx, row.id, { ...seen, stops: JSON.stringify(stops), seen_at: now, forget_at: forgetAt(stops) });
}

/** The train was or should have been there: hands over, or gives the money back. */
async function atTheDoor(tx: Tx, order: OrderRow, row: TrainRow, now: number): Promise<void> {
  if (row.halted_at === null) {
    if (now > row.arrives_at + UNKNOWN_FOR_MS) await refundTrain(tx, order, row, 'UNKNOWN', now);
    return;
  }
  if (now < row.halted_at + HAND_OVER_MINUTES * MINUTE_MS) return;
  if (wasThere(order, row.departs_at)) {
    // What was made in time, but whose step has not come yet, is a moment's matter.
    if (order.status === 'PICKED UP') return await deliverOrder(tx, order, now);
    if (now <= row.departs_at + HOUR_MS && order.status !== 'ADVANCE ORDER') return;
  }
  if (now > row.departs_at) await refundTrain(tx, order, row, 'MISSED', now);
}

/** After the chart was drawn up, the seat is the one on it, unless the passenger gave one. */
async function seatFromChart(services: Services, row: TrainRow): Promise<Partial<TrainRow>> {
  if (row.coach !== null || row.pnr === null) return {};
  const pnr = await unsealed(services.railway, row.pnr);
  const ticket = pnr === null ? null : await services.railway.ticket(pnr);
  return ticket === null || ticket.run !== row.run ? {} : { coach: ticket.coach, berth: ticket.berth };
}

jobs.on<{ trainId: string; n: number }>('train.watch', async ({ trainId, n }, { db, services }) => {
  const row = (await trainByEither(db, trainId))!;
  const orderId = row.order_id!;
  let run: RailRun | null = null;
  let seat: Partial<TrainRow> = {};
  try {
    run = await services.railway.run(row.run);
    seat = await seatFromChart(services, row);
  } catch (error) {
    services.log.warn({ error: String(error), orderId }, 'the railway gave no answer about a train');
  }
  const catalogue = await services.catalogue.of(db, row.country);
  await transact(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!;
    const known = (await trainByEither(tx, trainId))!;
    if (isFinal(order.status)) return;
    const now = await clockNow(tx);
    const around = { catalogue, offline: await offlineStores(tx, row.country), now };
    if (seat.coach != null && known.coach === null) {
      await setTrain(tx, trainId, seat);
      tellSeat(services, { ...known, ...seat });
    }
    if (run !== null) await applyRun(tx, order, known, run, around);
    const after = (await trainByEither(tx, trainId))!;
    const moved = (await lockOrder(tx, orderId))!;
    if (!isFinal(moved.status)) await atTheDoor(tx, moved, after, now);
    const ended = (await lockOrder(tx, orderId))!;
    if (!isFinal(ended.status)) await planLook(tx, trainId, now + nextLook(after, now), n + 1);
  });
});

/** Nobody has answered in time: all the money goes back. */
jobs.on<{ trainId: string; answerBy: number }>('train.answer', async ({ trainId, answerBy: by }, { db, now }) => {
  const row = (await trainByEither(db, trainId))!;
  await transact(db, async (tx) => {
    const order = (await lockOrder(tx, row.order_id!))!;
    if (isFinal(order.status)) return;
    if (await closeQuestion(tx, trainId, by)) await refundTrain(tx, order, row, 'SILENT', now);
  });
});
