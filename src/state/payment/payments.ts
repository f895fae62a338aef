import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import { connectCardFields, returnedCard, type CardFields } from '../../bridge/payment/cardFields.ts';
import * as cards from '../../contract/cards.ts';
import * as contract from '../../contract/payments.ts';
import { typedNumber } from '../../domain/typedText.ts';
import { cardAtom, cardTasks, isBackWithCardAtom } from '../drafts/card.ts';
import { cardOffersState } from '../offers/coupons.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { Wrong } from '../base/task.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom, hostAtom } from '../first/seams.ts';
import { isLoggedInAtom } from '../base/session.ts';

/** The first digits of a card that is being typed; the rest of it is the bank's alone. */
export const firstDigitsAtom = customerAtom('');

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
  return picked === ANOTHER || (picked === null && get(firstDigitsAtom) !== '')
    ? null
    : (list.find((card) => card.cardId === picked) ?? list.find((card) => !card.isExpired) ?? null);
});
export const pickCardAtom = atom(null, (_get, set, cardId: string) => {
  set(pickedCardAtom, cardId);
  set(firstDigitsAtom, '');
  set(cardTasks.clear);
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

/** The bank's fields on this page, while they are there. */
export const cardFieldsAtom = atom<CardFields | null>(null);
/**
 * Speaks with the bank's fields in this frame until they go.
 * @param isOwnCart false for a person who pays for somebody else: they have no cart that an offer could apply to
 */
export const connectCardFieldsAtom = atom(null, (get, set, frame: HTMLIFrameElement, isOwnCart: boolean) => {
  const fields = connectCardFields(window, frame, {
    first(digits) {
      set(firstDigitsAtom, digits);
      if (!isOwnCart) return;
      if (digits === '') set(cardOffersState.put, null);
      else void set(cardOffersState.load, digits);
    },
    // As a tap on Pay: Safari 15 has no requestSubmit, and a sandbox sends no form by itself (forms.ts).
    enter: () => frame.closest('form')?.querySelector<HTMLElement>('[type=submit]')?.click(),
  });
  set(cardFieldsAtom, fields);
  return () => {
    fields.stop();
    if (get(cardFieldsAtom) === fields) set(cardFieldsAtom, null);
  };
});
/** Whether the bank's fields are on a page of the bank: the host forbids frames. */
export const isCardAtBankAtom = atom((get) => get(hostAtom).forbids.has('foreign-frame'));

/** Exchanges a token of the bank's fields, for a card or for the CVV of a saved one. @throws Failure */
const exchangeAtom = atom(null, async (get, set, token: string, cardId: string | null): Promise<void> => {
  const { call } = get(apiAtom);
  const card =
    cardId === null
      ? await call(contract.cardToken, { body: { token } })
      : await call(cards.again, { cardId, body: { token } });
  set(cardAtom, { token: card.token, lastFour: card.lastFour, brand: card.brand });
  set(firstDigitsAtom, '');
});
const besideCard = (thrown: unknown) => ({ card: sentenceOf(thrown) });

/** Exchanges the card, or the CVV of a saved one, for a token. @returns whether there is one */
export const takeCardAtom = atom(
  null,
  async (get, set): Promise<boolean> => get(cardAtom) !== null || (await set(askCardAtom)),
);
const askCardAtom = cardTasks.task(
  async (get, set) => {
    const kept = get(chosenCardAtom);
    const fields = get(cardFieldsAtom);
    const answer = (await fields?.token()) ?? 'away';
    if (typeof answer === 'string') {
      if (answer === 'away') throw new Wrong({ card: get(isCardAtBankAtom) ? t.cardAtBankFirst : t.cardFrameAway });
      return false;
    }
    await set(exchangeAtom, answer.token, kept?.cardId ?? null);
    const taken = get(cardAtom);
    if (taken && !kept && get(isCardKeptAtom) && get(isLoggedInAtom)) {
      // The payment goes on even if the card could not be saved.
      await get(apiAtom)
        .call(cards.save, { body: { cardToken: taken.token } })
        .then(
          (reply) => set(savedCardsState.put, reply.cards),
          (thrown: unknown) => set(toastMessageAtom, sentenceOf(thrown)),
        );
      set(isCardKeptAtom, false);
    }
    return true;
  },
  { failed: (_get, _set, thrown) => besideCard(thrown) },
);

/**
 * Loads the saved cards, and takes over the card with which the bank's page has sent the customer back.
 * @returns whether it has, also where the card is refused: the fields say why
 */
export const enterCardsAtom = atom(null, async (_get, set): Promise<boolean> => {
  void set(savedCardsState.load);
  const returned = returnedCard(globalThis.window);
  set(isBackWithCardAtom, returned !== null);
  if (returned === null) return false;
  await set(exchangeReturnedAtom, returned.token, returned.cardId);
  return true;
});
const exchangeReturnedAtom = cardTasks.task(
  (_get, set, token: string, cardId: string | null) => set(exchangeAtom, token, cardId),
  { failed: (_get, _set, thrown) => besideCard(thrown) },
);

/** UPI id of the person who is asked to pay. */
export const vpaAtom = customerAtom('');
export const vpaErrorAtom = customerAtom('');
export const isVpaSentAtom = customerAtom(false);
export const collectAtom = atom(null, async (get, set, transactionId: string) => {
  set(vpaErrorAtom, '');
  try {
    await get(apiAtom).call(contract.upiCollect, { transactionId, body: { vpa: typedNumber(get(vpaAtom)) } });
    set(isVpaSentAtom, true);
  } catch (thrown) {
    set(vpaErrorAtom, sentenceOf(thrown));
  }
});
