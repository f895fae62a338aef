import * as t from '#text/order.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { typedText } from '../../domain/typedText.ts';
import { riderTasks, tellRiderAtom } from '../../state/orders/tracking.ts';
import { countryAtom } from '../../state/base/country.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { ScooterIcon } from '../../ui/pictures/icons.ts';
import { rich } from '../../ui/rich.ts';
import css from './Progress.module.css';

const quickMessages = () => [t.riderAtGate, t.riderComeUp, t.riderLeaveIt, t.riderCallMe];

/** Calls and messages to the rider, possible while the rider is on the way with this order. */
export default function Rider({ order, rider }: { order: OrderView; rider: NonNullable<OrderView['rider']> }) {
  const host = useAtomValue(hostAtom);
  const country = useAtomValue(countryAtom);
  const isBusy = useAtomValue(riderTasks.isBusyAtom);
  const tell = useSetAtom(tellRiderAtom);
  const [text, setText] = useState('');
  const [number = '', extension = ''] = rider.phone.split(',');
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (typedText(text) && (await tell(order.orderId, typedText(text)))) setText('');
  };
  return (
    <Card
      title={
        <span className={css.who}>
          <ScooterIcon /> {t.riderTitle({ name: rider.name })}
        </span>
      }
    >
      {host.forbids.has('leave-host') ? (
        <p className={css.soft}>
          {rich(t.riderNumber, { name: rider.name, number: <Exact>{writtenPhone(number, country)}</Exact>, extension })}
        </p>
      ) : (
        <div className={css.call}>
          <Button full kind="secondary" href={`tel:${number.replace(/\D/g, '')},${extension}`}>
            {t.riderCall({ name: rider.name })}
          </Button>
          <p className={css.soft}>{t.riderCallHow}</p>
        </div>
      )}
      {rider.notesLeft > 0 ? (
        <form className={css.message} onSubmit={(event) => void send(event)}>
          <Chips
            label={t.riderQuick}
            chips={quickMessages().map((one) => ({ id: one, text: one }))}
            pressed={[text]}
            onToggle={(one) => setText((before) => (before === one ? '' : one))}
          />
          <Field
            label={t.riderMessage({ name: rider.name })}
            name="rider-message"
            autoComplete="off"
            enterKeyHint="send"
            maxLength={120}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" full small busy={isBusy} disabled={typedText(text) === ''}>
            {t.riderSend}
          </Button>
        </form>
      ) : (
        <p className={css.soft}>{t.riderMessagesOver}</p>
      )}
    </Card>
  );
}
