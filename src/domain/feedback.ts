import type { Aspect } from '../contract/feedback.ts';
import type { Issue } from '../contract/help.ts';
import { typedText } from './typedText.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

export const FEEDBACK_MIN = 30;
export const FEEDBACK_MAX = 250;

/** Number of characters as a person counts them: a letter with its vowel signs is one. */
export function characters(text: string): number {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(typedText(text))].length;
}

export interface Feedback {
  readonly comment: string;
  readonly nps: number | null;
  readonly rating: number | null;
}
/** Names of sentences of the catalogue of errors. */
export type FeedbackProblem =
  | 'feedbackShort'
  | 'feedbackLong'
  | 'npsMissing'
  | 'ratingMissing'
  | 'offlineRatingMissing';
export type FeedbackProblems = Partial<Record<'comment' | 'nps' | 'rating', FeedbackProblem>>;

const isFrom = (least: number, most: number, given: number | null) =>
  Number.isInteger(given) && given! >= least && given! <= most;
const isNps = (nps: number | null) => isFrom(0, 10, nps);
const isRating = (rating: number | null) => isFrom(1, 5, rating);

/** All problems by field; empty if the feedback may be sent (specification section 5, product.md C43). */
export function feedbackProblems(feedback: Feedback, commentOptional = false): FeedbackProblems {
  const problems: FeedbackProblems = {};
  const length = characters(feedback.comment);
  if (length > FEEDBACK_MAX) problems.comment = 'feedbackLong';
  else if (length < FEEDBACK_MIN && !(commentOptional && length === 0)) problems.comment = 'feedbackShort';
  if (!isNps(feedback.nps)) problems.nps = 'npsMissing';
  if (!isRating(feedback.rating)) problems.rating = 'ratingMissing';
  return problems;
}

/**
 * Feedback that is not about a known order needs an experience or a rating. Its phone number is checked by
 * domain/phone.ts.
 */
export function offlineFeedbackProblem(experience: string, rating: number | null): FeedbackProblem | null {
  return typedText(experience) === '' && !isRating(rating) ? 'offlineRatingMissing' : null;
}

/** What with few stars is a complaint, and what help there is for it. */
const HELP_FOR: Readonly<Record<Aspect, Issue>> = {
  taste: 'taste',
  heat: 'cold',
  time: 'late',
  packing: 'damaged',
  complete: 'missing',
  rider: 'rider',
};
/** From so many stars down, what was named is what was not good. */
export const LOW_RATING = 3;

/** What a rating asks help for: with few stars, what it names. */
export function helpFor(said: { readonly overall: number; readonly aspects: readonly Aspect[] }): readonly Issue[] {
  return said.overall > LOW_RATING ? [] : said.aspects.map((aspect) => HELP_FOR[aspect]);
}

/** An order can be rated for so long after it was handed over, and what was said be changed for so long (ms). */
export const RATE_FOR_MS = 60 * DAY_MS;
export const CHANGE_FOR_MS = 7 * DAY_MS;
/** A customer who has not rated is asked once, this long after the hand-over (ms). */
export const ASK_AFTER_MS = HOUR_MS;
