import { alertOf, type ServerError } from './alerts.ts';
import { timerState, type ExpiryTimer } from './countdown.ts';
import * as errors from '#text/errors.ts';
import { afterCoupon } from './safeRedirect.ts';

interface OfferMessage {
  readonly messageType: string;
  readonly message: string;
}
/** How far a customer is towards a reward, and the sentence that says it. */
interface Progress {
  readonly steps: number;
  readonly stepsRequired: number;
  readonly message: string;
}
/** The fields of an Offer that these rules need. */
export interface OfferFacts {
  readonly status: string;
  readonly labelType?: string | undefined;
  readonly offerOptions?:
    | readonly { readonly step: number; readonly label: string; readonly reached?: boolean }[]
    | undefined;
  readonly progress?: Progress | undefined;
  readonly expiryTimer?: ExpiryTimer | undefined;
  readonly messages: readonly OfferMessage[];
  readonly paymentId?: string | undefined;
}

export interface OfferView {
  readonly error: string | null;
  readonly nudge: string | null;
  readonly milestone: (Progress & { readonly options: NonNullable<OfferFacts['offerOptions']> }) | null;
  readonly timer: ReturnType<typeof timerState>;
}

/** What to show of an offer (specification section 4); `now` is the server's clock, epoch ms. */
export function offerView(offer: OfferFacts, now: number): OfferView {
  const first = offer.messages[0];
  const isApplied = offer.status === 'APPLIED';
  return {
    error: offer.status === 'REJECTED' && first?.messageType === 'error' ? first.message : null,
    nudge: isApplied && offer.paymentId && first?.messageType === 'nudge' ? first.message : null,
    milestone:
      isApplied && offer.labelType === 'general_milestone' && offer.offerOptions && offer.progress
        ? { ...offer.progress, options: offer.offerOptions }
        : null,
    timer: isApplied && offer.expiryTimer ? timerState(offer.expiryTimer, now) : 'hidden',
  };
}

export interface CouponAnswer {
  readonly status: string;
  readonly errors?: readonly Partial<ServerError>[] | undefined;
  readonly explicitPromo?:
    | {
        readonly promoCode: string;
        readonly confettiMessage?: string | undefined;
        readonly confettiSubMessage?: string | undefined;
      }
    | undefined;
}

export type CouponOutcome =
  | {
      readonly applied: true;
      readonly code: string;
      readonly confetti: { readonly message: string; readonly subMessage: string } | null;
      readonly go: '/cart' | '/home';
    }
  | {
      readonly applied: false;
      readonly message: string;
      /** A typed code that failed is cleared from the input. */ readonly resetCode: boolean;
    };

/** The outcome of applying a coupon (specification section 4). `answer` is null if no usable reply came. */
export function couponOutcome(
  code: string,
  answer: CouponAnswer | null,
  by: { readonly isTyped: boolean; readonly isFromCart: boolean },
): CouponOutcome {
  if (answer?.status === 'SUCCESS') {
    const promo = answer.explicitPromo;
    return {
      applied: true,
      code: promo?.promoCode ?? code,
      confetti: promo?.confettiMessage
        ? { message: promo.confettiMessage, subMessage: promo.confettiSubMessage ?? '' }
        : null,
      go: afterCoupon(by.isFromCart),
    };
  }
  const message = answer?.status === 'FAILED' ? alertOf(answer.errors).message : errors.internalServerError;
  return { applied: false, message, resetCode: by.isTyped && answer?.status === 'FAILED' };
}

/** True when any group of coupons has a non-empty list. */
export function isOfferAvailable(
  combined: { readonly coupons: readonly { readonly list: readonly unknown[] }[] } | null | undefined,
): boolean {
  return combined?.coupons.some((group) => group.list.length > 0) ?? false;
}

/**
 * Whether nothing the customer does can make an offer apply: it is over, used up or for others. Such offers are shown
 * folded away.
 */
export function isOutOfReach(offer: {
  readonly status: string;
  readonly reason?: { readonly kind: string; readonly remedies: readonly unknown[] } | undefined;
}): boolean {
  return offer.status === 'REJECTED' && offer.reason?.kind === 'RULE' && offer.reason.remedies.length === 0;
}

/** The lines that a text does not say already, in the same words; how a line ends does not count. */
export function notSaidIn(text: string, lines: readonly string[]): string[] {
  return lines.filter((line) => !text.includes(line.trim().replace(/[.;।]$/, '')));
}
