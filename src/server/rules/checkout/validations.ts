import { hasFundsConflict } from '../../../domain/funds.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { validations } from '../../../contract/orders.ts';
import type { Call } from '../../call/call.ts';
import { errors } from '../../call/language.ts';
import { paymentModeProblems } from '../cart/cart.ts';
import { holdingsOf, isOwnMode, mayPay, shareOut, stepOf } from '../payment/funds.ts';
import { modeProblem, optionsOf } from '../payment/modes.ts';
import { takesOf } from '../catalogue/taking.ts';
import { refreshSaved } from '../trains/saved.ts';
import { check, lockPrice, minutesFor } from './checkout.ts';

/** Reasons that keep this cart from being ordered, its price for the next minutes, and its ways to pay. */
export async function validate(call: Call, body: EndpointInput<typeof validations>['body']) {
  await refreshSaved(call, body.train);
  const options = await optionsOf(call);
  const holdings = await holdingsOf(call.db, call, body, body.paymentMode);
  const asked = { ...body, held: holdings.sum };
  const first = await check(call.db, call, asked, options);
  // When balances pay for the whole order, they are the payment mode, and coupons are checked for that mode.
  const isWhole =
    holdings.sum > 0 &&
    holdings.sum >= first.quote.bill.total &&
    (body.paymentMode === undefined || !isOwnMode(body.paymentMode));
  const basket = isWhole
    ? { ...asked, paymentMode: holdings.vouchers.length > 0 ? ('EGV' as const) : ('WALLET' as const) }
    : asked;
  const checked = isWhole ? await check(call.db, call, basket, options) : first;
  const { country } = checked.catalogue;
  const { quote, ...held } = await lockPrice(call.db, call, basket, checked);
  const funds = shareOut(holdings, quote.bill.total, stepOf(basket.paymentMode, country));
  return {
    problems: [...holdings.problems, ...checked.problems],
    funds,
    quote: { cartVersion: checked.state.version, bill: quote.bill, ...held },
    modes: options.map(({ id, label }) => {
      const reason = hasFundsConflict({ wallet: mayPay(holdings.wallet), vouchers: 0, mode: id })
        ? errors.walletConflict
        : (
            modeProblem(country, options, id, funds.rest) ??
            paymentModeProblems(checked.state, checked.couponCase, id)[0]
          )?.displayMsg;
      return { id, label, ...(reason === undefined ? {} : { disabledReason: reason }) };
    }),
    takes:
      checked.train === null
        ? takesOf(checked.catalogue, checked.context.store, checked.offline, basket.deliveryType, call.now)
        : ('now' as const),
    deliveryMinutes: await minutesFor(call, basket, checked),
    termsVersion: checked.catalogue.seeds.content.legal.version,
  };
}
