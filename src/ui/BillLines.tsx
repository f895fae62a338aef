import type { ReactNode } from 'react';
import type { Bill } from '../contract/cart.ts';
import css from './BillLines.module.css';
import { Price } from './Price.tsx';

interface BillLinesProps {
  bill: Pick<Bill, 'lines' | 'total' | 'savings'>;
  totalLabel: ReactNode;
  /** What a charge of zero reads as. */
  freeText?: string;
  /** Said of what is contained in the prices. */
  includedText?: string;
  /** A sentence around the savings, for example (amount) => <>You save {amount}</>. */
  savingsText?: (amount: ReactNode) => ReactNode;
}

/** The server's bill, line by line, as it came. */
export function BillLines({ bill, totalLabel, freeText = 'Free', includedText = 'included', savingsText }: BillLinesProps) {
  return (
    <>
      <dl className={css.bill}>
        {bill.lines.map((line) => (
          <div key={line.id} data-kind={line.kind} data-included={line.included || undefined}>
            <dt>
              {line.label}
              {line.included && ` (${includedText})`}
              {line.note && <small>{line.note}</small>}
            </dt>
            <dd>
              <Price amount={line.amount} {...(line.kind === 'charge' && { zero: freeText })} />
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
