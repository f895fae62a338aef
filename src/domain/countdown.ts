import { DAY_S, HOUR_S } from './time.ts';

/** Times are epoch milliseconds of the server's clock. */
export interface ExpiryTimer {
  readonly endTime: number;
  readonly showTimerBefore: number;
}

/** The timer is hidden before `showTimerBefore`, runs until `endTime`, and has then expired (specification section 4). */
export const timerState = (timer: ExpiryTimer, now: number): 'hidden' | 'running' | 'expired' =>
  now >= timer.endTime ? 'expired' : now < timer.showTimerBefore ? 'hidden' : 'running';

/** 65000 becomes '01:05', an hour and more '1:01:05', a day and more '2d 1:01:05'; never below zero. */
export function timeLeftText(leftMs: number): string {
  // Rounded up, so that the last second shows as 1 and not as 0.
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / DAY_S);
  const hours = Math.floor(seconds / HOUR_S) % 24;
  return `${days ? `${days}d ` : ''}${days || hours ? `${hours}:` : ''}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
