import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { latinDigits } from '../../domain/phone.ts';
import { cardOffersState } from '../../state/coupons.ts';
import { cardDraftAtom, cardErrorsAtom, type CardDraft } from '../../state/payments.ts';
import { Field } from '../../ui/Field.tsx';
import css from './CardFields.module.css';

const grouped = (typed: string) => latinDigits(typed).slice(0, 19).replace(/(.{4})(?=.)/g, '$1 ');
const FIRST_DIGITS = 6;
const firstDigits = (typed: string) => latinDigits(typed).slice(0, FIRST_DIGITS);
const expiry = (typed: string) => {
  const digits = latinDigits(typed).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
};

/** Card data goes to the provider's vault and never to storage; an error keeps what was typed. */
export function CardFields() {
  const [card, setCard] = useAtom(cardDraftAtom);
  const errors = useAtomValue(cardErrorsAtom);
  const cardOffers = useAtomValue(cardOffersState.atom).data;
  const [loadOffers, putOffers] = [useSetAtom(cardOffersState.load), useSetAtom(cardOffersState.put)];
  const set = (field: keyof CardDraft, value: string) => setCard((before) => ({ ...before, [field]: value }));
  const setNumber = (typed: string) => {
    const digits = firstDigits(typed);
    set('number', grouped(typed));
    if (digits === firstDigits(card.number)) return;
    if (digits.length === FIRST_DIGITS) void loadOffers(digits);
    else putOffers(null);
  };
  return (
    <div className={css.fields}>
      <Field label="Card number" name="cc-number" inputMode="numeric" autoComplete="cc-number" enterKeyHint="next" value={card.number} error={errors.number} onChange={(event) => setNumber(event.target.value)} />
      {cardOffers && (cardOffers.isEligible || cardOffers.problems.length > 0) && (
        <p className={css.offer} role="status" data-lost={cardOffers.problems.length > 0 || undefined}>
          {cardOffers.problems[0]?.displayMsg ?? `With this card: ${cardOffers.offers[0]?.title ?? 'an offer'}`}
        </p>
      )}
      <div className={css.pair}>
        <Field label="Expiry" hint="MM/YY" name="cc-exp" inputMode="numeric" autoComplete="cc-exp" enterKeyHint="next" value={card.expiry} error={errors.expiry} onChange={(event) => set('expiry', expiry(event.target.value))} />
        <Field label="CVV" hint="On the back" name="cc-csc" type="password" inputMode="numeric" autoComplete="cc-csc" enterKeyHint="next" maxLength={4} value={card.cvv} error={errors.cvv} onChange={(event) => set('cvv', latinDigits(event.target.value))} />
      </div>
      <Field label="Name on the card" name="cc-name" autoComplete="cc-name" enterKeyHint="done" maxLength={80} value={card.name} error={errors.name} onChange={(event) => set('name', event.target.value)} />
    </div>
  );
}
