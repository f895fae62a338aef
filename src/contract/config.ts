import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { success } from './reply.ts';

/**
 * Site config of the specification, section 3. `features` is a JSON string; if it cannot be parsed, the last good one stays.
 */
export const AppConfig = z.object({
  features: z.string(),
  vendorConfig: z.object({
    blockedFeatures: z.array(z.string()),
    partner: z.optional(
      z.object({ partnerName: z.string(), primaryPaymentId: z.string(), clientId: z.string(), source: z.string() }),
    ),
  }),
  disableCookies: z.boolean(),
  /** Whether customers are asked for their consent to analytics. */
  analytics: z.optional(z.boolean()),
  otpVariant: z.int(),
  /** Only where somebody develops: links may force an experiment's variation. */
  development: z.optional(z.boolean()),
  /** Ways to log in beside the code by SMS; absent where there are none. */
  logins: z.optional(
    z.object({
      password: z.boolean(),
      /** Providers of accounts elsewhere: `source` for calls, `label` for people. */
      social: z.array(z.object({ source: z.string(), label: z.string() })),
    }),
  ),
  /** Only with tiles that are not our own, so with a map of streets: the credit of its owner, '' for none. */
  mapCredit: z.optional(z.string()),
  /** Epoch milliseconds of the server's clock. */
  timestamp: z.number(),
});
export type AppConfig = z.output<typeof AppConfig>;

export const app = endpoint({
  method: 'GET',
  path: '/api/ve1/app-config',
  access: 'open',
  about: 'Features, vendor block and cookie switch.',
  reply: success({ config: AppConfig }),
});
export const pwa = endpoint({
  method: 'GET',
  path: '/api/ve1/pwa-config',
  access: 'open',
  about: 'Name and colours of the installed app.',
  reply: success({
    pwa: z.object({ name: z.string(), shortName: z.string(), themeColor: z.string(), backgroundColor: z.string() }),
  }),
});
export const alerts = endpoint({
  method: 'GET',
  path: '/alert-service/ve1/alerts',
  access: 'open',
  about: 'Notices for a store or area.',
  query: z.object({ storeId: z.optional(z.string()) }),
  /** An id names one alert as it stands; who has dismissed it does not see it again. */
  reply: success({ alerts: z.array(z.object({ id: z.string(), message: z.nullable(z.string()) })) }),
});
