/** One call that was answered. `path` is the route's pattern, never the address that was called: labels are bounded. */
interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  /** '' where nobody said who calls. */
  readonly host: string;
  readonly country: string;
  readonly status: number;
  readonly seconds: number;
}

export type JobOutcome = 'done' | 'failed' | 'given_up';

/** PAYMENT: an answer was not believed. REFUND: one has not arrived after thirty days. */
type Incident = 'PAYMENT' | 'REFUND';

/** Counters of this process for its metrics (http/metrics.ts); the work does not need them. */
export interface Counts {
  answered(call: AnsweredCall): void;
  /** A job that was tried. */
  tried(job: {
    readonly lane: string;
    readonly kind: string;
    readonly outcome: JobOutcome;
    readonly seconds: number;
  }): void;
  /** A call that was refused, or a code that was not sent, by the code of the refusal: a word of our own. */
  refused(code: string): void;
  /** A call to a provider; left_alone: it was not even asked (outside.ts). */
  asked(call: {
    readonly provider: string;
    readonly outcome: 'answered' | 'failed' | 'left_alone';
    readonly seconds: number;
  }): void;
  /** An error of a page. */
  pageFailed(where: { readonly country: string; readonly host: string }): void;
  /** Something about money that somebody has to look at. */
  incident(kind: Incident): void;
  /** A line of the log, of this level. */
  logged(level: string): void;
}

const nothing = () => undefined;
/** Keeps none. */
export const noCounts: Counts = {
  answered: nothing,
  tried: nothing,
  refused: nothing,
  asked: nothing,
  pageFailed: nothing,
  incident: nothing,
  logged: nothing,
};
