import * as z from 'zod/mini';
import type { HostContext } from '../call/hosts.ts';
import { NotBelieved } from '../call/payments.ts';
import type { Railway } from '../call/railway.ts';
import { railway as railwaySettings } from '../environment.ts';
import { newId, newToken } from '../store/ids.ts';
import { isSigned, sign } from './signing.ts';

const RAILWAY = 'railway';
const DEADLINE_MS = 5_000;
/** The embedded railway. `secret` is the name of its secret, which all processes on one database share. */
export const EMBEDDED_RAILWAY = { secret: 'railway', partner: 'golden-oven' } as const;

const Place = { code: z.string(), name: z.string() };
const Ticket = z.object({
  state: z.enum(['CNF', 'RAC', 'WL', 'CAN']),
  isCharted: z.boolean(),
  run: z.string(),
  from: z.object(Place),
  to: z.object(Place),
  departsAt: z.number(),
  coach: z.nullable(z.string()),
  berth: z.nullable(z.string()),
  passengers: z.int(),
});
const Run = z.object({
  run: z.string(),
  number: z.string(),
  name: z.string(),
  isCancelled: z.boolean(),
  stops: z.array(
    z.object({
      ...Place,
      scheduledAt: z.number(),
      arrivesAt: z.number(),
      departsAt: z.number(),
      platform: z.nullable(z.string()),
      missed: z.nullable(z.enum(['SKIPPED', 'SHORT'])),
      hasArrived: z.boolean(),
    }),
  ),
});

/**
 * The client for the railway. When none is configured, it talks to the embedded one on this server, and where the
 * embedded vendors are off too, there is none.
 */
export function railwayClient(
  { environment, origin, secret, outside }: Pick<HostContext, 'environment' | 'origin' | 'secret' | 'outside'>,
  withEmbedded: boolean,
): Railway {
  const own = environment.read(railwaySettings);
  const settings = async () =>
    own ?? {
      url: origin(),
      partner: EMBEDDED_RAILWAY.partner,
      secret: await secret(EMBEDDED_RAILWAY.secret, newToken),
    };

  /**
   * Asks the railway. Both sides sign, and the nonce ties the reply to this question. What is asked stands in the body
   * and never in the address: addresses are written down on the way.
   */
  async function ask<S extends z.ZodMiniType>(path: string, question: object, schema: S): Promise<z.output<S> | null> {
    const { url, partner, secret: key } = await settings();
    const body = JSON.stringify(question);
    const nonce = newId('q');
    const response = await outside.ask(RAILWAY, `${url}/railway/api/${path}`, {
      method: 'POST',
      body,
      deadlineMs: DEADLINE_MS,
      headers: {
        'content-type': 'application/json',
        'x-railway-partner': partner,
        'x-railway-nonce': nonce,
        'x-railway-signature': sign(key, 'question', path, nonce, body),
      },
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`The railway answered ${path} with ${response.status}.`);
    const signature = response.headers.get('x-railway-signature') ?? '';
    if (!isSigned(key, signature, 'reply', nonce, String(response.status), text))
      throw new NotBelieved(`The railway's reply to ${path} (${response.status}) is not signed by the railway.`);
    if (response.status === 404) return null;
    if (response.status !== 200) throw new Error(`The railway answered ${path} with ${response.status}.`);
    const read = schema.safeParse(JSON.parse(text));
    if (!read.success) throw new NotBelieved(`The railway's reply to ${path} is none.`);
    return read.data;
  }
  return {
    isThere: own !== null || withEmbedded,
    ticket: (pnr) => ask('ticket', { pnr }, Ticket),
    run: (run) => ask('run', { run }, Run),
    sealingKey: async () => own?.secret ?? (await secret('pnr', newToken)),
  };
}
