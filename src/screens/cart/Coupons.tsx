import * as t from '#text/cart.ts';
import { useAtom, useAtomValue } from 'jotai';
import { REWARD_CODE } from '../../domain/loyalty.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { combinedState, confettiAtom } from '../../state/offers/coupons.ts';
import { Card } from '../../ui/page/Card.tsx';
import { Celebration } from '../../ui/overlays/Celebration.tsx';
import { href } from '../../ui/href.ts';
import { OfferIcon } from '../../ui/pictures/icons.ts';
import { BestOffer } from '../coupons/BestOffer.tsx';
import { useIsWaiting } from '../base/isWaiting.ts';
import { CodeBox } from '../coupons/CodeBox.tsx';
import { OfferCard } from '../coupons/OfferCard.tsx';
import { Reward } from './Reward.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { part } from '../../ui/time/loaded.tsx';
import css from './CartScreen.module.css';

const Remedies = part(
  () => import('../coupons/Remedies.tsx'),
  () => <Skeleton height="2rem" />,
);

export function Coupons() {
  const offers = useAtomValue(cartAtom)?.offers ?? [];
  const isOpen = useAtomValue(isOpenAtom);
  const [party, setParty] = useAtom(confettiAtom);
  const isBestWaiting = useIsWaiting(combinedState.atom);
  return (
    <Card
      title={
        <span className={css.withIcon}>
          <OfferIcon /> {t.offersTitle}
        </span>
      }
      end={
        isOpen('offers') ? (
          <a className={css.change} href={href('/offers?from=cart')}>
            {t.offersAll}
          </a>
        ) : undefined
      }
    >
      {party && <Celebration name={party.message} second={party.subMessage} onDone={() => setParty(null)} />}
      <div className={css.offers}>
        <Reward />
        {isBestWaiting ? <Skeleton height="4.25rem" /> : <BestOffer />}
        {offers
          .filter((offer) => offer.status !== 'AVAILABLE' && offer.code !== REWARD_CODE)
          .map((offer) => (
            <OfferCard key={offer.code} offer={offer} from="cart" isFromCart Remedies={Remedies} />
          ))}
        <CodeBox from="cart" isFromCart />
      </div>
    </Card>
  );
}
