import { countryConfig } from '../../../../country/index.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import * as contract from '../../../contract/feedback.ts';
import {
  CHANGE_FOR_MS,
  characters,
  FEEDBACK_MAX,
  FEEDBACK_MIN,
  feedbackProblems,
  helpFor,
  offlineFeedbackProblem,
  type FeedbackProblem,
  RATE_FOR_MS,
} from '../../../domain/feedback.ts';
import { isLost } from '../../../domain/orders.ts';
import { errors, t } from '../../call/language.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { Tx } from '../../store/db.ts';
import {
  addFeedback,
  addOffline,
  feedbackById,
  feedbackOfOrder,
  knownAsk,
  type FeedbackRow,
} from '../../store/feedback.ts';
import { newId } from '../../store/ids.ts';
import { orderById, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { readSeeds } from '../../store/seeds.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { serviceOf } from '../order/orders.ts';
import { isOwnOrder } from '../order/rights.ts';
import { numberOf } from '../people/otp.ts';
import { fingerprint, keyOf, once } from '../reliability/idempotency.ts';

interface Template {
  readonly overall: { readonly max: number };
  readonly nps: { readonly min: number; readonly max: number };
  readonly aspects: readonly contract.Aspect[];
  readonly commentOptional: boolean;
}
const templateOf = (country: string): Template =>
  (readSeeds(country).content as unknown as { readonly feedbackTemplate: Template }).feedbackTemplate;

/** What is asked in a country; nobody brought what was collected. */
export function templateView(order: OrderRow) {
  const { overall, nps, aspects, commentOptional } = templateOf(order.country);
  const isBrought = ['DELIVERY', 'IRCTC'].includes(serviceOf(order));
  return {
    overall: { question: t.feedbackOverall, max: overall.max },
    nps: { question: t.feedbackNps, min: nps.min, max: nps.max },
    aspects: aspects
      .filter((aspect) => aspect !== 'rider' || isBrought)
      .map((id) => ({ id, label: t.feedbackAspect({ aspect: id }) })),
    comment: { minChars: FEEDBACK_MIN, maxChars: FEEDBACK_MAX, optional: commentOptional },
  };
}

/**
 * The order of a link or of a page: the caller's own, or one whose link the caller has, logged in with the order's
 * number. Without a login nobody learns which orders and links there are.
 * @throws Refusal 403 LOGIN, 404 NOT_FOUND
 */
export async function ratedOrder(
  call: Call,
  { orderId, token }: { readonly orderId: string; readonly token?: string | undefined },
): Promise<OrderRow> {
  const order = await orderById(call.db, orderId);
  const isHere = order?.country === call.caller.country;
  if (order !== undefined && isHere && order.user_id === userIdOf(call)) return order;
  if (!call.caller.isLoggedIn) refuse(403, 'LOGIN', t.feedbackLogin);
  const ask = token === undefined ? undefined : await knownAsk(call.db, orderId);
  const isTheirs = ask !== undefined && ask.token === token && order?.mobile === call.caller.mobile;
  if (order === undefined || !isHere || !isTheirs) return refuse(404, 'NOT_FOUND', errors.brokenLink);
  return order;
}

export function feedbackState(order: OrderRow, feedback: FeedbackRow | undefined, now: number) {
  if (feedback !== undefined) return 'RATED' as const;
  if (isLost(order.status)) return 'CLOSED' as const;
  if (order.finished_at === null) return 'EARLY' as const;
  return now > order.finished_at + RATE_FOR_MS ? ('CLOSED' as const) : ('OPEN' as const);
}

type RatingInput = Pick<contract.Feedback, 'aspects' | 'comment'> & {
  readonly overall: number | null;
  readonly nps: number | null;
};

/** The sentence for what is wrong with it. */
function sayProblem(problem: FeedbackProblem): string {
  return {
    feedbackShort: errors.feedbackShort,
    feedbackLong: errors.feedbackLong,
    npsMissing: errors.npsMissing,
    ratingMissing: errors.ratingMissing,
    offlineRatingMissing: errors.offlineRatingMissing,
  }[problem];
}

/** @throws Refusal 422 FEEDBACK with a sentence for each field */
export function mustBeWhole(
  said: RatingInput,
  country: string,
): { overall: number; nps: number; aspects: string; comment: string } {
  const { overall, nps, aspects, comment } = said;
  const problems = Object.entries(
    feedbackProblems({ comment, nps, rating: overall }, templateOf(country).commentOptional),
  );
  if (problems.length > 0 || overall === null || nps === null)
    throw new Refusal(
      422,
      problems.map(([field, problem]) => ({
        code: 'FEEDBACK',
        displayMsg: sayProblem(problem),
        field: field === 'rating' ? 'overall' : field,
      })),
    );
  return { overall, nps, aspects: JSON.stringify([...new Set(aspects)]), comment: comment.trim() };
}

/** @throws Refusal 409 FEEDBACK_EARLY, FEEDBACK_OVER, ALREADY_RATED; 422 FEEDBACK */
async function rate(tx: Tx, order: OrderRow, said: RatingInput, now: number): Promise<{ feedbackId: string }> {
  const state = feedbackState(order, await feedbackOfOrder(tx, order.id), now);
  if (state === 'RATED') refuse(409, 'ALREADY_RATED', errors.alreadyRated);
  if (state === 'EARLY') refuse(409, 'FEEDBACK_EARLY', t.feedbackEarly);
  if (state === 'CLOSED') refuse(409, 'FEEDBACK_OVER', t.feedbackOver);
  const id = newId('fbk');
  const row = { id, order_id: order.id, user_id: order.user_id, additional: null, created_at: now, changed_at: now };
  if (!(await addFeedback(tx, { ...row, ...mustBeWhole(said, order.country) })))
    refuse(409, 'ALREADY_RATED', errors.alreadyRated);
  return { feedbackId: id };
}

const mayChange = (row: FeedbackRow, now: number): boolean => now <= row.created_at + CHANGE_FOR_MS;

/** A person who has the order only by its link gets no help with it here: its money is its owner's. */
export function feedbackView(row: FeedbackRow, { now, isOwn }: { now: number; isOwn: boolean }): contract.Feedback {
  const aspects = JSON.parse(row.aspects) as contract.Aspect[];
  return {
    feedbackId: row.id,
    overall: row.overall,
    nps: row.nps,
    aspects,
    comment: row.comment,
    additional: row.additional,
    at: row.created_at,
    mayChange: mayChange(row, now),
    helps: (isOwn ? helpFor({ overall: row.overall, aspects }) : []).map((issue) => ({
      issue,
      label: t.helpIssue({ issue }),
    })),
  };
}

export function orderSummary(order: OrderRow) {
  const { lines, store } = snapshotOf(order);
  const service = serviceOf(order);
  return {
    orderId: order.id,
    orderNumber: order.number,
    orderType: service === 'IRCTC' ? ('DELIVERY' as const) : service,
    storeName: store.name,
    placedAt: order.submitted_at,
    dishes: lines.map((line) => t.helpPiece({ quantity: line.quantity, dish: line.product.name })),
  };
}

/** Whether this order's customer may be asked at all: not inside payment apps, nor where ratings are off. */
export const isAsked = (order: OrderRow): boolean =>
  order.host === 'web' && !countryConfig(order.country).DISABLED_FEATURES.includes('feedback');

/** What the caller has said before, while it may be changed. @throws Refusal 404 NOT_FOUND, 409 FEEDBACK_OVER */
export async function ownFeedback(call: Call, feedbackId: string): Promise<{ row: FeedbackRow; country: string }> {
  const row = await feedbackById(call.db, feedbackId);
  const order = row && (await orderById(call.db, row.order_id));
  const isOwn = order?.user_id === userIdOf(call) || row?.user_id === userIdOf(call);
  if (row === undefined || order === undefined || !isOwn || order.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  if (!mayChange(row, call.now)) refuse(409, 'FEEDBACK_OVER', t.feedbackOver);
  return { row, country: order.country };
}

/** Feedback as its reader sees it: help is offered only for the reader's own order. */
export const viewFor = async (call: Call, row: FeedbackRow): Promise<contract.Feedback> =>
  feedbackView(row, { now: call.now, isOwn: await isOwnOrder(call, row.order_id) });

export async function viewNow(call: Call, feedbackId: string): Promise<{ feedback: contract.Feedback }> {
  const row = await feedbackById(call.db, feedbackId);
  if (row === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
  return { feedback: await viewFor(call, row) };
}

/** @throws Refusal 422 FEEDBACK when it is nothing, or too long */
export function mustFit(comment: string): string {
  if (comment === '') refuse(422, 'FEEDBACK', errors.fieldEmpty, { field: 'comment' });
  if (characters(comment) > FEEDBACK_MAX) refuse(422, 'FEEDBACK', errors.feedbackLong, { field: 'comment' });
  return comment;
}

/** Rates an order under the call's key. @throws Refusal as `ratedOrder` and `rate` */
export async function rateOnce(
  call: Call,
  said: EndpointInput<typeof contract.submit>['body'],
): Promise<PreparedReply> {
  const order = await ratedOrder(call, said);
  return await once(
    call,
    keyOf(call),
    fingerprint(contract.submit.path, said),
    (tx) => rate(tx, order, said, call.now),
    ({ feedbackId }) => viewNow(call, feedbackId),
  );
}

/** Keeps what somebody says of a visit that no order is known of. @throws Refusal 422 FEEDBACK, and for a number that is none */
export async function rateOutside(
  call: Call,
  said: EndpointInput<typeof contract.offline>['body'],
): Promise<PreparedReply> {
  const { experience, rating } = said;
  const problem = offlineFeedbackProblem(experience, rating);
  if (problem !== null) refuse(422, 'FEEDBACK', sayProblem(problem), { field: 'experience' });
  if (characters(experience) > FEEDBACK_MAX) refuse(422, 'FEEDBACK', errors.feedbackLong, { field: 'experience' });
  const { country } = call.caller;
  const row = {
    id: newId('fbo'),
    user_id: userIdOf(call),
    country,
    mobile: numberOf(said.mobile, countryConfig(country)),
    experience,
    rating,
    created_at: call.now,
  };
  return await once(
    call,
    keyOf(call),
    fingerprint(contract.offline.path, said),
    (tx) => addOffline(tx, row),
    () => Promise.resolve({}),
  );
}
