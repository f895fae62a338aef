import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as cards from '../contract/cards.ts';
import * as contract from '../contract/payments.ts';
import { OTP_FAILED } from '../domain/messages.ts';
import { OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { cardAtom } from './checkout.ts';
import { journalAtom } from './journal.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { orderAtom, settleOrderAtom } from './orders.ts';
import { sentenceOf, showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom, navigateAtom } from './seams.ts';
import { isLoggedInAtom } from './session.ts';

/** Cash code: what was typed, what is wrong with it, when the next may be sent (epoch ms of the device). */
export const codTypedAtom = forgotten('');
export const codErrorAtom = forgotten('');
export const codResendAtAtom = forgotten(0);
export const isCodBusyAtom = forgotten(false);

/** A code went out with the order, also when the page was reloaded since: the next one has to wait for its time. */
export const expectCodCodeAtom = atom(null, (get, set) => {
  const sentAt = get(journalAtom)?.at ?? 0;
  set(codResendAtAtom, (before) => Math.max(before, sentAt + OTP_RESEND_SECONDS * 1000));
});

/** Sends another code. */
export const sendCodCodeAtom = atom(null, async (get, set, transactionId: string) => {
  if (get(isCodBusyAtom)) return;
  set(isCodBusyAtom, true);
  try {
    const reply = await get(apiAtom).call(contract.codOtp, { transactionId, body: {} });
    set(codResendAtAtom, Date.now() + reply.resendInSeconds * 1000);
    set(codErrorAtom, '');
  } catch (thrown) {
    const message = sentenceOf(thrown);
    // A code that is still on its way is not an error of the customer's: the wait that is left is shown.
    if (codeOf(thrown) === 'OTP_WAIT') set(codResendAtAtom, Date.now() + Number(/\d+/.exec(message)?.[0] ?? OTP_RESEND_SECONDS) * 1000);
    else set(codErrorAtom, message);
  } finally {
    set(isCodBusyAtom, false);
  }
});

export const checkCodCodeAtom = atom(null, async (get, set, transactionId: string) => {
  if (get(isCodBusyAtom)) return;
  const code = otpCode(get(codTypedAtom));
  if (code === null) { set(codErrorAtom, OTP_FAILED); return; }
  set(isCodBusyAtom, true);
  try {
    await get(apiAtom).call(contract.codOtp, { transactionId, body: { code } });
    set(codTypedAtom, '');
    const order = get(orderAtom);
    if (order) {
      const now = await set(settleOrderAtom, order);
      get(navigateAtom).go(`/order/${now.orderId}`, { replace: true });
    }
  } catch (thrown) {
    set(codErrorAtom, sentenceOf(thrown));
  } finally {
    set(isCodBusyAtom, false);
  }
});

/** Card fields of the page; never kept, gone once the provider has made a token of them. */
export interface CardDraft { readonly number: string; readonly expiry: string; readonly cvv: string; readonly name: string }
const NO_CARD: CardDraft = { number: '', expiry: '', cvv: '', name: '' };
export const cardDraftAtom = forgotten<CardDraft>(NO_CARD);
export const cardErrorsAtom = forgotten<Readonly<Record<string, string>>>({});
export const isCardBusyAtom = forgotten(false);

/** Cards of the account; a guest has none. */
export const savedCardsState = remote(async (get, _set, signal) => (get(isLoggedInAtom) ? (await get(apiAtom).call(cards.list, {}, { signal })).cards : []));
/** What was chosen among them; ANOTHER is a card that is typed in. Until then the newest that is still good. */
export const ANOTHER = 'another';
const pickedCardAtom = forgotten<string | null>(null);
export const chosenCardAtom = atom((get) => {
  const list = get(savedCardsState.atom).data ?? [];
  const picked = get(pickedCardAtom);
  // Whoever has begun to type a card means that one, however late the list comes.
  return picked === ANOTHER || picked === null && get(cardDraftAtom).number !== '' ? null : list.find((card) => card.cardId === picked) ?? list.find((card) => !card.isExpired) ?? null;
});
export const pickCardAtom = atom(null, (_get, set, cardId: string) => {
  set(pickedCardAtom, cardId);
  set(cardDraftAtom, NO_CARD);
  set(cardErrorsAtom, {});
});
/** Never ticked by itself: only the customer's own wish keeps a card. */
export const isCardKeptAtom = forgotten(false);
export const removeCardAtom = atom(null, async (get, set, cardId: string): Promise<void> => {
  try {
    const reply = await get(apiAtom).call(cards.remove, { cardId });
    set(savedCardsState.put, reply.cards);
    set(toastMessageAtom, 'The card is removed.');
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

const CARD_FIELDS: Readonly<Record<string, keyof CardDraft>> = { CARD_NUMBER: 'number', CARD_EXPIRY: 'expiry', CARD_CVV: 'cvv', CARD_NAME: 'name', CARD_TOKEN: 'cvv' };

/** Swaps the card, or the CVV of a kept one, for a token; answers whether one is there. */
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
      // The payment goes on whether or not the card could be kept.
      await call(cards.save, { body: { cardToken: token } }).then(
        (reply) => set(savedCardsState.put, reply.cards), (thrown: unknown) => set(toastMessageAtom, sentenceOf(thrown)),
      );
      set(isCardKeptAtom, false);
    }
    return true;
  } catch (thrown) {
    const errors = isFailure(thrown) ? thrown.errors : [];
    set(cardErrorsAtom, errors.length > 0
      ? Object.fromEntries(errors.map((error) => [CARD_FIELDS[error.code] ?? error.field?.split('.').at(-1) ?? 'number', error.displayMsg]))
      : { number: sentenceOf(thrown) });
    return false;
  } finally {
    set(isCardBusyAtom, false);
  }
});

/** UPI id of a collect request. */
export const vpaAtom = forgotten('');
export const vpaErrorAtom = forgotten('');
export const isVpaSentAtom = forgotten(false);
export const collectAtom = atom(null, async (get, set, transactionId: string) => {
  set(vpaErrorAtom, '');
  try {
    await get(apiAtom).call(contract.upiCollect, { transactionId, body: { vpa: get(vpaAtom).trim() } });
    set(isVpaSentAtom, true);
  } catch (thrown) {
    set(vpaErrorAtom, sentenceOf(thrown));
  }
});
