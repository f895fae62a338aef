import { latinDigits } from './typedText.ts';
import { DAY_MS, DAY_S } from './time.ts';

/** Limits of one-time codes (product.md section 4.2). */
export const OTP_DIGITS = 6;
export const OTP_LIFE_SECONDS = 300;
export const OTP_TRIES = 5;
export const OTP_RESEND_SECONDS = 30;
const OTP_SENDS = 3;
const OTP_WINDOW_SECONDS = 15 * 60;
export const OTP_SENDS_A_DAY = 10;

/** The six digits in a typed text, in any script, or null. */
export function otpCode(typed: string): string | null {
  const digits = latinDigits(typed);
  return digits.length === OTP_DIGITS ? digits : null;
}

export type SendVerdict =
  | { readonly ok: true; /** Sends left in this window after this one. */ readonly sendsLeft: number }
  | { readonly ok: false; readonly reason: 'wait' | 'limit'; readonly waitSeconds: number };

/**
 * Whether another code may be sent now. `sentAt` are the times (epoch ms) of earlier sends to this number, in any
 * order.
 */
export function maySend(sentAt: readonly number[], now: number): SendVerdict {
  const day = sentAt.filter((at) => now - at < DAY_MS).sort((a, b) => a - b);
  const window = day.filter((at) => now - at < OTP_WINDOW_SECONDS * 1000);
  const until = (at: number | undefined, seconds: number) =>
    Math.max(1, Math.ceil(((at ?? now) + seconds * 1000 - now) / 1000));
  if (day.length >= OTP_SENDS_A_DAY)
    return { ok: false, reason: 'limit', waitSeconds: until(day[day.length - OTP_SENDS_A_DAY], DAY_S) };
  if (window.length >= OTP_SENDS)
    return { ok: false, reason: 'limit', waitSeconds: until(window[window.length - OTP_SENDS], OTP_WINDOW_SECONDS) };
  const last = day[day.length - 1];
  if (last !== undefined && now - last < OTP_RESEND_SECONDS * 1000)
    return { ok: false, reason: 'wait', waitSeconds: until(last, OTP_RESEND_SECONDS) };
  return { ok: true, sendsLeft: OTP_SENDS - window.length - 1 };
}

/**
 * A message with a code. Its last line binds the code to the page's host, so that only that page is offered it
 * (origin-bound codes).
 */
export function boundText(text: string, code: string, host?: string): string {
  return host ? `${text}\n\n@${host} #${code}` : text;
}
