import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import {
  areModesOpenAtom,
  cardAtom,
  chosenOptionAtom,
  isStrandedAtom,
  isWholeAtom,
  optionsState,
  paymentModeAtom,
  placeOrderAtom,
  quoteState,
} from '../../state/checkout.ts';
import { optionsNamed } from '../../contract/payments.ts';
import { deliveryTypeAtom } from '../../state/first/location.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { choiceOfAtom, isChoiceNeeded } from '../../state/paymentChoice.ts';
import { sentenceOf } from '../../state/popup.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CardFields } from './CardFields.tsx';
import { Choices } from './Choices.tsx';
import { ModeList } from './ModeList.tsx';
import type { PaymentForm } from './paymentForm.ts';
import { SheetButtons } from './SheetButtons.tsx';
import { WalletFunds } from './WalletFunds.tsx';
import { WalletLinked } from './WalletLinked.tsx';
import css from './PaymentModeScreen.module.css';

/** What the chosen mode asks for or offers, shown right below it. */
function BelowMode({ mode, form }: { mode: string; form: PaymentForm }) {
  const { data } = useAtomValue(optionsState.atom);
  const option = useAtomValue(chosenOptionAtom);
  const isMissing = useAtomValue(choiceOfAtom)(option) === null;
  const rest = useAtomValue(quoteState.atom).data?.funds.rest ?? null;
  const placeOrder = useSetAtom(placeOrderAtom);
  const card = useAtomValue(cardAtom);
  if (data?.linkable.some((one) => one === mode)) return <WalletLinked provider={mode} />;
  if (option?.choices) return <Choices option={option} error={isMissing ? form.errors.choice : undefined} />;
  if (mode !== 'CARD') return null;
  return (
    <>
      {!card && <SheetButtons amount={rest} isReady={form.isReady} onCard={placeOrder} />}
      <CardFields url={data?.cardFields} />
    </>
  );
}

function Modes({ form }: { form: PaymentForm }) {
  const { data } = useAtomValue(optionsState.atom);
  const modes = useAtomValue(quoteState.atom).data?.modes;
  const type = useAtomValue(deliveryTypeAtom);
  const mode = useAtomValue(paymentModeAtom);
  const [isOpen, setOpen] = useAtom(areModesOpenAtom);
  const choiceOf = useAtomValue(choiceOfAtom);
  if (!data) return null;
  // Only these modes have something to show below: an empty element would still take room.
  const option = data.options.find((one) => one.id === mode);
  const choice = choiceOf(option);
  // Folded, the line itself says what is chosen within a mode.
  const asksWhich = option?.choices !== undefined && (isOpen || (choice === null && isChoiceNeeded(option)));
  const hasMore = mode === 'CARD' || asksWhich || data.linkable.some((one) => one === mode);
  return (
    <ModeList
      options={optionsNamed(data.options, type)}
      value={mode}
      onChange={form.choose}
      last={data.last}
      reasonOf={(id) => modes?.find((one) => one.id === id)?.disabledReason}
      error={mode === null ? form.errors.mode : undefined}
      said={asksWhich ? undefined : choice?.label}
      isOpen={isOpen}
      onOpen={() => setOpen(true)}
      below={FULL_MODE && mode !== null && hasMore && <BelowMode mode={mode} form={form} />}
    />
  );
}

/** As many lines as will most likely come, so that nothing below them moves: all modes, or those of who has paid before. */
const ROWS = [1, 2, 3, 4, 5, 6, 7];
const ROWS_FOLDED = 4;

/** The ways to pay: the modes of this country and host, then the customer's balances in one line. */
export function ModeCard({ form }: { form: PaymentForm }) {
  const host = useAtomValue(hostAtom);
  const options = useAtomValue(optionsState.atom);
  const loadOptions = useSetAtom(optionsState.load);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isWhole = useAtomValue(isWholeAtom);
  const isStranded = useAtomValue(isStrandedAtom);
  return (
    <Card title={t.modeTitle} flush>
      <div id="pay-mode" tabIndex={-1}>
        {options.data === null && options.status !== 'failed' && (
          <div aria-busy="true" className={css.bones}>
            {ROWS.slice(0, host.partner !== '' ? 1 : isLoggedIn ? ROWS_FOLDED : ROWS.length).map((row) => (
              <Skeleton key={row} height="2.8125rem" />
            ))}
          </div>
        )}
        {options.data === null && options.status === 'failed' && (
          <div className={css.news}>
            <Problems>
              {sentenceOf(options.failure)}{' '}
              <Button kind="quiet" small onClick={() => void loadOptions()}>
                {t.tryAgain}
              </Button>
            </Problems>
          </div>
        )}
        {options.data && !isWhole && <Modes form={form} />}
        {isStranded && <p className={css.news}>{t.stranded}</p>}
      </div>
      {FULL_MODE && options.data && <WalletFunds />}
    </Card>
  );
}
