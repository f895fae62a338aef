import { countryConfig } from '../../../country/index.ts';
import type { Parsed } from '../../contract/endpoint.ts';
import * as contract from '../../contract/feedback.ts';
import { characters, FEEDBACK_MAX, offlineFeedbackProblem } from '../../domain/feedback.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type Route } from '../call/route.ts';
import { userIdOf, type Call } from '../call/call.ts';
import {
  feedbackState,
  feedbackView,
  mayChange,
  mustBeWhole,
  orderSummary,
  rate,
  ratedOrder,
  sayProblem,
  templateView,
} from '../rules/feedback/feedback.ts';
import '../rules/feedback/ask.ts';
import { numberOf } from '../rules/people/otp.ts';
import { onLogin } from '../rules/people/sessions.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import {
  addOffline,
  askOf,
  dismissAsk,
  feedbackById,
  feedbackOfOrder,
  knownAsk,
  moveFeedback,
  setFeedback,
  type FeedbackRow,
} from '../store/feedback.ts';
import { newId, newToken } from '../store/ids.ts';
import { orderById } from '../store/orders.ts';
import { ownOrder } from './payments.ts';

const SUCCESS = 'SUCCESS' as const;

/** What the caller has said before, while it may be changed. @throws Refusal 404 NOT_FOUND, 409 FEEDBACK_OVER */
async function ownFeedback(call: Call, feedbackId: string): Promise<{ row: FeedbackRow; country: string }> {
  const row = await feedbackById(call.db, feedbackId);
  const order = row && (await orderById(call.db, row.order_id));
  const isOwn = order?.user_id === userIdOf(call) || row?.user_id === userIdOf(call);
  if (row === undefined || order === undefined || !isOwn || order.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  if (!mayChange(row, call.now)) refuse(409, 'FEEDBACK_OVER', t.feedbackOver);
  return { row, country: order.country };
}

async function viewFor(call: Call, row: FeedbackRow) {
  const order = await orderById(call.db, row.order_id);
  return feedbackView(row, { now: call.now, isOwn: order?.user_id === userIdOf(call) });
}

async function viewNow(call: Call, feedbackId: string) {
  const row = await feedbackById(call.db, feedbackId);
  if (row === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
  return { status: SUCCESS, feedback: await viewFor(call, row) };
}

/** @throws Refusal 422 FEEDBACK when it is nothing, or too long */
function mustFit(comment: string): string {
  if (comment === '') refuse(422, 'FEEDBACK', errors.fieldEmpty, { field: 'comment' });
  if (characters(comment) > FEEDBACK_MAX) refuse(422, 'FEEDBACK', errors.feedbackLong, { field: 'comment' });
  return comment;
}

async function rateOnce(call: Call, said: Parsed<typeof contract.submit>['body']) {
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
      status: SUCCESS,
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
    return { status: SUCCESS };
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
      () => Promise.resolve({ status: SUCCESS }),
    );
  }),
];

onLogin((tx, { guestUserId, userId }) => moveFeedback(tx, guestUserId, userId));
