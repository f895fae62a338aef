import * as t from '#text/feedback.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { dismissRatingAtom, lookAtRatingAtom, ratingOfAtom } from '../../state/after/feedback.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { StarIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { StarsGiven } from '../../ui/forms/Stars.tsx';
import { While } from '../../ui/time/While.tsx';
import css from './Feedback.module.css';

/** Asks for a rating once, or shows the one that was given. Nothing where it is not known, or not wanted. */
export default function RateCard({ orderId }: { orderId: string }) {
  const rating = useAtomValue(ratingOfAtom)(orderId);
  const look = useSetAtom(lookAtRatingAtom);
  const dismiss = useSetAtom(dismissRatingAtom);
  const isOpen = useAtomValue(isOpenAtom);
  if (!isOpen('feedback')) return null;
  const to = (stars?: number) =>
    href(`/uf?orderId=${encodeURIComponent(orderId)}${stars === undefined ? '' : `&rating=${stars}`}`);
  return (
    <>
      <While name={orderId} run={() => void look(orderId)} />
      {rating?.feedback && (
        <Card flush>
          <ListRow title={t.youSaid} detail={<StarsGiven value={rating.feedback.overall} />} href={to()} />
        </Card>
      )}
      {rating?.state === 'OPEN' && !rating.isDismissed && (
        <Card title={t.ask}>
          <div className={css.ask}>
            <ul className={css.stars}>
              {[1, 2, 3, 4, 5].map((stars) => (
                <li key={stars}>
                  <a className={css.star} href={to(stars)} aria-label={t.stars({ count: stars })}>
                    <StarIcon size={36} />
                  </a>
                </li>
              ))}
            </ul>
            <p className={css.soft}>{t.askText}</p>
            <Button kind="quiet" small onClick={() => void dismiss(orderId)}>
              {t.notNow}
            </Button>
          </div>
        </Card>
      )}
    </>
  );
}
