import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { APPLY, COUPON_BOX_LABEL, COUPON_BOX_PLACEHOLDER, FIELD_EMPTY } from '../../domain/messages.ts';
import { isPlacingAtom } from '../../state/checkout.ts';
import { changePromoAtom, isPromoBusyAtom, lookAtPromoAtom, promoErrorAtom, promoLookAtom, promoTypedAtom } from '../../state/retry.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { Price } from '../../ui/Price.tsx';
import css from './OrderScreen.module.css';

/** A code for an order that waits for its payment: first what it would cost, then a yes. */
export function PromoBox({ order }: { order: OrderView }) {
  const [typed, setTyped] = useAtom(promoTypedAtom);
  const [error, setError] = useAtom(promoErrorAtom);
  const [seen, setSeen] = useAtom(promoLookAtom);
  const isBusy = useAtomValue(isPromoBusyAtom);
  const isPlacing = useAtomValue(isPlacingAtom);
  const look = useSetAtom(lookAtPromoAtom);
  const change = useSetAtom(changePromoAtom);
  return (
    <Card>
      <form
        className={css.promo} noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === '') setError(FIELD_EMPTY);
          else void look(order);
        }}
      >
        <Field
          label={COUPON_BOX_LABEL} placeholder={COUPON_BOX_PLACEHOLDER} name="offer-code" autoComplete="off" autoCapitalize="characters" spellCheck={false} maxLength={40} enterKeyHint="go"
          value={typed} error={error || undefined} onChange={(event) => { setTyped(event.target.value); setError(''); setSeen(null); }}
        >
          <Button type="submit" kind="quiet" small busy={isBusy}>{APPLY}</Button>
        </Field>
        {seen && (
          <>
            <p role="status">With {seen.code} you pay <Price amount={seen.after} /> instead of <Price amount={seen.before} />.</p>
            <Button full busy={isPlacing} onClick={() => void change(order, { code: seen.code, isOn: true })}>Use {seen.code} and pay <Price amount={seen.after} /></Button>
          </>
        )}
      </form>
    </Card>
  );
}
