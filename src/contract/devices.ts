import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id } from './names.ts';
import { success } from './reply.ts';

/** A login of this account that is still good. Times are epoch ms. */
const Device = z.object({
  sessionId: Id,
  /** The one that asks. */
  isThis: z.boolean(),
  /** Browser and system in proper names, 'Chrome · Android'; null where nothing told. */
  device: z.nullable(z.string()),
  /** The payment app it is in, by its own name; null for the browser. */
  app: z.nullable(z.string()),
  /** The part of town whose store was chosen then; never an address of the network. */
  place: z.nullable(z.string()),
  loggedInAt: z.number(),
  /** A quarter of an hour exact. */
  usedAt: z.number(),
});
export type Device = z.output<typeof Device>;

export const list = endpoint({
  method: 'GET',
  path: '/sso-aggregation/ve1/sessions',
  access: 'user',
  about: 'Where this account is logged in, the device that was used last first.',
  feature: 'logout',
  reply: success({ devices: z.array(Device) }),
});
/** Doing it again changes nothing. Its tokens, streams and notices end at once. */
export const end = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/sessions/{sessionId}/logout',
  access: 'user',
  about: 'Logs one other device out; errors NOT_FOUND, THIS_DEVICE.',
  feature: 'logout',
  reply: success({ devices: z.array(Device) }),
});
