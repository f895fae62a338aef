import * as t from '#text/payment.ts';
import { atom, type Getter } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import * as contract from '../../contract/trains.ts';
import { OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { proven, waitOf } from '../consent/challenge.ts';
import { oneTimeCode } from '../consent/oneTimeCode.ts';
import { detailAtom } from '../drafts/detail.ts';
import { mobileOf } from '../base/mobile.ts';
import { apiAtom } from '../first/seams.ts';
import { showFailureAtom } from '../base/popup.ts';
import { tripAtom } from './station.ts';

const phoneOf = (get: Getter) => ({
  trainOrderId: get(tripAtom)?.trainOrderId ?? '',
  mobile: mobileOf(get, get(detailAtom).mobNo) ?? '',
});
const host = () => globalThis.location.host;

/** The code that shows whose phone a train order is called at (product.md C49). */
export const trainCode = oneTimeCode<ReturnType<typeof phoneOf>>({
  saysWait: true,
  noCode: () => t.codeShort,
  staysBeside: true,
  to: phoneOf,
  send: (get, ask, { trainOrderId }) =>
    ask((headers) => get(apiAtom).call(contract.sendOtp, { body: { trainOrderId, host: host() } }, { headers })),
  check: async (get, _set, prove, code, { trainOrderId }) => {
    await prove((headers) => get(apiAtom).call(contract.validateOtp, { body: { trainOrderId, code } }, { headers }));
  },
});

const tellPhoneAtom = trainCode.task(
  async (get, set) => {
    const { trainOrderId, mobile } = phoneOf(get);
    const { train, otp } = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(contract.change, { orderId: trainOrderId, body: { mobile, host: host() } }, { headers }),
    );
    if (train.isPhoneChecked) return true;
    set(trainCode.expect, { trainOrderId, mobile }, { resendInSeconds: otp?.resendInSeconds ?? 0 });
    return false;
  },
  {
    failed: (get, set, thrown) =>
      // A code was sent a moment ago: it is asked for.
      codeOf(thrown) === 'OTP_WAIT'
        ? set(trainCode.expect, phoneOf(get), { resendInSeconds: waitOf(thrown, OTP_RESEND_SECONDS) })
        : set(showFailureAtom, thrown),
  },
);
/**
 * Before a train order is placed: tells the server the phone of who orders. @returns whether it is known to be theirs; if
 * not, a code was sent and is asked for, or the failure is shown
 */
export const checkTrainPhoneAtom = atom(
  null,
  async (get, set): Promise<boolean> => get(tripAtom) === null || (await set(tellPhoneAtom)),
);
