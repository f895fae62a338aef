import * as t from '#text/offers.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { applyCouponAtom } from '../../state/offers/couponActions.ts';
import { codeAgainAtom, couponTasks, typedCodeAtom } from '../../state/offers/coupons.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { OfferCodeForm } from './OfferCodeForm.tsx';

/** Offer-code box of the coupons page and of the cart, with the code used last. What was typed stays until it is applied. */
export function CodeBox({ from, isFromCart }: { from: 'cart' | 'offers'; isFromCart: boolean }) {
  const [typed, setTyped] = useAtom(typedCodeAtom);
  const { code: invalid } = useAtomValue(couponTasks.problemsAtom);
  const refuse = useSetAtom(couponTasks.refuse);
  const apply = useSetAtom(applyCouponAtom);
  const busy = useAtomValue(couponTasks.isBusyAtom);
  const again = useAtomValue(codeAgainAtom);
  return (
    <OfferCodeForm
      code={typed}
      error={invalid}
      busy={busy}
      onType={setTyped}
      onError={(code) => refuse({ code })}
      onSubmit={(code) => void apply(code, { isTyped: true, from, isFromCart })}
    >
      {again !== null && (
        <Button kind="quiet" small busy={busy} onClick={() => void apply(again, { isTyped: false, from, isFromCart })}>
          {t.codeAgain({ code: again })}
        </Button>
      )}
    </OfferCodeForm>
  );
}
