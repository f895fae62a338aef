import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import { hasFundsConflict } from '../../domain/funds.ts';
import type { OrderView } from '../../contract/orders.ts';
import { placing } from '../../state/checkout/placing.ts';
import { Card } from '../../ui/page/Card.tsx';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { ModeIcon } from '../payment/ModeIcon.tsx';
import { usePending, useOptions, type PayWith } from './pending.ts';

export function OtherModes({ order, payWith }: { order: OrderView; payWith: PayWith }) {
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const options = useOptions(order);
  const { hasFailed, mode } = usePending(order);
  // Cash beside a part that the wallet has paid would only be refused.
  const wallet = (order.parts ?? []).some((part) => part.mode === 'WALLET');
  const others =
    options?.filter(
      ({ id, disabledReason }) =>
        id !== mode && disabledReason === undefined && !hasFundsConflict({ wallet, vouchers: 0, mode: id }),
    ) ?? [];
  const isOffered = hasFailed ? order.payment.mayPayAgain : order.cancel.possible;
  if (!isOffered || others.length === 0) return null;
  return (
    <Card title={t.payOtherWay} flush>
      {others.map((option) => (
        <ListRow
          key={option.id}
          icon={<ModeIcon mode={option.id} />}
          onClick={() => {
            if (!isPlacing) payWith(option.id);
          }}
          title={
            option.id === 'LINK' ? t.askSomebody : (hasFailed ? t.payWith : t.payWithInstead)({ mode: option.label })
          }
        />
      ))}
    </Card>
  );
}
