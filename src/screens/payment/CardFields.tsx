import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { ComponentProps } from 'react';
import type { SavedCard } from '../../contract/cards.ts';
import { latinDigits } from '../../domain/phone.ts';
import { cardOffersState } from '../../state/coupons.ts';
import {
  ANOTHER,
  cardDraftAtom,
  cardErrorsAtom,
  chosenCardAtom,
  isCardKeptAtom,
  pickCardAtom,
  removeCardAtom,
  savedCardsState,
  type CardDraft,
} from '../../state/payments.ts';
import { popupAtom } from '../../state/popup.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Field } from '../../ui/Field.tsx';
import { CardIcon } from '../../ui/icons/CardIcon.tsx';
import { PlusIcon } from '../../ui/icons/PlusIcon.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import css from './CardFields.module.css';

const grouped = (typed: string) =>
  latinDigits(typed)
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ');
const FIRST_DIGITS = 6;
const firstDigits = (typed: string) => latinDigits(typed).slice(0, FIRST_DIGITS);
const expiry = (typed: string) => {
  const digits = latinDigits(typed).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
};

/**
 * The saved cards, then fields for another one. Card data goes to the provider's vault and is never stored here; an
 * error keeps what was typed.
 */
export function CardFields({ isOwnCart = true }: { isOwnCart?: boolean }) {
  const saved = useAtomValue(savedCardsState.atom).data ?? [];
  const chosen = useAtomValue(chosenCardAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const pick = useSetAtom(pickCardAtom);
  return (
    <div className={css.fields}>
      {saved.length > 0 && (
        <RadioCards
          legend={t.cards}
          value={chosen?.cardId ?? ANOTHER}
          onChange={pick}
          options={[
            ...saved.map((card) => ({
              value: card.cardId,
              title: `${card.brand} •••• ${card.lastFour}`,
              detail: (card.isExpired ? t.cardExpired : t.cardUntil)({ expiry: card.expiry }),
              disabled: card.isExpired,
              icon: <CardIcon />,
            })),
            { value: ANOTHER, title: t.cardAnother, icon: <PlusIcon /> },
          ]}
        />
      )}
      {chosen ? <KeptCard card={chosen} /> : <NewCard isOwnCart={isOwnCart} mayKeep={isLoggedIn} />}
    </div>
  );
}

function CvvField(field: Pick<ComponentProps<typeof Field>, 'label' | 'enterKeyHint' | 'error'>) {
  const [draft, setDraft] = useAtom(cardDraftAtom);
  return (
    <Field
      {...field}
      hint={t.cvvHint}
      name="cc-csc"
      type="password"
      inputMode="numeric"
      autoComplete="cc-csc"
      maxLength={4}
      value={draft.cvv}
      onChange={(event) => setDraft((before) => ({ ...before, cvv: latinDigits(event.target.value) }))}
    />
  );
}

function KeptCard({ card }: { card: SavedCard }) {
  const errors = useAtomValue(cardErrorsAtom);
  const remove = useSetAtom(removeCardAtom);
  const setPopup = useSetAtom(popupAtom);
  return (
    <div className={css.kept}>
      <CvvField
        label={t.cvvOfCard({ digits: card.lastFour })}
        enterKeyHint="done"
        error={errors.cvv ?? errors.number ?? errors.cardId}
      />
      <Button
        kind="quiet"
        small
        onClick={() =>
          setPopup({
            message: t.cardRemoveAsk({ digits: card.lastFour }),
            left: { label: t.cardRemoveNo },
            right: {
              label: t.cardRemoveYes,
              act: () => {
                void remove(card.cardId);
              },
            },
          })
        }
      >
        {t.cardRemove}
      </Button>
    </div>
  );
}

function NewCard({ isOwnCart, mayKeep }: { isOwnCart: boolean; mayKeep: boolean }) {
  const [card, setCard] = useAtom(cardDraftAtom);
  const [isKept, setKept] = useAtom(isCardKeptAtom);
  const errors = useAtomValue(cardErrorsAtom);
  const heldOffers = useAtomValue(cardOffersState.atom).data;
  // A person who pays for somebody else has no cart that an offer could apply to.
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
      <Field
        label={t.cardNumber}
        name="cc-number"
        inputMode="numeric"
        autoComplete="cc-number"
        enterKeyHint="next"
        value={card.number}
        error={errors.number}
        onChange={(event) => setNumber(event.target.value)}
      />
      {cardOffers && (cardOffers.isEligible || cardOffers.problems.length > 0) && (
        <p className={css.offer} role="status" data-lost={cardOffers.problems.length > 0 || undefined}>
          {cardOffers.problems[0]?.displayMsg ??
            (cardOffers.offers[0] ? t.cardOffer({ offer: cardOffers.offers[0].title }) : t.cardOfferUnnamed)}
        </p>
      )}
      <div className={css.pair}>
        <Field
          label={t.cardExpiry}
          hint={t.cardExpiryHint}
          name="cc-exp"
          inputMode="numeric"
          autoComplete="cc-exp"
          enterKeyHint="next"
          value={card.expiry}
          error={errors.expiry}
          onChange={(event) => set('expiry', expiry(event.target.value))}
        />
        <CvvField label={t.cvv} enterKeyHint="next" error={errors.cvv} />
      </div>
      <Field
        label={t.cardName}
        name="cc-name"
        autoComplete="cc-name"
        enterKeyHint="done"
        maxLength={80}
        value={card.name}
        error={errors.name}
        onChange={(event) => set('name', event.target.value)}
      />
      {mayKeep && <CheckBox label={t.cardKeep} detail={t.cardKeepDetail} checked={isKept} onChange={setKept} />}
    </>
  );
}
