import * as contract from '../../contract/linkedWallets.ts';
import { countryConfig } from '../../../country/index.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { isLinked } from '../rules/checkout/attempts.ts';
import { linkableProvider, linkedView, providerNamed, type Linkable } from '../rules/payment/linkedWallets.ts';
import { paymentView } from '../rules/order/orderView.ts';
import { ownPayment } from '../rules/order/rights.ts';
import { settleNow } from '../rules/placing/settle.ts';
import { guess, numberOf, refuseCode, sendTheirCode } from '../rules/people/otp.ts';
import { dropLinked, keepLinked, linkedWallet } from '../store/linkedWallets.ts';
import { OPEN_STATES } from '../store/payments.ts';

/** Asks the provider. @throws Refusal 502 PROVIDER when it does not answer */
async function asked<T>(call: Call, { label }: Linkable, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    call.services.log.warn({ error: String(error), requestId: call.requestId }, 'a linked wallet did not answer');
    return refuse(502, 'PROVIDER', errors.linkedAway({ label }));
  }
}

export const linkedWalletRoutes: Route[] = [
  on(contract.balance, async ({ provider }, call) => ({
    wallet: await linkedView(call, providerNamed(call, provider)),
  })),

  on(contract.link, async ({ provider: name, body }, call) => {
    const provider = providerNamed(call, name);
    const country = countryConfig(call.caller.country);
    const mobile = numberOf(body.mobile, country);
    const send = () => asked(call, provider, () => call.services.wallets(provider.id).sendCode(mobile));
    return await sendTheirCode(call, { mobile, country }, send);
  }),

  on(contract.verify, async ({ provider: name, body }, call) => {
    const provider = providerNamed(call, name);
    const done = await guess(call, async () => {
      const said = await asked(call, provider, () => call.services.wallets(provider.id).verify(body.state, body.code));
      return 'refused' in said ? { kind: said.refused } : { kind: 'right' as const, ...said };
    });
    if (done.kind !== 'right') return refuseCode(done);
    await keepLinked(call.db, {
      user_id: userIdOf(call),
      provider: provider.id,
      mobile: done.mobile,
      token: done.token,
      linked_at: call.now,
    });
    return { wallet: await linkedView(call, provider) };
  }),

  on(contract.redeem, async ({ provider: name, body }, call) => {
    const provider = providerNamed(call, name);
    const { payment, order } = await ownPayment(call, body.transactionId);
    if (linkableProvider(payment.mode)?.id !== provider.id || !isLinked(payment))
      refuse(422, 'PAYMENT_MODE', t.featureOff, { field: 'transactionId' });
    if (OPEN_STATES.includes(payment.state)) {
      const linked = await linkedWallet(call.db, userIdOf(call), provider.id);
      const gone = () => refuse(422, 'LINKED_GONE', t.linkedGone({ label: provider.label }));
      if (linked === undefined) return gone();
      const said = await asked(call, provider, () =>
        call.services
          .wallets(provider.id)
          .redeem({ token: linked.token, reference: payment.reference, amount: payment.amount }),
      );
      if (said === 'GONE') {
        await dropLinked(call.db, userIdOf(call), provider.id, linked.token);
        return gone();
      }
      if (said === 'LOW') refuse(422, 'LINKED_LOW', errors.linkedLow({ label: provider.label }));
      await settleNow(call, payment);
    }
    const after = await ownPayment(call, body.transactionId);
    return { payment: paymentView(after.payment, after.order.status === 'PENDING'), orderId: order.id };
  }),

  on(contract.unlink, async ({ provider: name }, call) => {
    const provider = providerNamed(call, name);
    const linked = await linkedWallet(call.db, userIdOf(call), provider.id);
    if (linked !== undefined) {
      // Remove it here first, so that the wallet cannot be used any more even when the provider does not answer.
      await dropLinked(call.db, userIdOf(call), provider.id, linked.token);
      await call.services
        .wallets(provider.id)
        .unlink(linked.token)
        .catch((error: unknown) =>
          call.services.log.warn({ error: String(error) }, 'a wallet could not be untied at its provider'),
        );
    }
    return { wallet: await linkedView(call, provider) };
  }),
];
