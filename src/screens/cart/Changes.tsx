import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import {
  acceptAllAtom,
  acceptChangeAtom,
  changesAtom,
  declineChangeAtom,
  type CartChange,
} from '../../state/changes.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/Price.tsx';
import { rich } from '../../ui/rich.ts';
import css from './Changes.module.css';

function Change({ change }: { change: CartChange }) {
  const accept = useSetAtom(acceptChangeAtom);
  const decline = useSetAtom(declineChangeAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const items = useAtomValue(itemsByIdAtom);
  const instead = change.kind === 'stock' ? items.get(change.alternativeId ?? '') : undefined;
  const hasChoices = instead && instead.kind !== 'DEAL' ? instead : undefined;
  return (
    <li>
      <p>
        {change.kind === 'price'
          ? rich(t.changedPrice, {
              name: change.name,
              direction: change.after > change.before ? 'up' : 'down',
              after: <Price amount={change.after} />,
              before: <Price amount={change.before} />,
              b: <b />,
            })
          : change.reason.startsWith(change.name)
            ? change.reason
            : rich(t.changed, { name: change.name, reason: change.reason, b: <b /> })}
      </p>
      <div className={css.choices}>
        {change.kind === 'price' && (
          <Button kind="secondary" small aria-label={t.keepItem({ name: change.name })} onClick={() => accept(change)}>
            {t.keep}
          </Button>
        )}
        {change.kind === 'price' && (
          <Button kind="quiet" small aria-label={t.leaveOutItem({ name: change.name })} onClick={() => decline(change)}>
            {t.leaveOut}
          </Button>
        )}
        {change.kind === 'stock' && hasChoices && (
          <Button kind="secondary" small onClick={() => decline(change)}>
            {t.takeInstead({ name: hasChoices.name })}
          </Button>
        )}
        {change.kind === 'stock' && (
          <Button kind="quiet" small aria-label={t.leaveOutItem({ name: change.name })} onClick={() => accept(change)}>
            {t.leaveOut}
          </Button>
        )}
        {change.kind === 'offer' && isOpen('offers') && (
          <Button kind="secondary" small href={href('/offers?from=cart')}>
            {t.otherCoupons}
          </Button>
        )}
        {change.kind === 'offer' && (
          <Button
            kind="quiet"
            small
            aria-label={t.goOnWithoutItem({ name: change.name })}
            onClick={() => accept(change)}
          >
            {t.goOnWithout}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What has changed since the customer last saw the cart: a choice for each change, and one button that accepts all. */
export function Changes() {
  const changes = useAtomValue(changesAtom);
  const acceptAll = useSetAtom(acceptAllAtom);
  if (changes.length === 0) return null;
  return (
    <div role="status">
      <Card
        title={t.changesTitle}
        end={
          changes.length > 1 ? (
            <Button kind="quiet" small onClick={() => acceptAll()}>
              {t.changesAcceptAll}
            </Button>
          ) : undefined
        }
      >
        <ul className={css.changes}>
          {changes.map((change) => (
            <Change key={change.kind + change.id} change={change} />
          ))}
        </ul>
      </Card>
    </div>
  );
}
