import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import * as cards from '../contract/cards.ts';
import * as contract from '../contract/payments.ts';
import { cardAtom, isCardBusyAtom } from './checkout.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { toastMessageAtom } from './first/toast.ts';
import { apiAtom } from './first/seams.ts';
import { isLoggedInAtom } from './session.ts';

/** The card fields of the page; never stored, and cleared once the provider has made a token of them. */
export interface CardDraft {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly name: string;
}
const NO_CARD: CardDraft = { number: '', expiry: '', cvv: '', name: '' };
export const cardDraftAtom = customerAtom<CardDraft>(NO_CARD);
export const cardErrorsAtom = customerAtom<Readonly<Record<string, string>>>({});

/** Saved cards of the account; a guest has none. */
export const savedCardsState = remote(async (get, _set, signal) =>
  get(isLoggedInAtom) ? (await get(apiAtom).call(cards.list, {}, { signal })).cards : [],
);
/** Stands for a card that is typed in. As long as nothing is chosen, the newest valid card is. */
export const ANOTHER = 'another';
const pickedCardAtom = customerAtom<string | null>(null);
export const chosenCardAtom = atom((get) => {
  const list = get(savedCardsState.atom).data ?? [];
  const picked = get(pickedCardAtom);
  // A customer who has begun to type a card means that one, even if the list comes later.
  return picked === ANOTHER || (picked === null && get(cardDraftAtom).number !== '')
    ? null
    : (list.find((card) => card.cardId === picked) ?? list.find((card) => !card.isExpired) ?? null);
});
export const pickCardAtom = atom(null, (_get, set, cardId: string) => {
  set(pickedCardAtom, cardId);
  set(cardDraftAtom, NO_CARD);
  set(cardErrorsAtom, {});
});
/** Whether to save the card: only if the customer ticks it. */
export const isCardKeptAtom = customerAtom(false);
export const removeCardAtom = atom(null, async (get, set, cardId: string): Promise<void> => {
  try {
    const reply = await get(apiAtom).call(cards.remove, { cardId });
    set(savedCardsState.put, reply.cards);
    set(toastMessageAtom, t.cardRemoved);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

const CARD_FIELDS: Readonly<Record<string, keyof CardDraft>> = {
  CARD_NUMBER: 'number',
  CARD_EXPIRY: 'expiry',
  CARD_CVV: 'cvv',
  CARD_NAME: 'name',
  CARD_TOKEN: 'cvv',
};

/** Exchanges the card, or the CVV of a saved one, for a token. @returns whether there is one */
export const takeCardAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(cardAtom)) return true;
  if (get(isCardBusyAtom)) return false;
  set(isCardBusyAtom, true);
  set(cardErrorsAtom, {});
  const { call } = get(apiAtom);
  const kept = get(chosenCardAtom);
  try {
    const draft = get(cardDraftAtom);
    const { token, lastFour, brand } = kept
      ? await call(cards.again, { cardId: kept.cardId, body: { cvv: draft.cvv } })
      : await call(contract.cardToken, { body: draft });
    set(cardAtom, { token, lastFour, brand });
    set(cardDraftAtom, NO_CARD);
    if (!kept && get(isCardKeptAtom) && get(isLoggedInAtom)) {
      // The payment goes on even if the card could not be saved.
      await call(cards.save, { body: { cardToken: token } }).then(
        (reply) => set(savedCardsState.put, reply.cards),
        (thrown: unknown) => set(toastMessageAtom, sentenceOf(thrown)),
      );
      set(isCardKeptAtom, false);
    }
    return true;
  } catch (thrown) {
    const errors = isFailure(thrown) ? thrown.errors : [];
    set(
      cardErrorsAtom,
      errors.length > 0
        ? Object.fromEntries(
            errors.map((error) => [
              CARD_FIELDS[error.code] ?? error.field?.replace(/^.*\./, '') ?? 'number',
              error.displayMsg,
            ]),
          )
        : { number: sentenceOf(thrown) },
    );
    return false;
  } finally {
    set(isCardBusyAtom, false);
  }
});

/** UPI id of the person who is asked to pay. */
export const vpaAtom = customerAtom('');
export const vpaErrorAtom = customerAtom('');
export const isVpaSentAtom = customerAtom(false);
export const collectAtom = atom(null, async (get, set, transactionId: string) => {
  set(vpaErrorAtom, '');
  try {
    await get(apiAtom).call(contract.upiCollect, { transactionId, body: { vpa: get(vpaAtom).trim() } });
    set(isVpaSentAtom, true);
  } catch (thrown) {
    set(vpaErrorAtom, sentenceOf(thrown));
  }
});
