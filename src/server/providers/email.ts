import type { EmailProvider } from '../call/providers.ts';
import type { Outside } from '../call/outside.ts';
import type { Log } from '../call/services.ts';
import { emailGateway, type Environment } from '../environment.ts';
import { addToInbox, now } from '../store/system.ts';

const DEADLINE_MS = 8_000;

/** Puts each email beside the messages that the simulator shows. */
function embeddedEmail(log: Log): EmailProvider {
  return {
    isThere: true,
    async send(db, { to, subject, text }) {
      await addToInbox(db, to, text, await now(db));
      log.info({ sms: `${subject}\n${text}` }, 'email (embedded provider)');
    },
  };
}

/** Production without a gateway: nothing is sent, kept or logged, and whoever asked for a code hears that it did not go. */
function noEmail(log: Log): EmailProvider {
  return {
    isThere: false,
    send() {
      log.error({}, 'EMAIL_URL is missing: an email was not sent');
      return Promise.reject(new Error('there is no email gateway'));
    },
  };
}

/** Sends each email as `POST {to, subject, text}` to a gateway, with a bearer key if there is one. */
function httpEmail(outside: Outside, url: string, key: string | null): EmailProvider {
  return {
    isThere: true,
    async send(_db, email) {
      const response = await outside.ask('email', url, {
        method: 'POST',
        redirect: 'follow',
        deadlineMs: DEADLINE_MS,
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(email),
      });
      if (!response.ok) throw new Error(`email gateway answered ${response.status}`);
    },
  };
}

/** The gateway that is configured. Without one, development shows emails, and production sends and shows none. */
export function emailProvider(
  environment: Environment,
  log: Log,
  development: boolean,
  outside: Outside,
): EmailProvider {
  const gateway = environment.read(emailGateway);
  if (gateway !== null) return httpEmail(outside, gateway.url, gateway.key);
  return development ? embeddedEmail(log) : noEmail(log);
}
