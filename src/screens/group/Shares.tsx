import type { ReactNode } from 'react';
import type { GroupShares } from '../../contract/shares.ts';
import { Card } from '../../ui/Card.tsx';
import { Price } from '../../ui/Price.tsx';
import css from './GroupScreen.module.css';

export const SHARE_RULE = 'Offers and taxes follow each one’s dishes. Packaging, bag, delivery and tip are shared equally by everybody who has dishes.';

/** Who owes what of an order. */
export function Shares({ people, children }: { people: GroupShares['people']; children?: ReactNode }) {
  return (
    <Card title="Who pays what">
      <ul className={css.lines} aria-label="Shares">
        {people.map(({ personId, name, isHost, share }) => (
          <li key={personId}>
            <span>
              {name}
              <small>dishes <Price amount={share.dishes} />{share.discount < 0 && <> · offers <Price amount={share.discount} /></>} · charges <Price amount={share.charges} />{isHost && ' · paid for all'}</small>
            </span>
            <b><Price amount={share.total} /></b>
          </li>
        ))}
      </ul>
      <p className={css.soft}>{SHARE_RULE}</p>
      {children && <div className={css.below}>{children}</div>}
    </Card>
  );
}
