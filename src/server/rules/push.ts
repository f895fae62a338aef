import type { Db } from '../store/db.ts';
import { secret } from '../store/system.ts';
import type { SubscriptionRow } from '../store/push.ts';

const DEADLINE_MS = 8_000;
/** News of an order is old after that. */
const KEPT_SECONDS = 1_800;
/** The push services of the browsers; an address of a customer's choosing is never called. */
const SERVICES = /^(fcm\.googleapis\.com|android\.googleapis\.com|([\w-]+\.)*push\.services\.mozilla\.com|([\w-]+\.)*push\.apple\.com|([\w-]+\.)*notify\.windows\.com)$/;
const HERE = /^(localhost|127\.0\.0\.1)$/;

export interface PushSender {
  publicKey(db: Db): Promise<string>;
  /** Whether an address is one of a browser's push service. */
  takes(endpoint: string): boolean;
  /** `gone`: the browser does not want it any more. Rejects when the service did not take it. */
  send(db: Db, to: SubscriptionRow, payload: object): Promise<'sent' | 'gone'>;
}

interface Keys { publicKey: string; privateKey: string }

/**
 * Web push with the keys of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, else with a pair made once for this database.
 * `development` also takes addresses of this machine, where a browser's service is imitated.
 */
export function pushSender(env: Readonly<Record<string, string | undefined>>, contact: () => string, development: boolean): PushSender {
  // The library is large and most processes never send: it comes when it is wanted.
  const library = async () => (await import('web-push')).default;
  async function keys(db: Db): Promise<Keys> {
    const publicKey = env['VAPID_PUBLIC_KEY'];
    const privateKey = env['VAPID_PRIVATE_KEY'];
    if (publicKey && privateKey) return { publicKey, privateKey };
    return JSON.parse(await secret(db, 'vapid', async () => JSON.stringify((await library()).generateVAPIDKeys()))) as Keys;
  }
  const takes = (endpoint: string) => {
    const url = URL.parse(endpoint);
    if (url === null || url.username !== '' || url.password !== '') return false;
    return (url.protocol === 'https:' && url.port === '' && SERVICES.test(url.hostname)) || (development && HERE.test(url.hostname));
  };
  return {
    publicKey: async (db) => (await keys(db)).publicKey,
    takes,
    async send(db, to, payload) {
      if (!takes(to.endpoint)) return 'gone';
      const subject = contact();
      const details = (await library()).generateRequestDetails({ endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } }, JSON.stringify(payload), {
        vapidDetails: { subject: /^https:/.test(subject) ? subject : 'mailto:push@goldenoven.invalid', ...await keys(db) }, TTL: KEPT_SECONDS, urgency: 'high', contentEncoding: 'aes128gcm',
      });
      const { 'Content-Length': _length, ...headers } = details.headers as Record<string, string>;
      const response = await fetch(details.endpoint, {
        method: 'POST', redirect: 'error', signal: AbortSignal.timeout(DEADLINE_MS), body: new Uint8Array(details.body),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      });
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) return 'gone';
      if (!response.ok) throw new Error(`The push service answered ${response.status}.`);
      return 'sent';
    },
  };
}
