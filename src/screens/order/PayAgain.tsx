import * as t from '#text/order.ts';
import * as payText from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import { leftOf } from '../../domain/funds.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { placing } from '../../state/checkout/placing.ts';
import { cardTasks } from '../../state/drafts/card.ts';
import { choiceOfAtom } from '../../state/drafts/paymentChoice.ts';
import { takeCardAtom } from '../../state/payment/payments.ts';
import { retryPaymentAtom } from '../../state/after/anotherAttempt.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Column } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { CardFields } from '../payment/CardFields.tsx';
import { Choices } from '../payment/Choices.tsx';
import { showWrong } from '../base/showWrong.ts';

interface AgainProps {
  order: OrderView;
  onBack: () => void;
}

interface FrameProps extends AgainProps {
  title: string;
  busy: boolean;
  /** Pays; false if a field is missing or wrong. */
  pay: () => Promise<boolean>;
  children: ReactNode;
}

function Frame({ order, title, busy, pay, onBack, children }: FrameProps) {
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !(await pay())) showWrong();
  };
  return (
    <Card title={title}>
      <form noValidate onSubmit={(event) => void send(event)}>
        <Column>
          {children}
          <Button type="submit" full busy={busy}>
            {rich(t.pay, { amount: <Price amount={leftOf(order.bill.total, order.parts)} /> })}
          </Button>
          <Button kind="quiet" full onClick={onBack}>
            {t.payOtherWay}
          </Button>
        </Column>
      </form>
    </Card>
  );
}

/** The card fields for another attempt. */
export function CardAgain(props: AgainProps) {
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const isCardBusy = useAtomValue(cardTasks.isBusyAtom);
  const takeCard = useSetAtom(takeCardAtom);
  const url = useAtomValue(optionsState.atom).data?.cardFields;
  const retry = useSetAtom(retryPaymentAtom);
  const pay = async () => {
    const isTaken = await takeCard();
    if (isTaken) await retry(props.order, 'CARD');
    return isTaken;
  };
  return (
    <Frame {...props} title={t.payWithCard} busy={isPlacing || isCardBusy} pay={pay}>
      <CardFields url={url} isOwnCart={false} />
    </Frame>
  );
}

/** The bank or service for another attempt. */
export function ChoiceAgain({ option, ...props }: AgainProps & { option: PaymentOption }) {
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const choice = useAtomValue(choiceOfAtom)(option);
  const retry = useSetAtom(retryPaymentAtom);
  const [isTried, setTried] = useState(false);
  const pay = async () => {
    setTried(true);
    if (choice) await retry(props.order, option.id);
    return choice !== null;
  };
  return (
    <Frame {...props} title={t.payWith({ mode: option.label })} busy={isPlacing} pay={pay}>
      <Choices
        option={option}
        error={isTried && choice === null ? payText.choiceMissing({ mode: option.id }) : undefined}
      />
    </Frame>
  );
}
