import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as cards from '../contract/cards.ts';
import * as contract from '../contract/payments.ts';
import { OTP_DIGITS, OTP_LIFE_SECONDS, OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { latinDigits } from '../domain/phone.ts';
import { cardAtom } from './checkout.ts';
import { journalAtom } from './journal.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { nextStepAtom, orderAtom, settleOrderAtom } from './orders.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { toastMessageAtom } from './first/toast.ts';
import { apiAtom, navigateAtom } from './first/seams.ts';
import { isLoggedInAtom } from './session.ts';
import { codeFromSms } from './smsCode.ts';

/**
 * The code of a cash order: what was typed, what is wrong with it, and when the next may be sent (epoch ms of the
 * device).
 */
export const codTypedAtom = customerAtom('');
export const codErrorAtom = customerAtom('');
export const codResendAtAtom = customerAtom(0);
export const isCodBusyAtom = customerAtom(false);

/** The server has sent a code with the order, maybe before a reload. The next one has to wait for its time. */
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
    // A code that was sent a moment ago is no error of the customer's: the remaining wait is shown.
    if (codeOf(thrown) === 'OTP_WAIT')
      set(codResendAtAtom, Date.now() + Number(/\d+/.exec(message)?.[0] ?? OTP_RESEND_SECONDS) * 1000);
    else set(codErrorAtom, message);
  } finally {
    set(isCodBusyAtom, false);
  }
});

/** Checks the typed code, which places the order. @returns false when it has to be typed again */
export const checkCodCodeAtom = atom(null, async (get, set, transactionId: string): Promise<boolean> => {
  if (get(isCodBusyAtom)) return true;
  const code = otpCode(get(codTypedAtom));
  if (code === null) {
    set(codErrorAtom, t.codeShort);
    return false;
  }
  set(isCodBusyAtom, true);
  set(codErrorAtom, '');
  try {
    await get(apiAtom).call(contract.codOtp, { transactionId, body: { code } });
    get(codListeningAtom)?.abort();
    set(codTypedAtom, '');
    const order = get(orderAtom);
    if (order) {
      const now = await set(settleOrderAtom, order);
      get(navigateAtom).go(`/order/${now.orderId}`, { replace: true });
    }
    return true;
  } catch (thrown) {
    set(codErrorAtom, sentenceOf(thrown));
    return false;
  } finally {
    set(isCodBusyAtom, false);
  }
});

/**
 * Takes what was typed, pasted or read from the SMS: digits of any script, and six of them are sent at once. @returns
 * false when they were wrong
 */
export const typeCodCodeAtom = atom(null, async (get, set, transactionId: string, typed: string): Promise<boolean> => {
  const digits = latinDigits(typed).slice(0, OTP_DIGITS);
  if (digits === get(codTypedAtom)) return true;
  set(codTypedAtom, digits);
  set(codErrorAtom, '');
  return digits.length < OTP_DIGITS || (await set(checkCodCodeAtom, transactionId));
});

const codListeningAtom = atom<AbortController | null>(null);

/** Takes the code of a cash order from its SMS, where the browser can. */
export const listenForCodCodeAtom = atom(null, async (get, set, transactionId: string): Promise<void> => {
  get(codListeningAtom)?.abort();
  const listening = new AbortController();
  set(codListeningAtom, listening);
  const code = await codeFromSms(listening, Date.now() + OTP_LIFE_SECONDS * 1000);
  const step = get(nextStepAtom);
  if (code !== null && step?.kind === 'cod-otp' && step.transactionId === transactionId)
    await set(typeCodCodeAtom, transactionId, code);
});

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
export const isCardBusyAtom = customerAtom(false);

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
