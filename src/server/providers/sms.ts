import type { SmsProvider } from '../call/providers.ts';
import type { Log } from '../call/services.ts';
import { addToInbox, now } from '../store/system.ts';

const DEADLINE_MS = 8_000;

/** Writes each message to the inbox that the simulator shows, and to the log. */
export function embeddedSms(log: Log): SmsProvider {
  return {
    async send(db, mobile, text) {
      await addToInbox(db, mobile, text, await now(db));
      log.info({ sms: text }, 'SMS (embedded provider)');
    },
  };
}

/** Sends each message as `POST {to, text}` to a gateway, with a bearer key if there is one. */
export function httpSms(url: string, key: string | null): SmsProvider {
  return {
    async send(_db, mobile, text) {
      const response = await fetch(url, {
        method: 'POST',
        signal: AbortSignal.timeout(DEADLINE_MS),
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ to: mobile, text }),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`SMS gateway answered ${response.status}`);
    },
  };
}
