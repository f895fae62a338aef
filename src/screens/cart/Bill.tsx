import * as t from '#text/cart.ts';
import { useAtomValue } from 'jotai';
import { cartAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { rich } from '../../ui/rich.ts';
import { TotalSaid } from './TotalSaid.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import css from './CartScreen.module.css';

export function Bill() {
  const cart = useAtomValue(cartAtom);
  const isWaiting = useAtomValue(isCartWaitingAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  return (
    <div data-printed>
      <Card title={t.billTitle} end={cart?.hasComboSaving ? <Tag tone="lime">{t.comboSaving}</Tag> : undefined}>
        <div className={css.bill} data-old={isWaiting} aria-busy={isWaiting}>
          {cart ? (
            <BillLines
              bill={cart.bill}
              totalLabel={t.billTotal}
              savingsText={(amount) => rich(t.billSavings, { amount })}
            />
          ) : (
            <Skeleton height="12rem" />
          )}
        </div>
        <TotalSaid />
        {/* Its line is kept: what stands below does not move while the bill is worked out. */}
        <p className={css.waiting} role={isOffline ? 'status' : undefined}>
          {isWaiting && (isOffline ? t.billOffline : t.billWaiting)}
        </p>
      </Card>
    </div>
  );
}
