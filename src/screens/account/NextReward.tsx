import * as t from '#text/loyalty.ts';
import { useAtomValue } from 'jotai';
import { loyaltyState, memberAtom } from '../../state/offers/loyalty.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Ring } from '../loyalty/Ring.tsx';
import css from './Account.module.css';

/** How far the next free pizza is; whoever is not in the programme is told that there is one. */
export function NextReward() {
  const { status, data } = useAtomValue(loyaltyState.atom);
  const member = useAtomValue(memberAtom);
  // It is told on its own page what went wrong.
  if (status === 'failed' && data === null) return null;
  const isWaiting = data === null;
  const { burnable, overall, programConfig } = member?.balance ?? {};
  const missing = (programConfig?.redeemPoints ?? 0) - (overall?.points ?? 0);
  const count = burnable?.freeItems ?? 0;
  return (
    <Card title={t.cardTitle}>
      <div className={css.stack} aria-busy={isWaiting}>
        {/* As high with each answer as without one. */}
        <div className={css.next}>
          {isWaiting && <Skeleton height="4.5rem" />}
          {data && !member && <p className={css.soft}>{t.guestTitle}</p>}
          {member && (
            <div className={css.dishes}>
              <Ring loyalty={member} small />
              <p>
                <b>
                  {count > 0 ? t.cartHas({ count }) : t.cardMissing({ missing, reward: programConfig?.reward ?? '' })}
                </b>
              </p>
            </div>
          )}
        </div>
        <div className={css.actions}>
          <Button kind="secondary" href={href('/rewards')}>
            {t.cardSee}
          </Button>
        </div>
      </div>
    </Card>
  );
}
