import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import * as contract from '../../contract/paylinks.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { cardAtom } from '../drafts/card.ts';
import { customerAtom } from '../lib/forget.ts';
import { newId } from '../first/lib/ids.ts';
import { remote } from '../lib/remote.ts';
import { choiceOfAtom, isChoiceNeeded } from '../drafts/paymentChoice.ts';
import { sentenceOf } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { apiAtom } from '../first/seams.ts';
import { shareAtom } from '../base/share.ts';

/** What a pay link is for, and whether it is paid. */
export const payLinkState = remote(
  async (get, _set, signal, token: string) => (await get(apiAtom).call(contract.byToken, { token }, { signal })).link,
  { isCustomers: false },
);

/** How this person pays for somebody else. None of this is stored. */
export const linkModeAtom = customerAtom<string | null>(null);
const begunAtom = customerAtom<{ readonly step: PaymentStep; readonly tries: number } | null>(null);
/**
 * The payment that this person has begun, while it can still be paid: not after the bank has declined, and not once
 * somebody else has begun.
 */
export const linkStepAtom = atom((get) => {
  const [begun, link] = [get(begunAtom), get(payLinkState.atom).data];
  return begun && link && !link.hasFailed && link.tries === begun.tries ? begun.step : null;
});
export const leaveLinkStepAtom = atom(null, (_get, set) => set(begunAtom, null));
export const payLinkTasks = tasks<'pay'>();

export const beginPayLinkAtom = atom(null, (_get, set): void => {
  set(linkModeAtom, null);
  set(begunAtom, null);
  set(payLinkTasks.clear);
});

export const payByLinkAtom = payLinkTasks.task(
  async (get, set, token: string) => {
    const mode = get(linkModeAtom);
    if (mode === null) return;
    const card = get(cardAtom);
    const option = get(payLinkState.atom).data?.options.find((one) => one.id === mode);
    const choice = get(choiceOfAtom)(option);
    const { link, next } = await get(apiAtom).call(
      contract.pay,
      {
        token,
        body: {
          paymentMode: mode as 'UPI',
          ...(mode === 'CARD' && card ? { cardToken: card.token } : {}),
          ...(choice && isChoiceNeeded(option) ? { paymentChoice: choice.id } : {}),
        },
      },
      { idempotencyKey: newId(), headers: { returnpath: new URL(document.baseURI).pathname } },
    );
    set(payLinkState.put, link);
    set(begunAtom, next.kind === 'none' ? null : { step: next, tries: link.tries });
    set(cardAtom, null);
  },
  {
    async failed(_get, set, thrown, token) {
      await set(payLinkState.load, token);
      set(cardAtom, null);
      return { pay: sentenceOf(thrown) };
    },
  },
);

/** Sends a request to the payer's UPI app. @throws Failure when the server refuses */
export const collectByLinkAtom = atom(null, async (get, set, token: string, vpa: string): Promise<void> => {
  const { link } = await get(apiAtom).call(contract.collect, { token, body: { vpa } });
  set(payLinkState.put, link);
});

/** Shares the pay link of an order; without a share sheet it is copied. */
export const sharePayLinkAtom = atom(null, (_get, set, token: string): Promise<void> =>
  set(shareAtom, {
    title: t.linkShareTitle,
    path: `/pay/${token}`,
    copied: t.linkCopied,
    failed: t.linkNotShared,
  }),
);
