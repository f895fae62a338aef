import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { APPLY, COUPON_BOX_LABEL, COUPON_BOX_PLACEHOLDER, FIELD_EMPTY } from '../../domain/messages.ts';
import { applyCouponAtom, applyingCodeAtom, promoInvalidAtom, typedCodeAtom } from '../../state/coupons.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import css from './CodeBox.module.css';

/** Offer-code box of the coupons page and of the cart; what was typed stays until it is applied. */
export function CodeBox({ from, isFromCart }: { from: 'cart' | 'offers'; isFromCart: boolean }) {
  const [typed, setTyped] = useAtom(typedCodeAtom);
  const [invalid, setInvalid] = useAtom(promoInvalidAtom);
  const apply = useSetAtom(applyCouponAtom);
  const busy = useAtomValue(applyingCodeAtom) !== '';
  return (
    <form
      className={css.box}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === '') setInvalid(FIELD_EMPTY);
        else void apply(typed, { isTyped: true, from, isFromCart });
      }}
    >
      <Field
        label={COUPON_BOX_LABEL}
        placeholder={COUPON_BOX_PLACEHOLDER}
        name="offer-code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        enterKeyHint="go"
        value={typed}
        error={invalid || undefined}
        onChange={(event) => { setTyped(event.target.value); setInvalid(''); }}
      >
        <Button type="submit" kind="quiet" small busy={busy}>{APPLY}</Button>
      </Field>
    </form>
  );
}
