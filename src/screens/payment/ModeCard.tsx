import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import {
  cardAtom,
  isStrandedAtom,
  isWholeAtom,
  optionsState,
  paymentModeAtom,
  placeOrderAtom,
  quoteState,
} from '../../state/checkout.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { sentenceOf } from '../../state/popup.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { CardFields } from './CardFields.tsx';
import { ModeIcon } from './ModeIcon.tsx';
import type { PaymentForm } from './paymentForm.ts';
import { SheetButtons } from './SheetButtons.tsx';
import { WalletFunds } from './WalletFunds.tsx';
import { WalletLinked } from './WalletLinked.tsx';
import css from './PaymentModeScreen.module.css';

/** What the chosen mode asks for or offers, shown right below it. */
function BelowMode({ mode, form }: { mode: string; form: PaymentForm }) {
  const { data } = useAtomValue(optionsState.atom);
  const rest = useAtomValue(quoteState.atom).data?.funds.rest ?? null;
  const placeOrder = useSetAtom(placeOrderAtom);
  const [card, setCard] = useAtom(cardAtom);
  if (data?.linkable.some((one) => one === mode)) return <WalletLinked provider={mode} />;
  if (mode !== 'CARD') return null;
  if (card)
    return (
      <p className={css.chosen}>
        {t.cardEnding({ brand: card.brand, digits: card.lastFour })}{' '}
        <Button kind="quiet" small onClick={() => setCard(null)}>
          {t.cardUseAnother}
        </Button>
      </p>
    );
  return (
    <>
      <SheetButtons amount={rest} isReady={form.isReady} onCard={placeOrder} />
      <CardFields />
    </>
  );
}

function Modes({ form }: { form: PaymentForm }) {
  const { data } = useAtomValue(optionsState.atom);
  const modes = useAtomValue(quoteState.atom).data?.modes;
  const mode = useAtomValue(paymentModeAtom);
  if (!data) return null;
  // Only these modes have something to show below: an empty element would still take room.
  const hasMore = (id: string) => id === 'CARD' || data.linkable.some((one) => one === id);
  return (
    <RadioCards
      legend={t.mode}
      quietLegend
      value={mode}
      onChange={form.choose}
      error={mode === null ? form.errors.mode : undefined}
      options={data.options.map((option) => {
        const reason = modes?.find((one) => one.id === option.id)?.disabledReason;
        return {
          value: option.id,
          title: option.label,
          detail: reason ?? option.about,
          disabled: reason !== undefined,
          icon: <ModeIcon mode={option.id} />,
          ...(option.id === mode && hasMore(mode) ? { below: <BelowMode mode={mode} form={form} /> } : {}),
          ...(data.last === option.id ? { end: <Tag tone="lime">{t.usedLast}</Tag> } : {}),
        };
      })}
    />
  );
}

/** The ways to pay: the customer's balances first, then the modes of this country and host. */
export function ModeCard({ form }: { form: PaymentForm }) {
  const host = useAtomValue(hostAtom);
  const options = useAtomValue(optionsState.atom);
  const loadOptions = useSetAtom(optionsState.load);
  const isWhole = useAtomValue(isWholeAtom);
  const isStranded = useAtomValue(isStrandedAtom);
  return (
    <Card title={t.modeTitle}>
      <div id="pay-mode" tabIndex={-1}>
        {options.data === null && options.status !== 'failed' && (
          <div aria-busy="true">
            <Skeleton height="3.55rem" />
            {host.partner === '' && <Skeleton height="3.55rem" />}
          </div>
        )}
        {options.data === null && options.status === 'failed' && (
          <Problems>
            {sentenceOf(options.failure)}{' '}
            <Button kind="quiet" small onClick={() => void loadOptions()}>
              {t.tryAgain}
            </Button>
          </Problems>
        )}
        {options.data && <WalletFunds />}
        {options.data && !isWhole && <Modes form={form} />}
        {isStranded && <p className={css.note}>{t.stranded}</p>}
      </div>
    </Card>
  );
}
