import * as t from '#text/group.ts';
import type { ReactNode } from 'react';
import type { GroupShares } from '../../contract/shares.ts';
import { Card } from '../../ui/page/Card.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import css from './GroupScreen.module.css';

/** How much of an order each person owes. */
export default function Shares({ people, children }: { people: GroupShares['people']; children?: ReactNode }) {
  return (
    <Card title={t.sharesTitle}>
      <ul className={css.lines} aria-label={t.shares}>
        {people.map(({ personId, name, isHost, share }) => (
          <li key={personId}>
            <span>
              {name}
              <small>
                {rich(t.sharesDishes, { amount: <Price amount={share.dishes} /> })}
                {share.discount < 0 && (
                  <> · {rich(t.sharesOffers, { amount: <Price amount={share.discount} /> })}</>
                )} ·{' '}
                {rich(t.sharesCharges, { amount: <Price amount={share.charges} /> })}
                {isHost && ` · ${t.sharesPayer}`}
              </small>
            </span>
            <b>
              <Price amount={share.total} />
            </b>
          </li>
        ))}
      </ul>
      <p className={css.soft}>{t.shareRule}</p>
      {children && <div className={css.below}>{children}</div>}
    </Card>
  );
}
