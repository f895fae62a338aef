import * as login from '#text/login.ts';
import * as t from '#text/loyalty.ts';
import * as shop from '#text/shop.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { LoyaltyUser } from '../../contract/loyalty.ts';
import { sliceBalance } from '../../domain/loyalty.ts';
import { countryAtom } from '../../state/base/country.ts';
import { hostAtom } from '../../state/first/seams.ts';
import {
  joinAtom,
  loyaltyTasks,
  loyaltyState,
  memberAtom,
  pointsState,
  programmeState,
  rewardOfferAtom,
  useRewardAtom,
} from '../../state/offers/loyalty.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { isOutsideHostAtom, isVendorHost } from '../../state/people/vendorLogin.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { PizzaRing } from '../../ui/pictures/PizzaRing.tsx';
import { rich } from '../../ui/rich.ts';
import { showTop } from '../../ui/overlays/showTop.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { useIsWaiting } from '../base/isWaiting.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { LeaveSheet } from './LeaveSheet.tsx';
import { Points, Waiting } from './Points.tsx';
import { Programme } from './Programme.tsx';
import { Ring } from './Ring.tsx';
import css from './RewardsScreen.module.css';

export const enter = atom(null, async (get, set) => {
  const own = async () => {
    await set(loyaltyState.load);
    if (get(memberAtom) !== null) await set(pointsState.load);
  };
  await Promise.all([own(), get(programmeState.atom).data === null ? set(programmeState.load) : undefined]);
});

const LOGIN = '/postorder-ui/login?redirectUrl=%2Frewards';

/** What the points of a member are good for, and what to do next. */
function Member({ loyalty }: { loyalty: LoyaltyUser }) {
  const use = useSetAtom(useRewardAtom);
  const isBusy = useAtomValue(loyaltyTasks.busyAtom) === 'reward';
  const isInCart = useAtomValue(rewardOfferAtom) !== undefined;
  const { burnable, overall, programConfig } = loyalty.balance;
  const { redeemPoints, reward, slices, earnPointsPerOrder } = programConfig;
  const { freeItems: count } = burnable;
  const left = overall.points - redeemPoints * count;
  const capital = reward.charAt(0).toUpperCase() + reward.slice(1);
  return (
    <Card>
      <div className={css.hero}>
        <Ring loyalty={loyalty} />
        {count > 0 ? (
          <>
            <h2>{t.ready({ count, reward: capital })}</h2>
            <p>{t.readyText}</p>
            {left > 0 && <p className={css.soft}>{t.readyMore({ points: left })}</p>}
            {isInCart ? (
              <Button full href={href('/cart')}>
                {t.inCart}
              </Button>
            ) : (
              <Button full busy={isBusy} onClick={() => void use()}>
                {t.use}
              </Button>
            )}
          </>
        ) : (
          <>
            <h2>{rich(t.progress, { missing: redeemPoints - overall.points, reward, b: <b /> })}</h2>
            <p>{t.progressText({ filled: sliceBalance(overall.points, earnPointsPerOrder).slices, slices })}</p>
          </>
        )}
      </div>
    </Card>
  );
}

/** The programme for customers who are not in it: one tap joins. */
function Outside({ loyalty }: { loyalty: LoyaltyUser | null }) {
  const country = useAtomValue(countryAtom);
  const host = useAtomValue(hostAtom);
  const isOutside = useAtomValue(isOutsideHostAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const join = useSetAtom(joinAtom);
  const isJoining = useAtomValue(loyaltyTasks.busyAtom) === 'join';
  const { slices, programName: program } = country.LOYALTY_INFO_DEFAULT_DATA;
  const hasLeft = loyalty?.info.enrollmentStatus === 'OPTED_OUT';
  return (
    <Card>
      <div className={css.hero}>
        <PizzaRing slices={slices} filled={0} part={0} label={t.ringGuest({ slices })} centre="0" unit={t.points} />
        <h2>{t.guestTitle}</h2>
        <p>{t.guestText({ slices, reward: shop.reward })}</p>
        {isLoggedIn && <p className={css.soft}>{hasLeft ? t.back : t.joinText}</p>}
        {isLoggedIn && (
          <Button full busy={isJoining} onClick={() => void join().then((hasJoined) => hasJoined && showTop())}>
            {t.join({ program })}
          </Button>
        )}
        {!isLoggedIn && isOutside && <p>{rich(login.outside, { b: <b /> })}</p>}
        {!isLoggedIn && !isOutside && (
          <Button full href={href(LOGIN)}>
            {isVendorHost(host) ? login.hostLogin : t.login}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** The rewards programme: the pizza that fills slice by slice, what is on its way, every point, and how it works. */
export default function RewardsScreen() {
  useCustomerChange(enter);
  const { data, status, failure } = useAtomValue(loyaltyState.atom);
  const load = useSetAtom(enter);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const member = useAtomValue(memberAtom);
  const [isLeaving, setLeaving] = useState(false);
  const isWaiting = isLoggedIn && data === null && status !== 'failed';
  // Nobody knows before how long the list of points above is.
  const isPointless = useIsWaiting(pointsState.atom) && member !== null;
  return (
    <>
      <AppBar title={t.title} back={{ label: t.account, href: href('/postorder-ui/profile') }} />
      <Page columns="even">
        <Column>
          {isWaiting ? (
            <div aria-busy="true">
              <Skeleton height="26rem" />
            </div>
          ) : isLoggedIn && data === null ? (
            <NotLoaded title={t.missing} failure={failure} onRetry={() => void load()} />
          ) : member ? (
            <>
              <Member loyalty={member} />
              <Waiting waiting={member.waiting} />
            </>
          ) : (
            <Outside loyalty={data} />
          )}
        </Column>
        <Column>
          {member && <Points loyalty={member} />}
          {!isWaiting && !isPointless && <Programme />}
          {member && (
            <Button full kind="quiet" aria-haspopup="dialog" onClick={() => setLeaving(true)}>
              {t.leave}
            </Button>
          )}
        </Column>
      </Page>
      {isLeaving && member && <LeaveSheet loyalty={member} onClose={() => setLeaving(false)} />}
    </>
  );
}
