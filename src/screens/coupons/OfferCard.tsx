import { useAtomValue, useSetAtom } from 'jotai';
import type { JudgedOffer } from '../../contract/coupons.ts';
import { COUPON_EXPIRED } from '../../domain/messages.ts';
import { offerView } from '../../domain/offers.ts';
import { cartAtom } from '../../state/cart.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { applyCouponAtom, applyingCodeAtom, loadTermsAtom, offerEndedAtom, removeCouponAtom, termsAtom } from '../../state/coupons.ts';
import { Countdown } from '../../ui/Countdown.tsx';
import { OfferTicket } from '../../ui/OfferTicket.tsx';
import { Price } from '../../ui/Price.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { Remedies } from './Remedies.tsx';
import css from './OfferCard.module.css';

/** One offer with everything the specification's section 4 says of its state. */
export function OfferCard({ offer, from, isFromCart }: { offer: JudgedOffer; from: 'cart' | 'offers'; isFromCart: boolean }) {
  const apply = useSetAtom(applyCouponAtom);
  const remove = useSetAtom(removeCouponAtom);
  const expire = useSetAtom(offerEndedAtom);
  const busyCode = useAtomValue(applyingCodeAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const view = offerView(offer, Date.now() + aheadMs);
  const isHeld = offer.status !== 'AVAILABLE' && from === 'cart';
  const reason = offer.messages[0]?.message;
  const terms = useAtomValue(termsAtom)[offer.code] ?? [];
  const loadTerms = useSetAtom(loadTermsAtom);
  // Tapping it would only say the same again.
  const isRuledOut = offer.reason?.kind === 'RULE';
  const isOver = view.countdown.state === 'expired';
  const steps = view.milestone;
  // To take something's place there must be something.
  const held = useAtomValue(cartAtom)?.offers.filter((one) => one.status === 'APPLIED').map((one) => one.code) ?? [];
  return (
    <OfferTicket
      stub={offer.saving ? <span className={css.stub}><small>Save</small><Price amount={offer.saving} /></span> : 'Offer'}
      code={offer.code}
      title={offer.title}
      subtitle={offer.subtitle}
      state={offer.status === 'APPLIED' ? 'applied' : offer.status === 'REJECTED' ? 'rejected' : 'ready'}
      message={view.error ?? view.nudge ?? offer.reason?.message ?? (offer.status === 'REJECTED' ? reason : undefined)}
      details={[...new Set([...offer.details, ...terms])]}
      onDetails={() => void loadTerms(offer.code)}
      action={isHeld || offer.status === 'APPLIED'
        ? { text: 'Remove', busy: busyCode === offer.code, onPress: () => void remove(offer.code) }
        : isOver || isRuledOut ? undefined : { text: 'Apply', busy: busyCode === offer.code, onPress: () => void apply(offer.code, { isTyped: false, from, isFromCart }) }}
    >
      {offer.reason && <Remedies remedies={offer.reason.remedies.filter(({ codes }) => codes === undefined || codes.some((code) => held.includes(code)))} said={offer.reason.message} />}
      {steps && (
        <ProgressBar value={steps.filter((step) => step.reached).length} max={steps.length} label={`Progress of ${offer.title}`}>
          <span className={css.steps}>{steps.map((step) => <span key={step.step} data-reached={step.reached}>{step.label}</span>)}</span>
        </ProgressBar>
      )}
      {offer.status === 'APPLIED' && offer.expiryTimer && (
        <p className={css.timer}>
          <Countdown
            endsAtMs={offer.expiryTimer.endTime}
            showFromMs={offer.expiryTimer.showTimerBefore}
            nowMs={() => Date.now() + aheadMs}
            text={(time) => <>Ends in {time}</>}
            expired={COUPON_EXPIRED}
            onExpire={() => void expire()}
          />
        </p>
      )}
    </OfferTicket>
  );
}
