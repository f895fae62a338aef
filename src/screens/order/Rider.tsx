import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { isTellingRiderAtom, tellRiderAtom } from '../../state/orders.ts';
import { hostAtom } from '../../state/seams.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { Field } from '../../ui/Field.tsx';
import { ScooterIcon } from '../../ui/icons/ScooterIcon.tsx';
import css from './Progress.module.css';

const QUICK = ['I am at the gate', 'Please come up', 'Leave it at the door', 'Please call me'];

/** Calls and messages, for as long as the rider is on the way with this order. */
export function Rider({ order, rider }: { order: OrderView; rider: NonNullable<OrderView['rider']> }) {
  const host = useAtomValue(hostAtom);
  const isBusy = useAtomValue(isTellingRiderAtom);
  const tell = useSetAtom(tellRiderAtom);
  const [text, setText] = useState('');
  const [number = '', extension = ''] = rider.phone.split(',');
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() && await tell(order.orderId, text.trim())) setText('');
  };
  return (
    <Card title={<span className={css.who}><ScooterIcon /> {rider.name} brings your order</span>}>
      {host.forbids.has('leave-host')
        ? <p className={css.soft}>To call {rider.name}: {number}, then {extension}. Neither of you sees the other&apos;s number.</p>
        : (
          <div className={css.call}>
            <Button full kind="secondary" href={`tel:${number.replace(/\s/g, '')},${extension}`}>Call {rider.name}</Button>
            <p className={css.soft}>The call goes through the store: neither of you sees the other&apos;s number.</p>
          </div>
        )}
      {rider.notesLeft > 0 ? (
        <form className={css.message} onSubmit={(event) => void send(event)}>
          <Chips label="Quick messages" chips={QUICK.map((one) => ({ id: one, text: one }))} pressed={[text]} onToggle={(one) => setText((before) => (before === one ? '' : one))} />
          <Field label={`Message to ${rider.name}`} name="rider-message" autoComplete="off" enterKeyHint="send" maxLength={120} value={text} onChange={(event) => setText(event.target.value)} />
          <Button type="submit" full small busy={isBusy} disabled={text.trim() === ''}>Send</Button>
        </form>
      ) : <p className={css.soft}>All messages of this order are sent. Please call instead.</p>}
    </Card>
  );
}
