import * as t from '#text/loyalty.ts';
import type { LoyaltyUser } from '../../contract/loyalty.ts';
import { sliceBalance } from '../../domain/loyalty.ts';
import { PizzaRing } from '../../ui/pictures/PizzaRing.tsx';

/** How full a member's pizza is: never more than whole, however many points there are. */
function fullness({ balance: { overall, programConfig }, waiting }: LoyaltyUser) {
  const { slices, earnPointsPerOrder } = programConfig;
  const held = sliceBalance(overall.points, earnPointsPerOrder);
  const filled = Math.min(slices, held.slices);
  return {
    filled,
    part: held.towardsNext / earnPointsPerOrder,
    waiting: Math.min(slices - filled, waiting.length),
  };
}

/** The member's pizza, in a picture and in words. */
export function Ring({ loyalty, small }: { loyalty: LoyaltyUser; small?: boolean }) {
  const { overall, programConfig } = loyalty.balance;
  const { slices } = programConfig;
  const full = fullness(loyalty);
  return (
    <PizzaRing
      {...full}
      slices={slices}
      small={small ?? false}
      centre={String(overall.points)}
      {...(small ? {} : { unit: t.points })}
      label={t.ring({ ...full, slices, points: overall.points })}
    />
  );
}
