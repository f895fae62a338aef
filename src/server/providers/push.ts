import type { Outside } from '../call/outside.ts';
import type { PushSender } from '../call/providers.ts';
import { pushKeys, type Environment } from '../environment.ts';
import type { Db } from '../store/db.ts';
import { secret } from '../store/system.ts';

const DEADLINE_MS = 8_000;
/** How long (s) the push service keeps a message. Later, news of an order is out of date. */
const KEPT_SECONDS = 1_800;
/** Hosts of the browsers' push services. No other address is ever called, because the customer's browser sends it. */
const SERVICES = new Set(['fcm.googleapis.com', 'android.googleapis.com']);
/** These have many names before their own. */
const FAMILIES = ['push.services.mozilla.com', 'push.apple.com', 'notify.windows.com'];
const isService = (host: string) =>
  SERVICES.has(host) || FAMILIES.some((own) => host === own || host.endsWith(`.${own}`));
const HERE = /^(localhost|127\.0\.0\.1)$/;

/** Browsers choose the names: one breaker for each service, however many names it has. */
const serviceOf = (endpoint: string) => `push-${new URL(endpoint).hostname.split('.').slice(-2).join('.')}`;

interface Keys {
  publicKey: string;
  privateKey: string;
}

/**
 * Sends web push with the configured keys, or else with a key pair created once for this database. With `development`
 * it also accepts addresses of this machine, where a push service may be imitated.
 */
export function pushSender(
  environment: Environment,
  contact: () => string,
  development: boolean,
  outside: Outside,
): PushSender {
  const configured = environment.read(pushKeys);
  // Loaded only when needed: the library is large, and most processes never send.
  const library = async () => (await import('web-push')).default;
  async function keys(db: Db): Promise<Keys> {
    if (configured !== null) return configured;
    return JSON.parse(
      await secret(db, 'vapid', async () => JSON.stringify((await library()).generateVAPIDKeys())),
    ) as Keys;
  }
  const takes = (endpoint: string) => {
    const url = URL.parse(endpoint);
    if (url === null || url.username !== '' || url.password !== '') return false;
    return (
      (url.protocol === 'https:' && url.port === '' && isService(url.hostname)) ||
      (development && HERE.test(url.hostname))
    );
  };
  return {
    publicKey: async (db) => (await keys(db)).publicKey,
    takes,
    async send(db, to, payload) {
      if (!takes(to.endpoint)) return 'gone';
      const subject = contact();
      const details = (await library()).generateRequestDetails(
        { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
        JSON.stringify(payload),
        {
          vapidDetails: {
            subject: subject.startsWith('https:') ? subject : 'mailto:push@goldenoven.invalid',
            ...(await keys(db)),
          },
          TTL: KEPT_SECONDS,
          urgency: 'high',
          contentEncoding: 'aes128gcm',
        },
      );
      const { 'Content-Length': _length, ...headers } = details.headers as Record<string, string>;
      const response = await outside.ask(serviceOf(details.endpoint), details.endpoint, {
        method: 'POST',
        deadlineMs: DEADLINE_MS,
        // The name came from a browser: nobody there is no news of the service.
        forgives: (error) => (error as { cause?: { code?: string } }).cause?.code === 'ENOTFOUND',
        body: new Uint8Array(details.body),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      });
      if (response.status === 404 || response.status === 410) return 'gone';
      if (!response.ok) throw new Error(`The push service answered ${response.status}.`);
      return 'sent';
    },
  };
}
