import { atom } from 'jotai';
import { question } from './question.ts';

/**
 * Takes a code from the SMS itself where the browser can: WebOTP, for messages whose last line names this page's host
 * (origin-bound codes, requirement AUTH-X01). Null where the browser cannot, when `signal` aborts, or at `endsAtMs`
 * (epoch ms of the device). Never rejects.
 */
async function codeFromSms(signal: AbortSignal, endsAtMs: number): Promise<string | null> {
  if (!('OTPCredential' in globalThis) || !navigator.credentials) return null;
  const listening = new AbortController();
  signal.addEventListener('abort', () => listening.abort());
  const timer = setTimeout(() => listening.abort(), Math.max(0, endsAtMs - Date.now()));
  try {
    const credential = await navigator.credentials.get({
      otp: { transport: ['sms'] },
      signal: listening.signal,
    } as CredentialRequestOptions);
    const code = (credential as { code?: unknown } | null)?.code;
    return typeof code === 'string' ? code : null;
  } catch {
    // Not offered, refused or too late: the customer types the code.
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** The code of an SMS, for the page that has asked for it. One is waited for at a time: the last that was sent. */
export const smsQuestion = question((_get, signal, endsAtMs: number) => codeFromSms(signal, endsAtMs));

/** Waits for the code of an SMS in place of an earlier one. @returns null where the page has none to fill in any more */
export const smsCodeAtom = atom(null, async (_get, set, endsAtMs: number): Promise<string | null> => {
  set(smsQuestion.drop);
  const answer = await set(smsQuestion.ask, endsAtMs);
  return answer.is === 'answered' && answer.isHere() ? answer.value : null;
});
