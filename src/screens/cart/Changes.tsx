import { useAtomValue, useSetAtom } from 'jotai';
import { acceptAllAtom, acceptChangeAtom, changesAtom, declineChangeAtom, type CartChange } from '../../state/changes.ts';
import { isOpenAtom } from '../../state/config.ts';
import { itemsByIdAtom } from '../../state/menu.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/Price.tsx';
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
        {change.kind === 'stock' && change.reason.startsWith(change.name) ? null : <><b>{change.name}</b>{' '}</>}
        {change.kind === 'price' ? <>costs {change.after > change.before ? 'more' : 'less'} now: <b><Price amount={change.after} /></b> instead of <Price amount={change.before} /></> : change.reason}
      </p>
      <div className={css.choices}>
        {change.kind === 'price' && <Button kind="secondary" small aria-label={`Keep it: ${change.name}`} onClick={() => accept(change)}>Keep it</Button>}
        {change.kind === 'price' && <Button kind="quiet" small aria-label={`Leave it out: ${change.name}`} onClick={() => decline(change)}>Leave it out</Button>}
        {change.kind === 'stock' && hasChoices && <Button kind="secondary" small onClick={() => decline(change)}>Take {hasChoices.name}</Button>}
        {change.kind === 'stock' && <Button kind="quiet" small aria-label={`Leave it out: ${change.name}`} onClick={() => accept(change)}>Leave it out</Button>}
        {change.kind === 'offer' && isOpen('offers') && <Button kind="secondary" small href={href('/offers?from=cart')}>See other coupons</Button>}
        {change.kind === 'offer' && <Button kind="quiet" small aria-label={`Go on without ${change.name}`} onClick={() => accept(change)}>Go on without</Button>}
      </div>
    </li>
  );
}

/** What is not as the customer last saw it, each with a choice, and one tap for all. */
export function Changes() {
  const changes = useAtomValue(changesAtom);
  const acceptAll = useSetAtom(acceptAllAtom);
  if (changes.length === 0) return null;
  return (
    <div role="status">
      <Card title="What changed since last time" end={changes.length > 1 ? <Button kind="quiet" small onClick={() => acceptAll()}>Accept all</Button> : undefined}>
        <ul className={css.changes}>{changes.map((change) => <Change key={change.kind + change.id} change={change} />)}</ul>
      </Card>
    </div>
  );
}
