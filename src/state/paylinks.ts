import { atom } from 'jotai';
import * as contract from '../contract/paylinks.ts';
import type { PaymentStep } from '../contract/payments.ts';
import { cardAtom } from './checkout.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { newId } from './lib/ids.ts';
import { remote } from './lib/remote.ts';
import { sentenceOf, toastMessageAtom } from './popup.ts';
import { apiAtom } from './seams.ts';
import { shareAtom } from './share.ts';

/** What a link that somebody was sent is for, and how far it is. */
export const payLinkState = remote(async (get, _set, signal, token: string) => (await get(apiAtom).call(contract.byToken, { token }, { signal })).link, { isCustomers: false });

/** How this person pays for somebody else: chosen, begun, refused. Nothing of it is kept. */
export const linkModeAtom = forgotten<string | null>(null);
const begunAtom = forgotten<{ readonly step: PaymentStep; readonly tries: number } | null>(null);
/** What this person has begun, as long as it can still be paid: not after the bank's no, and not once somebody else has begun. */
export const linkStepAtom = atom((get) => {
  const [begun, link] = [get(begunAtom), get(payLinkState.atom).data];
  return begun && link && !link.hasFailed && link.tries === begun.tries ? begun.step : null;
});
export const leaveLinkStepAtom = atom(null, (_get, set) => set(begunAtom, null));
export const linkErrorAtom = forgotten('');
export const isLinkBusyAtom = forgotten(false);

export const beginPayLinkAtom = atom(null, (_get, set): void => {
  set(linkModeAtom, null);
  set(begunAtom, null);
  set(linkErrorAtom, '');
});

export const payByLinkAtom = atom(null, async (get, set, token: string): Promise<void> => {
  const mode = get(linkModeAtom);
  if (get(isLinkBusyAtom) || mode === null) return;
  set(isLinkBusyAtom, true);
  set(linkErrorAtom, '');
  try {
    const card = get(cardAtom);
    const { link, next } = await get(apiAtom).call(contract.pay, {
      token, body: { paymentMode: mode as 'UPI', ...(mode === 'CARD' && card ? { cardToken: card.token } : {}) },
    }, { idempotencyKey: newId(), headers: { returnpath: new URL(document.baseURI).pathname } });
    set(payLinkState.put, link);
    set(begunAtom, next.kind === 'none' ? null : { step: next, tries: link.tries });
  } catch (thrown) {
    set(linkErrorAtom, sentenceOf(thrown));
    await set(payLinkState.load, token);
  } finally {
    set(cardAtom, null);
    set(isLinkBusyAtom, false);
  }
});

/** A request in the payer's UPI app. @throws what the server refuses with */
export const collectByLinkAtom = atom(null, async (get, set, token: string, vpa: string): Promise<void> => {
  const { link } = await get(apiAtom).call(contract.collect, { token, body: { vpa } });
  set(payLinkState.put, link);
});

/** Hands the link of an order on; where there is no sheet for that it is copied. */
export const sharePayLinkAtom = atom(null, (_get, set, token: string): Promise<void> => set(shareAtom, {
  title: 'Please pay for this order', path: `/pay/${token}`, copied: 'The link is copied. It shows the shop and the amount, and nothing about you.',
  failed: 'Sharing is not possible here. Copy the address below instead.',
}));
