import { atom } from 'jotai';
import * as errors from '#text/errors.ts';
import * as t from '#text/feedback.ts';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/feedback.ts';
import type { Aspect } from '../../contract/feedback.ts';
import {
  characters,
  FEEDBACK_MAX,
  feedbackProblems,
  offlineFeedbackProblem,
  type FeedbackProblem,
  type FeedbackProblems,
} from '../../domain/feedback.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { typedText } from '../../domain/typedText.ts';
import { countryAtom } from '../base/country.ts';
import { kept } from '../first/lib/kept.ts';
import { newId } from '../first/lib/ids.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { feedbackQueryAtom } from '../people/login.ts';
import { isOfflineAtom } from '../base/network.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { tasks, Wrong } from '../base/task.ts';
import { waitingVisitsAtom } from './queuedFeedback.ts';

/** The order of a link or of a page with what is asked about it. */
export const templateState = remote(async (get, _set, signal, orderId: string, token: string | null) => ({
  token,
  ...(await get(apiAtom).call(
    contract.template,
    { query: { orderId, ...(token === null ? {} : { token }) } },
    { signal },
  )),
}));

interface Draft {
  readonly orderId: string;
  readonly overall: number | null;
  readonly nps: number | null;
  readonly aspects: readonly Aspect[];
  readonly comment: string;
  readonly key: string;
}
const NO_DRAFT: Draft = { orderId: '', overall: null, nps: null, aspects: [], comment: '', key: '' };
const draftHeldAtom = customerAtom<Draft>(NO_DRAFT);
export const feedbackDraftAtom = atom((get) => get(draftHeldAtom));
/** The sentence for what is wrong with it. */
const sentenceFor = (problem: FeedbackProblem): string =>
  ({
    feedbackShort: errors.feedbackShort,
    feedbackLong: errors.feedbackLong,
    npsMissing: errors.npsMissing,
    ratingMissing: errors.ratingMissing,
    offlineRatingMissing: errors.offlineRatingMissing,
  })[problem];
export const feedbackTasks = tasks<keyof FeedbackProblems>();
/** What was said before is being changed. */
export const isChangingAtom = customerAtom(false);
/** It was just said: thanks are due. */
export const isThankedAtom = customerAtom(false);

const numberIn = (query: URLSearchParams, name: string, from: number, to: number): number | null => {
  const value = query.get(name);
  return value !== null && /^\d{1,2}$/.test(value) && Number(value) >= from && Number(value) <= to
    ? Number(value)
    : null;
};

/** Whether an address names an order that may be there. */
export const namesOrder = (query: URLSearchParams): boolean => /^[\w.:-]{1,80}$/.test(query.get('orderId') ?? '');

/**
 * Opens a feedback link with its parameters. Whoever is not known yet logs in first: the parameters wait meanwhile
 * (specification section 4, Login).
 */
export const openFeedbackAtom = atom(null, async (get, set, query: URLSearchParams): Promise<void> => {
  const orderId = query.get('orderId') ?? '';
  set(feedbackTasks.clear);
  set(isChangingAtom, false);
  set(isThankedAtom, false);
  set(templateState.put, null);
  const before = get(draftHeldAtom);
  set(draftHeldAtom, {
    ...(before.orderId === orderId ? before : { ...NO_DRAFT, orderId, key: newId() }),
    ...(query.has('rating') ? { overall: numberIn(query, 'rating', 1, 5) } : {}),
    ...(query.has('nps') ? { nps: numberIn(query, 'nps', 0, 10) } : {}),
  });
  if (!namesOrder(query)) return;
  await set(templateState.load, orderId, query.get('token'));
  const { failure, data } = get(templateState.atom);
  if (data) set(feedbackQueryAtom, '');
  if (codeOf(failure) !== 'LOGIN') return;
  set(feedbackQueryAtom, query.toString());
  get(navigateAtom).go(`/login?redirectUrl=${encodeURIComponent('/uf')}`, { replace: true });
});

/** Changes what is said; its problem is gone with it. */
export const writeFeedbackAtom = atom(null, (_get, set, change: Partial<Omit<Draft, 'orderId' | 'key'>>): void => {
  set(draftHeldAtom, (draft) => ({ ...draft, ...change, key: newId() }));
  if ('overall' in change) set(feedbackTasks.clear, 'rating');
  if ('nps' in change) set(feedbackTasks.clear, 'nps');
  if ('comment' in change) set(feedbackTasks.clear, 'comment');
});

/** Says that it is too long while it is written. */
export const checkCommentAtom = atom(null, (get, set): void => {
  if (characters(get(draftHeldAtom).comment) > FEEDBACK_MAX)
    set(feedbackTasks.refuse, { ...get(feedbackTasks.problemsAtom), comment: errors.feedbackLong });
});

/** Puts what was said before into the form. */
export const changeFeedbackAtom = atom(null, (get, set): void => {
  const said = get(templateState.atom).data?.feedback;
  if (!said) return;
  const { overall, nps, aspects, comment } = said;
  set(draftHeldAtom, (draft) => ({ ...draft, overall, nps, aspects, comment }));
  set(isChangingAtom, true);
});

