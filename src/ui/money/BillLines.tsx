import * as t from '#text/alive.ts';
import type { ReactElement, ReactNode } from 'react';
import type { Bill } from '../../contract/cart.ts';
import css from './BillLines.module.css';
import { Price } from './Price.tsx';

interface BillLinesProps {
  bill: Pick<Bill, 'lines' | 'total' | 'savings'>;
  totalLabel: ReactNode;
  /** The sentence about the savings, around their amount. */
  savingsText?: (amount: ReactElement) => ReactNode;
}

/** The bill as the server worked it out, line by line. */
export function BillLines({ bill, totalLabel, savingsText }: BillLinesProps) {
  return (
    <>
      <dl className={css.bill}>
        {bill.lines.map((line) => (
          <div key={line.id} data-kind={line.kind} data-included={line.included || undefined}>
            <dt>
              {line.included ? t.billIncluded({ label: line.label }) : line.label}
              {line.note && <small>{line.note}</small>}
            </dt>
            <dd>
              <Price amount={line.amount} {...(line.kind === 'charge' && { zero: t.billFree })} />
            </dd>
          </div>
        ))}
        <div className={css.total}>
          <dt>{totalLabel}</dt>
          <dd>
            <Price amount={bill.total} />
          </dd>
        </div>
      </dl>
      {savingsText && bill.savings > 0 && <p className={css.savings}>{savingsText(<Price amount={bill.savings} />)}</p>}
    </>
  );
}
