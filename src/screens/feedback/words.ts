import * as errors from '#text/errors.ts';
import type { FeedbackProblem } from '../../domain/feedback.ts';

/** The sentence at a field; nothing without a problem. */
export function problemText(problem: FeedbackProblem | undefined): string | undefined {
  if (problem === undefined) return undefined;
  return {
    feedbackShort: errors.feedbackShort,
    feedbackLong: errors.feedbackLong,
    npsMissing: errors.npsMissing,
    ratingMissing: errors.ratingMissing,
    offlineRatingMissing: errors.offlineRatingMissing,
  }[problem];
}
