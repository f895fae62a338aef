import { atom, useAtomValue, useSetAtom } from 'jotai';
import { chosenOptionAtom, optionsState } from '../../state/checkout/modes.ts';
import { placeOrderAtom } from '../../state/checkout/placing.ts';
import { quoteState } from '../../state/checkout/quote.ts';
import { cardAtom } from '../../state/drafts/card.ts';
import { choiceOfAtom } from '../../state/drafts/paymentChoice.ts';
import { enterCardsAtom } from '../../state/payment/payments.ts';
import { paymentSheetsState } from '../../state/payment/paymentSheet.ts';
import { While } from '../../ui/time/While.tsx';
import { CardFields } from './CardFields.tsx';
import { Choices } from './Choices.tsx';
import type { PaymentForm } from './paymentForm.ts';
import { SheetButtons } from './SheetButtons.tsx';
import { WalletLinked } from '../funds/WalletLinked.tsx';

/** The cards that were saved, the one that the bank's page has sent the customer back with, and the phone's own sheets. */
export const enterCardModeAtom = atom(null, (_get, set): void => {
  void set(enterCardsAtom);
  void set(paymentSheetsState.load);
});

/** Fields and offers of the chosen mode, shown right below it. */
export default function BelowMode({ mode, form }: { mode: string; form: PaymentForm }) {
  const { data } = useAtomValue(optionsState.atom);
  const option = useAtomValue(chosenOptionAtom);
  const isMissing = useAtomValue(choiceOfAtom)(option) === null;
  const rest = useAtomValue(quoteState.atom).data?.funds.rest ?? null;
  const placeOrder = useSetAtom(placeOrderAtom);
  const card = useAtomValue(cardAtom);
  const isEntered = useAtomValue(paymentSheetsState.atom).status !== 'idle';
  const enter = useSetAtom(enterCardModeAtom);
  if (data?.linkable.some((one) => one === mode)) return <WalletLinked provider={mode} />;
  if (option?.choices) return <Choices option={option} error={isMissing ? form.errors.choice : undefined} />;
  if (mode !== 'CARD') return null;
  return (
    <>
      {!isEntered && <While name={mode} run={enter} />}
      {!card && <SheetButtons amount={rest} isReady={form.isReady} onCard={placeOrder} />}
      <CardFields url={data?.cardFields} />
    </>
  );
}
