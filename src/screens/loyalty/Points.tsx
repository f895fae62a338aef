import * as t from '#text/loyalty.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { LoyaltyUser } from '../../contract/loyalty.ts';
import { pointsByTitle } from '../../domain/loyalty.ts';
import { pointsAtom, pointsState } from '../../state/offers/loyalty.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useClock } from '../base/clock.ts';
import { LoadAgain } from '../base/LoadAgain.tsx';
import { rich } from '../../ui/rich.ts';
import css from './RewardsScreen.module.css';

/** Movements shown at once: the description of the programme stands below them. */
const FEW = 6;
const signed = (amount: number) => (amount > 0 ? `+${amount}` : `−${-amount}`);

/** Points that an order has earned and that come later. */
export function Waiting({ waiting }: Pick<LoyaltyUser, 'waiting'>) {
  const clock = useClock();
  if (waiting.length === 0) return null;
  return (
    <Card flush title={t.waitingTitle}>
      {waiting.map(({ orderId, orderNumber, points, dueAt }) => (
        <ListRow
          key={orderId}
          title={rich(t.waitingPoints, { points, number: <Exact>{orderNumber}</Exact> })}
          detail={t.waitingAt({ day: clock.date(dueAt), time: clock.time(dueAt) })}
          href={href(`/order/${orderId}`)}
        />
      ))}
    </Card>
  );
}

/** Every movement of points with its reason and its date. */
export function Points({ loyalty }: { loyalty: LoyaltyUser }) {
  const clock = useClock();
  const { entries, pageNumber, pages } = useAtomValue(pointsAtom);
  const { status } = useAtomValue(pointsState.atom);
  const load = useSetAtom(pointsState.load);
  const [isOpen, setOpen] = useState(false);
  const isFolded = !isOpen && entries.length > FEW;
  const isWaiting = entries.length === 0 && (status === 'idle' || status === 'loading');
  const [promo = 0, refund = 0, own = 0] = pointsByTitle(loyalty.points);
  return (
    <Card title={t.historyTitle}>
      <div aria-busy={isWaiting}>
        {isWaiting && <Skeleton height="9rem" />}
        {entries.length > 0 && (
          <>
            <p className={css.soft}>{t.summary({ promo, refund, own })}</p>
            <ul className={css.entries}>
              {entries.slice(0, isFolded ? FEW : undefined).map(({ entryId, title, reason, amount, at }) => (
                <li key={entryId}>
                  <span>
                    <b>{title}</b>
                    <small>
                      {reason} · {clock.date(at)}
                    </small>
                  </span>
                  <span className={css.amount} data-gain={amount > 0}>
                    {signed(amount)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
        {entries.length === 0 && status === 'ready' && <p className={css.soft}>{t.historyEmpty}</p>}
        {status === 'failed' && (
          <LoadAgain onRetry={() => void load({ pageNumber: pageNumber + 1 })}>{t.historyMissing}</LoadAgain>
        )}
        {(isFolded || (pageNumber < pages && status !== 'failed')) && (
          <Button
            kind="quiet"
            small
            busy={status === 'loading'}
            onClick={() => {
              setOpen(true);
              if (!isFolded) void load({ pageNumber: pageNumber + 1 });
            }}
          >
            {t.historyMore}
          </Button>
        )}
      </div>
    </Card>
  );
}
