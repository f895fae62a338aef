import * as t from '#text/cart.ts';
import { useAtomValue } from 'jotai';
import { use, useState } from 'react';
import { formatMoney } from '../../domain/money.ts';
import { cartAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { CurrencyContext } from '../../ui/Price.tsx';

/** Says a changed total, once, when it is known. The line that was changed has said its quantity before. */
export function TotalSaid() {
  const total = useAtomValue(cartAtom)?.bill.total;
  const isWaiting = useAtomValue(isCartWaitingAtom);
  const currency = use(CurrencyContext);
  const [said, setSaid] = useState({ total, text: '' });
  if (!isWaiting && total !== said.total)
    setSaid({
      total,
      text:
        total !== undefined && said.total !== undefined && currency
          ? t.totalSaid({ amount: formatMoney(total, currency) })
          : '',
    });
  return (
    <p className="visually-hidden" role="status">
      {said.text}
    </p>
  );
}
