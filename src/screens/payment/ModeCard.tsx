import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { areModesOpenAtom, isStrandedAtom, optionsState } from '../../state/checkout/modes.ts';
import { isWholeAtom, quoteState } from '../../state/checkout/quote.ts';
import { paymentModeAtom } from '../../state/drafts/mode.ts';
import { optionsNamed } from '../../contract/payments.ts';
import { deliveryTypeAtom } from '../../state/first/location.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { choiceOfAtom, isChoiceNeeded } from '../../state/drafts/paymentChoice.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { Card } from '../../ui/page/Card.tsx';
import { part } from '../../ui/time/loaded.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import { ModeList } from './ModeList.tsx';
import type { PaymentForm } from './paymentForm.ts';
import { WalletFunds } from '../funds/WalletFunds.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './PaymentModeScreen.module.css';

/** Fields of a card, a bank or a wallet; paying at the door has none. */
export const loadBelowMode = FULL_MODE ? () => import('./BelowMode.tsx') : null;
const BelowMode = loadBelowMode ? part(loadBelowMode, () => <Skeleton height="6rem" />) : () => null;

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
      reasonOf={({ id, disabledReason }) => modes?.find((one) => one.id === id)?.disabledReason ?? disabledReason}
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
            <LoadAgain failure={options.failure} onRetry={() => void loadOptions()} />
          </div>
        )}
        {options.data && !isWhole && <Modes form={form} />}
        {isStranded && <p className={css.news}>{t.stranded}</p>}
        {FULL_MODE && options.data && !isWhole && <Elsewhere />}
      </div>
      {FULL_MODE && options.data && <WalletFunds />}
    </Card>
  );
}
