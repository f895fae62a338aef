import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import type { PaymentMode } from '../../contract/names.ts';
import * as contract from '../../contract/assistants.ts';
import { typedText } from '../../domain/typedText.ts';
import { showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { acceptedTermsAtom } from './terms.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';

/** A program's request, as it stands in the address of the page. */
function requestOf(search: string) {
  const query = new URLSearchParams(search);
  const said = (name: string) => query.get(name) ?? '';
  return {
    client_id: said('client_id'),
    redirect_uri: said('redirect_uri'),
    response_type: said('response_type'),
    code_challenge: said('code_challenge'),
    code_challenge_method: said('code_challenge_method'),
    ...(query.has('scope') ? { scope: said('scope') } : {}),
    ...(query.has('state') ? { state: said('state') } : {}),
  };
}

/** What a program asks the customer to allow. */
export const grantState = remote(async (get, _set, signal, search: string) => {
  const request = requestOf(search);
  return { request, ...(await get(apiAtom).call(contract.grant, { query: request }, { signal })) };
});

/** An order that an assistant has prepared. */
export const quoteState = remote(
  async (get, _set, signal, quoteId: string) =>
    (await get(apiAtom).call(contract.quoteById, { quoteId }, { signal })).quote,
);

const sent = tasks();
export const assistantBusyAtom = sent.busyAtom;

/** The customer's yes or no, with which the page goes back to the program. */
export const answerGrantAtom = sent.task(
  async (get, _set, isAllowed: boolean) => {
    const request = get(grantState.atom).data?.request;
    if (request === undefined) return;
    const { goTo } = await get(apiAtom).call(contract.answer, { body: { request, isAllowed } });
    globalThis.location.assign(goTo);
  },
  { as: (isAllowed) => (isAllowed ? 'allow' : 'deny') },
);

/** How the customer wants to pay; null: not chosen yet. */
export const quoteModeAtom = customerAtom<PaymentMode | null>(null);
/** Whether the customer was told that they have ordered a moment ago. */
export const isSecondAtom = customerAtom(false);
export const firstNameAtom = customerAtom('');
const tickedAtom = customerAtom(false);
/** The terms of this order were accepted with an earlier one, or on the page. */
export const quoteTermsAtom = atom(
  (get): boolean => get(tickedAtom) || get(acceptedTermsAtom) === get(quoteState.atom).data?.termsVersion,
  (_get, set, isTicked: boolean): void => set(tickedAtom, isTicked),
);

/** The customer's own yes to an order: it is placed, and the page goes on to its payment. */
export const confirmQuoteAtom = sent.task(
  async (get, set) => {
    const quote = get(quoteState.atom).data;
    const paymentMode = get(quoteModeAtom);
    if (quote === null || paymentMode === null) return;
    const firstName = typedText(get(firstNameAtom));
    const { order, next } = await get(apiAtom).call(
      contract.confirm,
      {
        quoteId: quote.quoteId,
        body: {
          ...(firstName === '' ? {} : { customer: { firstName, lastName: '' } }),
          paymentMode,
          total: quote.bill.total,
          ...(get(isSecondAtom) ? { allowDuplicate: true } : {}),
          termsAccepted: get(quoteTermsAtom),
          termsVersion: quote.termsVersion,
        },
      },
      { idempotencyKey: `confirm:${quote.quoteId}` },
    );
    set(acceptedTermsAtom, quote.termsVersion);
    const path = next.kind === 'none' ? '/order/' : '/payment/';
    get(navigateAtom).go(path + order.orderId, { replace: true });
  },
  {
    failed: (get, set, thrown) => {
      if (codeOf(thrown) === 'DUPLICATE_ORDER') set(isSecondAtom, true);
      const quoteId = get(quoteState.atom).data?.quoteId;
      if (codeOf(thrown) === 'QUOTE_OVER' && quoteId !== undefined) void set(quoteState.load, quoteId);
      set(showFailureAtom, thrown);
    },
  },
);

/** Forgets what was chosen for another order. */
export const beginQuoteAtom = atom(null, (_get, set): void => {
  set(quoteModeAtom, null);
  set(isSecondAtom, false);
  set(tickedAtom, false);
});
