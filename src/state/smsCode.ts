/**
 * Takes a code from the SMS itself where the browser can: WebOTP, for messages whose last line names this page's host
 * (origin-bound codes, requirement AUTH-X01). Null where the browser cannot, when `listening` is aborted, or at
 * `endsAtMs` (epoch ms of the device). Never rejects.
 */
export async function codeFromSms(listening: AbortController, endsAtMs: number): Promise<string | null> {
  if (!('OTPCredential' in globalThis) || !navigator.credentials) return null;
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
