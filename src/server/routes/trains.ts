import * as development from '../../contract/development.ts';
import * as contract from '../../contract/trains.ts';
import {
  ANSWER_WAITING_MINUTES,
  BOOK_AHEAD_HOURS,
  CANCEL_MINUTES,
  PAY_AFTER_CUTOFF_MINUTES,
} from '../../domain/trains.ts';
import type { Call } from '../call/call.ts';
import { userIdOf } from '../call/call.ts';
import { errors, railway as say } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onSpoken, type Route } from '../call/route.ts';
import { transact } from '../store/db.ts';
import { lockOrder, orderById, ordersByIds } from '../store/orders.ts';
import { latestPayment, movePayment, paymentsOf } from '../store/payments.ts';
import { readTrainSeed } from '../store/seeds.ts';
import { dropSaved, trainByEither, trainsOfUser, type TrainRow } from '../store/trains.ts';
import { cancelOrder, failOrder } from '../rules/order/ending.ts';
import { viewOf, viewsOf } from '../rules/order/orderView.ts';
import { savedViews, trainCancelRule } from '../rules/order/trainView.ts';
import { storeView } from '../rules/places/stores.ts';
import { answerTrain } from '../rules/trains/answer.ts';
import { handOver, riderToken } from '../rules/trains/handOver.ts';
import { findJourney, hereOf, journeyOf, stationByCode, storeOfStation } from '../rules/trains/journey.ts';
import { changeTrain, checkTrainCode, saveTrain, sendTrainCode, tellSeat } from '../rules/trains/saved.ts';
import { closeIfUnpaid } from './payments.ts';

const SUCCESS = 'SUCCESS' as const;

/** @throws Refusal 404 NOT_FOUND, also for another's */
async function ownTrain(call: Call, id: string): Promise<TrainRow> {
  const row = await trainByEither(call.db, id);
  if (row === undefined || row.user_id !== userIdOf(call) || row.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  return row;
}

async function viewsFor(call: Call, rows: readonly TrainRow[]) {
  const { db, now } = call;
  const saved = savedViews(
    rows.filter((row) => row.order_id === null),
    now,
  );
  const orders = await viewsOf(
    db,
    await ordersByIds(
      db,
      rows.flatMap((row) => row.order_id ?? []),
    ),
    now,
  );
  const all = [...saved, ...orders.flatMap((order) => order.train ?? [])];
  return rows.flatMap((row) => all.find((one) => one.trainOrderId === row.id) ?? []);
}

async function viewFor(call: Call, id: string) {
  const [view] = await viewsFor(call, [await ownTrain(call, id)]);
  return view!;
}

/** Cancels an order with all its money back. @throws Refusal 409 CANCEL_TOO_LATE, PAYMENT_UNKNOWN */
async function cancelTrain(call: Call, row: TrainRow, orderId: string): Promise<void> {
  const { db, now } = call;
  const before = await orderById(db, orderId);
  const last = await latestPayment(db, orderId);
  if (before?.status === 'PENDING' && last !== undefined) await closeIfUnpaid(call, last);
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
    if (order.status === 'CANCELLED' || order.status === 'FAILED') return;
    if (order.status === 'PENDING') {
      for (const attempt of await paymentsOf(tx, [order.id]))
        await movePayment(tx, attempt.id, ['OTP_NEEDED'], { state: 'FAILED', code: 'CANCELLED', settled_at: now });
      if (!(await failOrder(tx, order, now, 'customer'))) refuse(409, 'PAYMENT_UNKNOWN', errors.moneyUnknown);
      return;
    }
    const { possible, rule } = trainCancelRule(row, order, now);
    if (!possible || !(await cancelOrder(tx, order, [order.status], 'customer', now)))
      refuse(409, 'CANCEL_TOO_LATE', rule);
  });
}

