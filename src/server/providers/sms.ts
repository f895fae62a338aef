import type { Outside } from '../call/outside.ts';
import type { SmsProvider } from '../call/providers.ts';
import type { Log } from '../call/services.ts';
import { smsGateway, type Environment } from '../environment.ts';
import { addToInbox, now } from '../store/system.ts';

const DEADLINE_MS = 8_000;

/** Writes each message to the inbox that the simulator shows, and to the log. */
function embeddedSms(log: Log): SmsProvider {
  return {
    async send(db, mobile, text) {
      await addToInbox(db, mobile, text, await now(db));
      log.info({ sms: text }, 'SMS (embedded provider)');
    },
  };
}

/** Production without a gateway: nothing is sent, kept or logged, and whoever asked for a code hears that it did not go. */
function noSms(log: Log): SmsProvider {
  return {
    send() {
      log.error({}, 'SMS_URL is missing: a message was not sent');
      return Promise.reject(new Error('there is no SMS gateway'));
    },
  };
}

/** The gateway that is configured. Without one, development shows messages, and production sends and shows none. */
export function smsProvider(environment: Environment, log: Log, development: boolean, outside: Outside): SmsProvider {
  const gateway = environment.read(smsGateway);
  if (gateway !== null) return httpSms(outside, gateway.url, gateway.key);
  return development ? embeddedSms(log) : noSms(log);
}

/** Sends each message as `POST {to, text}` to a gateway, with a bearer key if there is one. */
function httpSms(outside: Outside, url: string, key: string | null): SmsProvider {
  return {
    async send(_db, mobile, text) {
      const response = await outside.ask('sms', url, {
        method: 'POST',
        redirect: 'follow',
        deadlineMs: DEADLINE_MS,
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ to: mobile, text }),
      });
      if (!response.ok) throw new Error(`SMS gateway answered ${response.status}`);
    },
  };
}
