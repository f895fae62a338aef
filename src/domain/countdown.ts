import * as errors from '#text/errors.ts';
import { DAY_S, HOUR_S } from './time.ts';

/** Times are epoch milliseconds of the server's clock. */
export interface ExpiryTimer {
  readonly endTime: number;
  readonly showTimerBefore: number;
}

export type Countdown =
  | { readonly state: 'hidden' }
  | {
      readonly state: 'running';
      readonly days: number;
      readonly hours: number;
      readonly minutes: number;
      readonly seconds: number;
    }
  | { readonly state: 'expired'; readonly message: string };

/**
 * The timer is hidden before `showTimerBefore`, runs until `endTime`, and then says 'Coupon expired' (specification
 * section 4).
 */
export function countdown(timer: ExpiryTimer, now: number): Countdown {
  if (now >= timer.endTime) return { state: 'expired', message: errors.couponExpired };
  if (now < timer.showTimerBefore) return { state: 'hidden' };
  // Rounded up, so that the last second shows as 1 and not as 0.
  const left = Math.ceil((timer.endTime - now) / 1000);
  return {
    state: 'running',
    days: Math.floor(left / DAY_S),
    hours: Math.floor(left / HOUR_S) % 24,
    minutes: Math.floor(left / 60) % 60,
    seconds: left % 60,
  };
}