export const trainRoutes: Route[] = [
  on(contract.pnr, async ({ pnr }, call) => ({
    status: SUCCESS,
    journey: await journeyOf(call, await findJourney(call, pnr)),
  })),

  onSpoken(contract.station, async ({ storeId, stationId }, call) => {
    const { catalogue, offline, now } = await hereOf(call);
    const station = stationByCode(catalogue.country.COUNTRY_CODE, stationId);
    const store = storeOfStation(catalogue, stationId);
    if (station === undefined || store?.id !== storeId) return refuse(404, 'NOT_FOUND', errors.notFound);
    return {
      status: SUCCESS,
      station: {
        stationId,
        name: station.name,
        city: station.city,
        latitude: station.latitude,
        longitude: station.longitude,
        platforms: station.platforms,
        hint: say.hint,
        cutoffMinutes: station.cutoffMinutes,
        payMinutes: station.cutoffMinutes - PAY_AFTER_CUTOFF_MINUTES,
        cancelMinutes: CANCEL_MINUTES,
        bookAheadHours: BOOK_AHEAD_HOURS,
      },
      store: storeView(catalogue, store, offline, now),
      travelsWell: readTrainSeed(catalogue.country.COUNTRY_CODE)?.travelsWell ?? [],
    };
  }),

  onSpoken(contract.terms, () => ({
    status: SUCCESS,
    title: say.termsTitle,
    terms: [
      {
        heading: say.termOrder,
        text: say.termOrderText({ hours: BOOK_AHEAD_HOURS, minutes: PAY_AFTER_CUTOFF_MINUTES }),
      },
      { heading: say.termHand, text: say.termHandText },
      { heading: say.termSeat, text: say.termSeatText },
      { heading: say.termCancel, text: say.termCancelText },
      { heading: say.termLate, text: say.termLateText({ hours: ANSWER_WAITING_MINUTES / 60 }) },
      { heading: say.termPrivacy, text: say.termPrivacyText },
    ],
  })),

  on(contract.save, async ({ body }, call) => {
    const { row, otp } = await saveTrain(call, body);
    return { status: SUCCESS, train: await viewFor(call, row.id), otp };
  }),

  on(contract.change, async ({ orderId, body }, call) => {
    const { row, otp } = await changeTrain(call, await ownTrain(call, orderId), body);
    // Where the order went: the rider looks for the passenger there.
    if (row.order_id !== null) tellSeat(call.services, row);
    return { status: SUCCESS, train: await viewFor(call, row.id), otp };
  }),

  on(contract.sendOtp, async ({ body }, call) =>
    sendTrainCode(call, await ownTrain(call, body.trainOrderId), body.host),
  ),

  on(contract.validateOtp, async ({ body }, call) => {
    const row = await checkTrainCode(call, await ownTrain(call, body.trainOrderId), body.code);
    return { status: SUCCESS, train: await viewFor(call, row.id) };
  }),

  on(contract.list, async (_input, call) => ({
    status: SUCCESS,
    trains: await viewsFor(call, await trainsOfUser(call.db, userIdOf(call), call.caller.country)),
  })),

  on(contract.byId, async ({ orderId }, call) => ({ status: SUCCESS, train: await viewFor(call, orderId) })),

  on(contract.remove, async ({ orderId }, call) => {
    const row = await ownTrain(call, orderId);
    if (row.order_id === null) {
      await transact(call.db, (tx) => dropSaved(tx, row.id));
      return { status: SUCCESS, order: null };
    }
    await cancelTrain(call, row, row.order_id);
    const order = await orderById(call.db, row.order_id);
    return { status: SUCCESS, order: order === undefined ? null : await viewOf(call.db, order, call.now) };
  }),

  on(contract.answer, async ({ orderId, body }, call) => {
    const row = await ownTrain(call, orderId);
    await answerTrain(call, row, body);
    return { status: SUCCESS, train: await viewFor(call, row.id) };
  }),

  on(development.rider, async ({ orderId }, call) => {
    const row = await trainByEither(call.db, orderId);
    if (row?.order_id == null) return refuse(404, 'NOT_FOUND', errors.notFound);
    return { status: SUCCESS, token: await riderToken(call.db, row.id) };
  }),

  on(contract.handOver, async ({ body }, call) => ({ status: SUCCESS, orderNumber: await handOver(call, body) })),
];
