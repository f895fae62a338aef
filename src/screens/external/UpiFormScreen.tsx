import * as t from '#text/full.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { nextStepAtom, settleOrderAtom } from '../../state/orders/orders.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { choiceOfAtom } from '../../state/drafts/paymentChoice.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { collectAtom, isVpaSentAtom, vpaAtom, vpaErrorAtom } from '../../state/payment/payments.ts';
import { originAtom } from '../../state/first/seams.ts';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { UpiWays } from '../../ui/UpiWays.tsx';
import { enterFormAtom, FormPage, type FormEntered } from './FormPage.tsx';

export const enter = atom(null, (get, set, entered: FormEntered) => {
  // Which app the customer has chosen; after a reload the page has to ask again.
  if (get(optionsState.atom).data === null) void set(optionsState.load);
  return set(enterFormAtom, entered);
});

/** UPI in a browser: the app on this phone, a QR for another one, or a request to a UPI id. A web page gets no answer from the app: the server is asked. */
export default function UpiFormScreen() {
  const step = useAtomValue(nextStepAtom);
  const [vpa, setVpa] = useAtom(vpaAtom);
  const vpaError = useAtomValue(vpaErrorAtom);
  const isSent = useAtomValue(isVpaSentAtom);
  const collect = useSetAtom(collectAtom);
  const settle = useSetAtom(settleOrderAtom);
  const origin = useAtomValue(originAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const upi = useAtomValue(optionsState.atom).data?.options.find(({ id }) => id === 'UPI');
  const app = useAtomValue(choiceOfAtom)(upi);
  if (step?.kind !== 'upi') return <FormPage title={t.upiTitle}>{null}</FormPage>;
  return (
    <FormPage
      title={t.upiTitle}
      wait={(order) => (
        <Countdown
          endsAtMs={step.expiresAt}
          nowMs={() => Date.now() + aheadMs}
          text={(time) => t.upiWaits({ time })}
          expired={t.timeOver}
          onExpire={() => void settle(order)}
        />
      )}
    >
      <UpiWays
        step={step}
        app={app}
        origin={origin}
        vpa={vpa}
        error={vpaError}
        isSent={isSent}
        onVpa={setVpa}
        onCollect={() => collect(step.transactionId)}
      />
    </FormPage>
  );
}
