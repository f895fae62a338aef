import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { applyCouponAtom, applyingCodeAtom, promoInvalidAtom, typedCodeAtom } from '../../state/coupons.ts';
import { CodeForm } from './CodeForm.tsx';

/** Offer-code box of the coupons page and of the cart. What was typed stays until it is applied. */
export function CodeBox({ from, isFromCart }: { from: 'cart' | 'offers'; isFromCart: boolean }) {
  const [typed, setTyped] = useAtom(typedCodeAtom);
  const [invalid, setInvalid] = useAtom(promoInvalidAtom);
  const apply = useSetAtom(applyCouponAtom);
  const busy = useAtomValue(applyingCodeAtom) !== '';
  return (
    <CodeForm
      code={typed}
      error={invalid}
      busy={busy}
      onType={setTyped}
      onError={setInvalid}
      onSubmit={(code) => void apply(code, { isTyped: true, from, isFromCart })}
    />
  );
}
