import type { Log } from '../http/services.ts';
import type { Db } from '../store/db.ts';
import { addToInbox, now } from '../store/system.ts';

const DEADLINE_MS = 8_000;

export interface SmsProvider {
  /** Hands a message over; rejects when the provider did not take it. `mobile` is international, `+919876543210`. */
  send(db: Db, mobile: string, text: string): Promise<void>;
}

/** Writes into the inbox that the simulator shows, and one line into the log. */
export function embeddedSms(log: Log): SmsProvider {
  return {
    async send(db, mobile, text) {
      await addToInbox(db, mobile, text, await now(db));
      log.info({ sms: text }, 'SMS (embedded provider)');
    },
  };
}

/** A gateway that takes `POST {to, text}` with a bearer key. */
export function httpSms(url: string, key: string | undefined): SmsProvider {
  return {
    async send(_db, mobile, text) {
      const response = await fetch(url, {
        method: 'POST', signal: AbortSignal.timeout(DEADLINE_MS),
        headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ to: mobile, text }),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`SMS gateway answered ${response.status}`);
    },
  };
}