/** @returns whether it was taken; what is wrong stands at its field, and what was typed stays */
export const sendFeedbackAtom = feedbackTasks.task(
  async (get, set) => {
    const shown = get(templateState.atom).data;
    if (!shown) return false;
    const { orderId, key, aspects, ...said } = get(draftHeldAtom);
    const body = { ...said, aspects: [...aspects] };
    const { call } = get(apiAtom);
    const { feedback } =
      shown.feedback === null
        ? await call(
            contract.submit,
            { body: { orderId, ...(shown.token === null ? {} : { token: shown.token }), ...body } },
            { idempotencyKey: key },
          )
        : await call(contract.update, { feedbackId: shown.feedback.feedbackId, body });
    set(templateState.put, { ...shown, state: 'RATED', feedback });
    set(isChangingAtom, false);
    set(isThankedAtom, true);
    return true;
  },
  {
    wrong(get) {
      const said = get(draftHeldAtom);
      const isOptional = get(templateState.atom).data?.template.comment.optional;
      const problems = Object.entries(feedbackProblems({ ...said, rating: said.overall }, isOptional));
      return Object.fromEntries(problems.map(([field, problem]) => [field, sentenceFor(problem)]));
    },
    failed(get, set, thrown) {
      // It was rated meanwhile, on another device: what was said there is shown.
      if (codeOf(thrown) === 'ALREADY_RATED')
        void set(templateState.load, get(draftHeldAtom).orderId, get(templateState.atom).data?.token ?? null);
      set(showFailureAtom, thrown);
    },
  },
);

/** @returns whether it was added */
export const addWordAtom = feedbackTasks.task(async (get, set, comment: string) => {
  const shown = get(templateState.atom).data;
  if (!shown?.feedback) return false;
  const body = { feedbackId: shown.feedback.feedbackId, comment };
  const { feedback } = await get(apiAtom).call(contract.additional, { body });
  set(templateState.put, { ...shown, feedback });
  return true;
});

/** Orders that this device does not ask about any more. */
const dismissedAtom = kept<string[]>({
  key: 'unasked',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
  optional: true,
});
const DISMISSED_KEPT = 20;

/** Asks how an order of one's own stands; silent where nobody answers. */
export const lookAtRatingAtom = atom(null, async (get, set, orderId: string): Promise<void> => {
  const shown = get(templateState.atom).data;
  if (shown?.order.orderId !== orderId) await set(templateState.load, orderId, null);
});

/** What is known of rating this order. */
export const ratingOfAtom = atom((get) => (orderId: string) => {
  const shown = get(templateState.atom).data;
  if (shown?.order.orderId !== orderId) return null;
  return { ...shown, isDismissed: shown.isDismissed || get(dismissedAtom).includes(orderId) };
});

/** The customer does not want to be asked about this order, here or by message. */
export const dismissRatingAtom = atom(null, async (get, set, orderId: string): Promise<void> => {
  set(dismissedAtom, (held) => [...held.filter((id) => id !== orderId), orderId].slice(-DISMISSED_KEPT));
  await get(apiAtom)
    .call(contract.dismiss, { body: { orderId } })
    .catch(() => undefined);
});

// What is said of a visit, with or without a network.

/** As many as wait on the device; nothing that was said is given up for what comes after it. */
const VISITS_KEPT = 20;

export interface VisitDraft {
  readonly experience: string;
  readonly rating: number | null;
  readonly mobile: string;
}
const NO_VISIT: VisitDraft = { experience: '', rating: null, mobile: '' };
export const visitDraftAtom = customerAtom<VisitDraft>(NO_VISIT);
export const visitTasks = tasks<keyof VisitDraft>();
/** SENT, or WAITING for a network. */
export const visitSaidAtom = customerAtom<'' | 'SENT' | 'WAITING'>('');
export const openVisitAtom = atom(null, (_get, set) => set(visitSaidAtom, ''));

/** Sends what waits. Only what was refused is given up; without an answer it goes on waiting. @returns why it was */
const sendHeldAtom = atom(null, async (get, set): Promise<string> => {
  let refusal = '';
  for (const { key, ...body } of get(waitingVisitsAtom)) {
    try {
      await get(apiAtom).call(contract.offline, { body }, { idempotencyKey: key });
    } catch (thrown) {
      if (!isFailure(thrown) || thrown.kind !== 'refused') break;
      refusal = sentenceOf(thrown);
    }
    set(waitingVisitsAtom, (held) => held.filter((own) => own.key !== key));
  }
  return refusal;
});
export const sendWaitingAtom = atom(null, async (_get, set): Promise<void> => {
  const refusal = await set(sendHeldAtom);
  if (refusal !== '') set(visitTasks.refuse, { experience: refusal });
});

/** @returns whether it was sent or waits to be */
export const sayVisitAtom = visitTasks.task(
  async (get, set) => {
    const { experience, rating, mobile } = get(visitDraftAtom);
    if (get(waitingVisitsAtom).length >= VISITS_KEPT)
      throw new Wrong({ experience: t.visitsFull({ count: VISITS_KEPT }) });
    // It is kept before it is sent: a page that is killed in between has lost nothing.
    const key = newId();
    const number = phoneNumber(mobile, get(countryAtom)) ?? '';
    set(waitingVisitsAtom, (held) => [...held, { key, experience: typedText(experience), rating, mobile: number }]);
    const refusal = get(isOfflineAtom) ? '' : await set(sendHeldAtom);
    if (refusal !== '') throw new Wrong({ experience: refusal });
    set(visitSaidAtom, get(waitingVisitsAtom).some((own) => own.key === key) ? 'WAITING' : 'SENT');
    set(visitDraftAtom, NO_VISIT);
  },
  {
    wrong(get) {
      const { experience, rating, mobile } = get(visitDraftAtom);
      const country = get(countryAtom);
      return {
        experience: offlineFeedbackProblem(experience, rating)
          ? errors.offlineRatingMissing
          : characters(experience) > FEEDBACK_MAX
            ? errors.feedbackLong
            : undefined,
        mobile:
          phoneNumber(mobile, country) === null ? errors.mobileInvalid({ digits: country.PHONE_DIGIT }) : undefined,
      };
    },
  },
);
