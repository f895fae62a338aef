import { COUPON_EXPIRED } from './messages.ts';

/** Times are epoch milliseconds of the server's clock. */
export interface ExpiryTimer { readonly endTime: number; readonly showTimerBefore: number }

export type Countdown =
  | { readonly state: 'hidden' }
  | { readonly state: 'running'; readonly days: number; readonly hours: number; readonly minutes: number; readonly seconds: number }
  | { readonly state: 'expired'; readonly message: string };

/** Runs once `now` is past `showTimerBefore`; at `endTime` it is 'Coupon expired' (specification section 4). */
export function countdown(timer: ExpiryTimer, now: number): Countdown {
  if (now >= timer.endTime) return { state: 'expired', message: COUPON_EXPIRED };
  if (now < timer.showTimerBefore) return { state: 'hidden' };
  // Rounded up, so that the last second is shown as 1 and never as 0.
  const left = Math.ceil((timer.endTime - now) / 1000);
  return {
    state: 'running',
    days: Math.floor(left / 86_400), hours: Math.floor(left / 3600) % 24, minutes: Math.floor(left / 60) % 60, seconds: left % 60,
  };
}
