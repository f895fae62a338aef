import * as development from '../../contract/development.ts';
import * as contract from '../../contract/trains.ts';
import { ANSWER_WAITING_MINUTES, BOOK_AHEAD_HOURS, PAY_AFTER_CUTOFF_MINUTES } from '../../domain/trains.ts';
import { userIdOf } from '../call/call.ts';
import { errors, railway as say } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onSpoken, type Route } from '../call/route.ts';
import { orderById } from '../store/orders.ts';
import { trainByEither, trainsOfUser } from '../store/trains.ts';
import { hereOf } from '../rules/catalogue/here.ts';
import { viewOf } from '../rules/order/orderView.ts';
import { ownTrain } from '../rules/order/rights.ts';
import { cancelTrain } from '../rules/placing/cancel.ts';
import { answerTrain } from '../rules/trains/answer.ts';
import { handOver, riderToken } from '../rules/trains/handOver.ts';
import { findJourney, journeyOf, stationView } from '../rules/trains/journey.ts';
import { changeTrain, checkTrainCode, dropTrain, saveTrain, sendTrainCode, tellSeat } from '../rules/trains/saved.ts';
import { trainViewNow, trainViews } from '../rules/trains/trainViews.ts';

export const trainRoutes: Route[] = [
  on(contract.pnr, async ({ pnr }, call) => ({ journey: await journeyOf(call, await findJourney(call, pnr)) })),

  onSpoken(contract.station, async ({ storeId, stationId }, call) => ({
    ...stationView(await hereOf(call), storeId, stationId),
  })),

  onSpoken(contract.terms, () => ({
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
    return { train: await trainViewNow(call, row.id), otp };
  }),

  on(contract.change, async ({ orderId, body }, call) => {
    const { row, otp } = await changeTrain(call, await ownTrain(call, orderId), body);
    // Where the order went: the rider looks for the passenger there.
    if (row.order_id !== null) tellSeat(call.services, row);
    return { train: await trainViewNow(call, row.id), otp };
  }),

  on(contract.sendOtp, async ({ body }, call) =>
    sendTrainCode(call, await ownTrain(call, body.trainOrderId), body.host),
  ),

  on(contract.validateOtp, async ({ body }, call) => {
    const row = await checkTrainCode(call, await ownTrain(call, body.trainOrderId), body.code);
    return { train: await trainViewNow(call, row.id) };
  }),

  on(contract.list, async (_input, call) => ({
    trains: await trainViews(call, await trainsOfUser(call.db, userIdOf(call), call.caller.country)),
  })),

  on(contract.byId, async ({ orderId }, call) => ({ train: await trainViewNow(call, orderId) })),

  on(contract.remove, async ({ orderId }, call) => {
    const row = await ownTrain(call, orderId);
    if (row.order_id === null) {
      await dropTrain(call, row);
      return { order: null };
    }
    await cancelTrain(call, row, row.order_id);
    const order = await orderById(call.db, row.order_id);
    return { order: order === undefined ? null : await viewOf(call.db, order, call.now) };
  }),

  on(contract.answer, async ({ orderId, body }, call) => {
    const row = await ownTrain(call, orderId);
    await answerTrain(call, row, body);
    return { train: await trainViewNow(call, row.id) };
  }),

  on(development.rider, async ({ orderId }, call) => {
    const row = await trainByEither(call.db, orderId);
    if (row?.order_id == null) return refuse(404, 'NOT_FOUND', errors.notFound);
    return { token: await riderToken(call.db, row.id) };
  }),

  on(contract.handOver, async ({ body }, call) => ({ orderNumber: await handOver(call, body) })),
];
