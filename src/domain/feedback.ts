import { FEEDBACK_LONG, FEEDBACK_SHORT, NPS_MISSING, OFFLINE_RATING_MISSING, RATING_MISSING } from './messages.ts';

export const FEEDBACK_MIN = 30;
export const FEEDBACK_MAX = 250;

/** Characters as a person counts them: a letter with its vowel signs is one. */
export function characters(text: string): number {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim())].length;
}

export interface Feedback { readonly comment: string; readonly nps: number | null; readonly rating: number | null }
export type FeedbackProblems = Partial<Record<'comment' | 'nps' | 'rating', string>>;

const isNps = (nps: number | null) => nps !== null && Number.isInteger(nps) && nps >= 0 && nps <= 10;
const isRating = (rating: number | null) => rating !== null && Number.isInteger(rating) && rating >= 1 && rating <= 5;

/** All problems by field, empty when it may be sent (specification section 5, product.md C43). */
export function feedbackProblems(feedback: Feedback, commentOptional = false): FeedbackProblems {
  const problems: FeedbackProblems = {};
  const length = characters(feedback.comment);
  if (length > FEEDBACK_MAX) problems.comment = FEEDBACK_LONG;
  else if (length < FEEDBACK_MIN && !(commentOptional && length === 0)) problems.comment = FEEDBACK_SHORT;
  if (!isNps(feedback.nps)) problems.nps = NPS_MISSING;
  if (!isRating(feedback.rating)) problems.rating = RATING_MISSING;
  return problems;
}

/** Feedback without an order in hand needs an experience or a rating, and a phone number (checked by domain/phone). */
export function offlineFeedbackProblem(experience: string, rating: number | null): string | null {
  return experience.trim() === '' && !isRating(rating) ? OFFLINE_RATING_MISSING : null;
}
