import * as errors from '#text/errors.ts';
import * as t from '#text/offers.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { ComponentType } from 'react';
import type { JudgedOffer } from '../../contract/coupons.ts';
import { notSaidIn, offerView } from '../../domain/offers.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { applyCouponAtom, removeCouponAtom } from '../../state/offers/couponActions.ts';
import {
  couponTasks,
  isStoreShownAtom,
  loadOfferTextAtom,
  loadTermsAtom,
  offerEndedAtom,
  offerTextsAtom,
  rewardsShownAtom,
  termsAtom,
} from '../../state/offers/coupons.ts';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { OfferTicket } from '../../ui/money/OfferTicket.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { ProgressBar } from '../../ui/page/ProgressBar.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './OfferCard.module.css';

interface OfferCardProps {
  offer: JudgedOffer;
  from: 'cart' | 'offers';
  isFromCart: boolean;
  /** What would make it apply (Remedies.tsx), which a page of offers has at once and a cart loads when it is wanted. */
  Remedies: ComponentType<{ reason: NonNullable<JudgedOffer['reason']> }>;
}

const STATES = { APPLIED: 'applied', REJECTED: 'rejected', AVAILABLE: 'ready' } as const;

/** What the button of the offer does. None where tapping would only repeat what the card says already. */
function useAction({ offer, from, isFromCart }: OfferCardProps, isOver: boolean) {
  const apply = useSetAtom(applyCouponAtom);
  const remove = useSetAtom(removeCouponAtom);
  const busy = useAtomValue(couponTasks.busyAtom) === offer.code;
  const isOfStore = useAtomValue(isStoreShownAtom) && from === 'offers';
  if (offer.status === 'APPLIED' || (offer.status !== 'AVAILABLE' && from === 'cart'))
    return { text: t.remove, busy, onPress: () => void remove(offer.code) };
  if (isOver || isOfStore || offer.reason?.kind === 'RULE') return undefined;
  return { text: t.apply, busy, onPress: () => void apply(offer.code, { isTyped: false, from, isFromCart }) };
}

/** One offer with everything that the specification's section 4 says about its state. */
export function OfferCard(props: OfferCardProps) {
  const { offer, Remedies } = props;
  const aheadMs = useAtomValue(clockAheadAtom);
  const view = offerView(offer, Date.now() + aheadMs);
  const terms = useAtomValue(termsAtom)[offer.code] ?? [];
  const loadTerms = useSetAtom(loadTermsAtom);
  const text = useAtomValue(offerTextsAtom)[offer.code]?.text ?? '';
  const loadText = useSetAtom(loadOfferTextAtom);
  // One bar for each reward: the page after an order has it at its top.
  const isAbove = useAtomValue(rewardsShownAtom).some(({ couponCode }) => couponCode === offer.code);
  const action = useAction(props, view.timer === 'expired');
  return (
    <OfferTicket
      stub={
        offer.saving ? (
          <span className={css.stub}>
            <small>{t.save}</small>
            <Price amount={offer.saving} />
          </span>
        ) : (
          t.offer
        )
      }
      code={offer.code}
      title={offer.title}
      subtitle={offer.subtitle}
      state={STATES[offer.status]}
      message={view.error ?? view.nudge ?? offer.reason?.message}
      details={notSaidIn(text, [...new Set([...offer.details, ...terms])])}
      more={offer.textHref && <PlainWords offer={offer} />}
      onDetails={() => {
        void loadTerms(offer.code);
        void loadText(offer);
      }}
      action={action}
    >
      {offer.reason && offer.reason.remedies.length > 0 && <Remedies reason={offer.reason} />}
      {view.milestone && !isAbove && <Milestones title={offer.title} milestone={view.milestone} />}
      {offer.status === 'APPLIED' && offer.expiryTimer && <Timer timer={offer.expiryTimer} />}
    </OfferTicket>
  );
}

/** The offer's own text, once its details were opened. */
function PlainWords({ offer }: { offer: JudgedOffer }) {
  const said = useAtomValue(offerTextsAtom)[offer.code];
  const load = useSetAtom(loadOfferTextAtom);
  if (said?.failure)
    return <LoadAgain failure={said.failure} isLoading={said.isLoading} onRetry={() => void load(offer)} />;
  return said && <p aria-busy={said.isLoading}>{said.text ?? <Skeleton />}</p>;
}

type Milestone = NonNullable<ReturnType<typeof offerView>['milestone']>;

function Milestones({ title, milestone }: { title: string; milestone: Milestone }) {
  const { steps, stepsRequired, message, options } = milestone;
  return (
    <ProgressBar value={steps} max={stepsRequired} label={t.progress({ title })}>
      <p>
        {message} · {t.rewardSteps({ steps, required: stepsRequired })}
      </p>
      <span className={css.steps}>
        {options.map((step) => (
          <span key={step.step} data-reached={step.reached}>
            {step.label}
          </span>
        ))}
      </span>
    </ProgressBar>
  );
}

function Timer({ timer }: { timer: NonNullable<JudgedOffer['expiryTimer']> }) {
  const expire = useSetAtom(offerEndedAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  return (
    <p className={css.timer}>
      <Countdown
        endsAtMs={timer.endTime}
        showFromMs={timer.showTimerBefore}
        nowMs={() => Date.now() + aheadMs}
        text={(time) => t.endsIn({ time })}
        expired={errors.couponExpired}
        onExpire={() => void expire()}
      />
    </p>
  );
}
