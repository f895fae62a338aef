import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useCallback } from 'react';
import { cardFieldsAddress } from '../../bridge/payment/cardFields.ts';
import type { SavedCard } from '../../contract/cards.ts';
import { cardAtom, cardTasks } from '../../state/drafts/card.ts';
import { cardOffersState } from '../../state/offers/coupons.ts';
import {
  ANOTHER,
  chosenCardAtom,
  connectCardFieldsAtom,
  isCardAtBankAtom,
  isCardKeptAtom,
  pickCardAtom,
  removeCardAtom,
  savedCardsState,
} from '../../state/payment/payments.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { CardIcon, PlusIcon } from '../../ui/pictures/icons.ts';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import css from './CardFields.module.css';

interface CardFieldsProps {
  /** The bank's page with the fields. */
  url: string | undefined;
  /** A person who pays for somebody else has no cart that an offer could apply to. */
  isOwnCart?: boolean;
}

/**
 * The card to pay with: that which the bank has given a token of, or the saved cards and the bank's fields for another one.
 * Nothing of a card is typed into our page.
 */
export function CardFields({ url, isOwnCart = true }: CardFieldsProps) {
  const saved = useAtomValue(savedCardsState.atom).data ?? [];
  const chosen = useAtomValue(chosenCardAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const pick = useSetAtom(pickCardAtom);
  const [card, setCard] = useAtom(cardAtom);
  if (card)
    return (
      <p className={css.chosen}>
        {t.cardEnding({ brand: card.brand, digits: card.lastFour })}{' '}
        <Button kind="quiet" small onClick={() => setCard(null)}>
          {t.cardUseAnother}
        </Button>
      </p>
    );
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
      <BankFields key={chosen?.cardId ?? ANOTHER} url={url} kept={chosen} isOwnCart={isOwnCart} />
      {chosen ? <KeptCard card={chosen} /> : <NewCard isOwnCart={isOwnCart} mayKeep={isLoggedIn} />}
    </div>
  );
}

/** The bank's own fields, in a frame of its origin; where there can be no frame, the way to them and back. */
function BankFields({ url, kept, isOwnCart }: CardFieldsProps & { kept: SavedCard | null; isOwnCart: boolean }) {
  const isAtBank = useAtomValue(isCardAtBankAtom);
  const error = useAtomValue(cardTasks.problemsAtom).card;
  const connect = useSetAtom(connectCardFieldsAtom);
  const ref = useCallback(
    (frame: HTMLIFrameElement | null) => (frame ? connect(frame, isOwnCart) : undefined),
    [connect, isOwnCart],
  );
  return (
    <div>
      {url === undefined ? null : isAtBank ? (
        <Button full kind="secondary" href={cardFieldsAddress(window, url, { kept, isRedirect: true })} data-leave>
          {t.cardAtBank}
        </Button>
      ) : (
        <iframe
          ref={ref}
          className={css.frame}
          data-kept={kept ? true : undefined}
          title={t.cardFrame}
          src={cardFieldsAddress(window, url, { kept, isRedirect: false })}
        />
      )}
      <p className={css.hint}>{t.cardFrameDetail}</p>
      <p className={css.error} role="alert">
        {error ?? (url === undefined ? t.cardFrameAway : '')}
      </p>
    </div>
  );
}

function KeptCard({ card }: { card: SavedCard }) {
  const remove = useSetAtom(removeCardAtom);
  const setPopup = useSetAtom(popupAtom);
  return (
    <div className={css.kept}>
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
  const [isKept, setKept] = useAtom(isCardKeptAtom);
  const heldOffers = useAtomValue(cardOffersState.atom).data;
  const isAtBank = useAtomValue(isCardAtBankAtom);
  const cardOffers = isOwnCart ? heldOffers : null;
  return (
    <>
      {cardOffers && (cardOffers.isEligible || cardOffers.problems.length > 0) && (
        <p className={css.offer} role="status" data-lost={cardOffers.problems.length > 0 || undefined}>
          {cardOffers.problems[0]?.displayMsg ??
            (cardOffers.offers[0] ? t.cardOffer({ offer: cardOffers.offers[0].title }) : t.cardOfferUnnamed)}
        </p>
      )}
      {mayKeep && !isAtBank && (
        <CheckBox label={t.cardKeep} detail={t.cardKeepDetail} checked={isKept} onChange={setKept} />
      )}
    </>
  );
}
