import * as errors from '#text/errors.ts';

const FEEDBACK_MIN = 30;
const FEEDBACK_MAX = 250;

/** Number of characters as a person counts them: a letter with its vowel signs is one. */
export function characters(text: string): number {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim())].length;
}

export interface Feedback {
  readonly comment: string;
  readonly nps: number | null;
  readonly rating: number | null;
}
export type FeedbackProblems = Partial<Record<'comment' | 'nps' | 'rating', string>>;

const isNps = (nps: number | null) => nps !== null && Number.isInteger(nps) && nps >= 0 && nps <= 10;
const isRating = (rating: number | null) => rating !== null && Number.isInteger(rating) && rating >= 1 && rating <= 5;

/** All problems by field; empty if the feedback may be sent (specification section 5, product.md C43). */
export function feedbackProblems(feedback: Feedback, commentOptional = false): FeedbackProblems {
  const problems: FeedbackProblems = {};
  const length = characters(feedback.comment);
  if (length > FEEDBACK_MAX) problems.comment = errors.feedbackLong;
  else if (length < FEEDBACK_MIN && !(commentOptional && length === 0)) problems.comment = errors.feedbackShort;
  if (!isNps(feedback.nps)) problems.nps = errors.npsMissing;
  if (!isRating(feedback.rating)) problems.rating = errors.ratingMissing;
  return problems;
}

/**
 * Feedback that is not about a known order needs an experience or a rating. Its phone number is checked by
 * domain/phone.ts.
 */
export function offlineFeedbackProblem(experience: string, rating: number | null): string | null {
  return experience.trim() === '' && !isRating(rating) ? errors.offlineRatingMissing : null;
}
