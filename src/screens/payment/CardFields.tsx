import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { SavedCard } from '../../contract/cards.ts';
import { latinDigits } from '../../domain/phone.ts';
import { cardOffersState } from '../../state/coupons.ts';
import { ANOTHER, cardDraftAtom, cardErrorsAtom, chosenCardAtom, isCardKeptAtom, pickCardAtom, removeCardAtom, savedCardsState, type CardDraft } from '../../state/payments.ts';
import { popupAtom } from '../../state/popup.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Field } from '../../ui/Field.tsx';
import { CardIcon } from '../../ui/icons/CardIcon.tsx';
import { PlusIcon } from '../../ui/icons/PlusIcon.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import css from './CardFields.module.css';

const grouped = (typed: string) => latinDigits(typed).slice(0, 19).replace(/(.{4})(?=.)/g, '$1 ');
const FIRST_DIGITS = 6;
const firstDigits = (typed: string) => latinDigits(typed).slice(0, FIRST_DIGITS);
const expiry = (typed: string) => {
  const digits = latinDigits(typed).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
};

/** Kept cards first, then one that is typed in. Card data goes to the provider's vault and never to storage; an error keeps what was typed. */
export function CardFields({ isOwnCart = true }: { isOwnCart?: boolean }) {
  const saved = useAtomValue(savedCardsState.atom).data ?? [];
  const chosen = useAtomValue(chosenCardAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const pick = useSetAtom(pickCardAtom);
  return (
    <div className={css.fields}>
      {saved.length > 0 && (
        <RadioCards
          legend="Your cards" value={chosen?.cardId ?? ANOTHER} onChange={pick}
          options={[
            ...saved.map((card) => ({
              value: card.cardId, title: `${card.brand} •••• ${card.lastFour}`, detail: card.isExpired ? `Expired ${card.expiry}` : `Until ${card.expiry}`, disabled: card.isExpired, icon: <CardIcon />,
            })),
            { value: ANOTHER, title: 'Another card', icon: <PlusIcon /> },
          ]}
        />
      )}
      {chosen ? <KeptCard card={chosen} /> : <NewCard isOwnCart={isOwnCart} mayKeep={isLoggedIn} />}
    </div>
  );
}

function KeptCard({ card }: { card: SavedCard }) {
  const [draft, setDraft] = useAtom(cardDraftAtom);
  const errors = useAtomValue(cardErrorsAtom);
  const remove = useSetAtom(removeCardAtom);
  const setPopup = useSetAtom(popupAtom);
  return (
    <div className={css.kept}>
      <Field label={`CVV of the card ending in ${card.lastFour}`} hint="On the back" name="cc-csc" type="password" inputMode="numeric" autoComplete="cc-csc" enterKeyHint="done" maxLength={4} value={draft.cvv} error={errors.cvv ?? errors.number ?? errors.cardId} onChange={(event) => setDraft((before) => ({ ...before, cvv: latinDigits(event.target.value) }))} />
      <Button
        kind="quiet" small
        onClick={() => setPopup({
          message: `Remove the card ending in ${card.lastFour}?`, left: { label: 'No' }, right: { label: 'Remove', act: () => { void remove(card.cardId); } },
        })}
      >
        Remove this card
      </Button>
    </div>
  );
}

function NewCard({ isOwnCart, mayKeep }: { isOwnCart: boolean; mayKeep: boolean }) {
  const [card, setCard] = useAtom(cardDraftAtom);
  const [isKept, setKept] = useAtom(isCardKeptAtom);
  const errors = useAtomValue(cardErrorsAtom);
  const heldOffers = useAtomValue(cardOffersState.atom).data;
  // Whoever pays for somebody else has no cart that an offer could be for.
  const cardOffers = isOwnCart ? heldOffers : null;
  const [loadOffers, putOffers] = [useSetAtom(cardOffersState.load), useSetAtom(cardOffersState.put)];
  const set = (field: keyof CardDraft, value: string) => setCard((before) => ({ ...before, [field]: value }));
  const setNumber = (typed: string) => {
    const digits = firstDigits(typed);
    set('number', grouped(typed));
    if (!isOwnCart || digits === firstDigits(card.number)) return;
    if (digits.length === FIRST_DIGITS) void loadOffers(digits);
    else putOffers(null);
  };
  return (
    <>
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
      {mayKeep && <CheckBox label="Keep this card for next time" detail="Only its last four digits and a token of the bank. You type the CVV each time, and can remove it here." checked={isKept} onChange={setKept} />}
    </>
  );
}
