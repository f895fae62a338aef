import { countryConfig } from '../../../country/index.ts';
import type { EndpointInput } from '../../contract/endpoint.ts';
import * as contract from '../../contract/feedback.ts';
import { characters, FEEDBACK_MAX, offlineFeedbackProblem } from '../../domain/feedback.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type Route } from '../call/route.ts';
import { userIdOf, type Call } from '../call/call.ts';
import {
  feedbackState,
  feedbackView,
  mustBeWhole,
  orderSummary,
  ownFeedback,
  rate,
  ratedOrder,
  sayProblem,
  templateView,
} from '../rules/feedback/feedback.ts';
import { numberOf } from '../rules/people/otp.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import {
  addOffline,
  askOf,
  dismissAsk,
  feedbackById,
  feedbackOfOrder,
  knownAsk,
  setFeedback,
  type FeedbackRow,
} from '../store/feedback.ts';
import { newId, newToken } from '../store/ids.ts';
import { isOwnOrder, ownOrder } from '../rules/order/rights.ts';

const viewFor = async (call: Call, row: FeedbackRow) =>
  feedbackView(row, { now: call.now, isOwn: await isOwnOrder(call, row.order_id) });

async function viewNow(call: Call, feedbackId: string) {
  const row = await feedbackById(call.db, feedbackId);
  if (row === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
  return { feedback: await viewFor(call, row) };
}

/** @throws Refusal 422 FEEDBACK when it is nothing, or too long */
function mustFit(comment: string): string {
  if (comment === '') refuse(422, 'FEEDBACK', errors.fieldEmpty, { field: 'comment' });
  if (characters(comment) > FEEDBACK_MAX) refuse(422, 'FEEDBACK', errors.feedbackLong, { field: 'comment' });
  return comment;
}

async function rateOnce(call: Call, said: EndpointInput<typeof contract.submit>['body']) {
  const order = await ratedOrder(call, said);
  return await once(
    call,
    keyOf(call),
    fingerprint(contract.submit.path, said),
    (tx) => rate(tx, order, said, call.now),
    ({ feedbackId }) => viewNow(call, feedbackId),
  );
}

export const feedbackRoutes: Route[] = [
  on(contract.template, async ({ query }, call) => {
    const order = await ratedOrder(call, query);
    const row = await feedbackOfOrder(call.db, order.id);
    const ask = await knownAsk(call.db, order.id);
    return {
      template: templateView(order),
      order: orderSummary(order),
      state: feedbackState(order, row, call.now),
      isDismissed: ask !== undefined && ask.dismissed_at !== null,
      feedback: row === undefined ? null : await viewFor(call, row),
    };
  }),

  on(contract.submit, async ({ body }, call) => await rateOnce(call, body)),

  on(contract.ofOrder, async ({ orderId, body }, call) => await rateOnce(call, { ...body, orderId })),

  on(contract.update, async ({ feedbackId, body }, call) => {
    const { row, country } = await ownFeedback(call, feedbackId);
    await setFeedback(call.db, row.id, { ...mustBeWhole(body, country), changed_at: call.now });
    return await viewNow(call, row.id);
  }),

  on(contract.additional, async ({ body }, call) => {
    const { row } = await ownFeedback(call, body.feedbackId);
    await setFeedback(call.db, row.id, { additional: mustFit(body.comment), changed_at: call.now });
    return await viewNow(call, row.id);
  }),

  on(contract.dismiss, async ({ body }, call) => {
    const order = await ownOrder(call, body.orderId);
    await askOf(call.db, order.id, newToken(), call.now);
    await dismissAsk(call.db, order.id, call.now);
    return {};
  }),

  on(contract.offline, async ({ body }, call) => {
    const { experience, rating } = body;
    const problem = offlineFeedbackProblem(experience, rating);
    if (problem !== null) refuse(422, 'FEEDBACK', sayProblem(problem), { field: 'experience' });
    if (characters(experience) > FEEDBACK_MAX) refuse(422, 'FEEDBACK', errors.feedbackLong, { field: 'experience' });
    const { country } = call.caller;
    const row = {
      id: newId('fbo'),
      user_id: userIdOf(call),
      country,
      mobile: numberOf(body.mobile, countryConfig(country)),
      experience,
      rating,
      created_at: call.now,
    };
    return await once(
      call,
      keyOf(call),
      fingerprint(contract.offline.path, body),
      (tx) => addOffline(tx, row),
      () => Promise.resolve({}),
    );
  }),
];
