import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, text } from './names.ts';
import { PaymentView } from './payments.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** A wallet at a provider, linked to this account with a code from the provider. */
export const LinkedWallet = z.object({
  provider: z.string(),
  label: z.string(),
  isLinked: z.boolean(),
  mobile: z.nullable(z.string()),
  /** Null while it is not linked, or if the provider does not answer. */
  balance: z.nullable(Price),
});
export type LinkedWallet = z.output<typeof LinkedWallet>;

const feature = 'wallet';
const both = <const N extends string>(name: N) =>
  ({
    path: `/payment-service/ve3/wallets/{provider}/${name}`,
    aliases: [`/payment-service/ve4/wallets/{provider}/${name}`],
  }) as const;

export const balance = endpoint({
  method: 'GET',
  ...both('balance'),
  access: 'user',
  feature,
  about: "Whether the provider's wallet is linked, and its balance.",
  reply: success({ wallet: LinkedWallet }),
});
export const link = endpoint({
  method: 'POST',
  ...both('link'),
  access: 'user',
  feature,
  about: 'The provider sends a code to the number of its wallet.',
  body: z.object({ mobile: text(24) }),
  reply: success({ state: z.string(), resendInSeconds: z.number() }),
});
export const verify = endpoint({
  method: 'POST',
  ...both('verify'),
  access: 'user',
  feature,
  about: 'Ties the wallet to this account; errors OTP_WRONG, OTP_EXPIRED, OTP_TRIES.',
  body: z.object({ state: text(200), code: text(12) }),
  reply: success({ wallet: LinkedWallet }),
});
/** Takes the money for an attempt that was started with this wallet; repeating it takes the money only once. */
export const redeem = endpoint({
  method: 'POST',
  ...both('redeem'),
  access: 'user',
  feature,
  about: 'Pays a transaction from the linked wallet; errors LINKED_LOW, LINKED_GONE.',
  body: z.object({ transactionId: Id }),
  reply: success({ payment: PaymentView, orderId: z.string() }),
});
export const unlink = endpoint({
  method: 'POST',
  ...both('unlink'),
  access: 'user',
  feature,
  about: 'Lets the wallet go, here and at the provider.',
  reply: success({ wallet: LinkedWallet }),
});
