import * as contract from '../../contract/vouchers.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { countryConfig } from '../../../country/index.ts';
import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { on, type Handler, type Route } from '../call/route.ts';
import { payByVoucher } from '../rules/checkout/voucherPayment.ts';
import { changePin, promisePinCode } from '../rules/payment/voucherPin.ts';
import {
  issueVoucher,
  keepVoucher,
  mustHaveVouchers,
  openVoucher,
  ownVouchers,
  unlinkOwn,
  voucherView,
} from '../rules/payment/vouchers.ts';
import { numberOf } from '../rules/people/otp.ts';

const onVouchers = <E extends Endpoint>(endpoint: E, handler: Handler<E>): Route =>
  on(endpoint, (input, call) => {
    mustHaveVouchers(call);
    return handler(input, call);
  });

export const voucherRoutes: Route[] = [
  onVouchers(contract.verify, async ({ body }, call) => {
    const { voucher, balance } = await openVoucher(call, body);
    return { voucher: voucherView({ ...voucher, balance }, call.now) };
  }),

  onVouchers(contract.link, async ({ body }, call) => {
    return { voucher: await keepVoucher(call, body) };
  }),

  onVouchers(contract.balance, async (_input, call) => {
    return { vouchers: await ownVouchers(call) };
  }),

  onVouchers(contract.unlink, async ({ voucherId }, call) => {
    await unlinkOwn(call, voucherId);
    return { vouchers: await ownVouchers(call) };
  }),

  onVouchers(contract.redeem, ({ body }, call) => payByVoucher(call, body)),

  onVouchers(contract.resetPin, async ({ body: { number, code, pin } }, call) => {
    if (code === undefined) await promisePinCode(call, number);
    else await changePin(call, { number, code, pin });
    return {
      sent: code === undefined,
      changed: code !== undefined,
      expiresInSeconds: OTP_LIFE_SECONDS,
      resendInSeconds: OTP_RESEND_SECONDS,
    };
  }),

  on(contract.issue, ({ body }, call) => {
    const { country } = call.caller;
    const mobile = body.mobile === undefined ? null : numberOf(body.mobile, countryConfig(country));
    return issueVoucher(call.db, { country, amount: body.amount, mobile, days: body.days, now: call.now });
  }),
];
