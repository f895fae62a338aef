import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import {
  acceptAllAtom,
  acceptChangeAtom,
  changesAtom,
  declineChangeAtom,
  reorderedFromAtom,
  type CartChange,
} from '../../../state/after/cartDiff.ts';
import { isOpenAtom } from '../../../state/first/config.ts';
import { itemsByIdAtom } from '../../../state/first/menu.ts';
import { Button } from '../../../ui/forms/Button.tsx';
import { Card } from '../../../ui/page/Card.tsx';
import { href } from '../../../ui/href.ts';
import { Price } from '../../../ui/money/Price.tsx';
import { rich } from '../../../ui/rich.ts';
import { useClock } from '../../base/clock.ts';
import css from './Changes.module.css';

function wordsOf(change: CartChange): ReactNode {
  const { name } = change;
  switch (change.kind) {
    case 'price':
      return rich(t.changedPrice, {
        name,
        direction: change.after > change.before ? 'up' : 'down',
        after: <Price amount={change.after} />,
        before: <Price amount={change.before} />,
        b: <b />,
      });
    case 'store':
      return rich(t.changedStore, { before: name, after: change.after, b: <b /> });
    case 'gained':
      return rich(t.changedGained, { name, b: <b /> });
    default:
      return change.reason.startsWith(name)
        ? change.reason
        : rich(t.changed, { name, reason: change.reason, b: <b /> });
  }
}

/** One way to decide; the first of a change is the one that most people take. */
type Choice = {
  readonly label: string;
  /** What it says to ears, where its label alone could belong to several changes. */
  readonly says?: string;
} & ({ readonly act: () => void } | { readonly to: string });

function useChoices(change: CartChange): readonly Choice[] {
  const accept = useSetAtom(acceptChangeAtom);
  const decline = useSetAtom(declineChangeAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const items = useAtomValue(itemsByIdAtom);
  const { name } = change;
  const yes = (label: string, says: string) => ({ label, says, act: () => accept(change) });
  const no = (label: string, says?: string) => ({ label, ...(says ? { says } : {}), act: () => decline(change) });
  switch (change.kind) {
    case 'price':
      return [yes(t.keep, t.keepItem({ name })), no(t.leaveOut, t.leaveOutItem({ name }))];
    case 'stock': {
      const instead = items.get(change.alternativeId ?? '');
      const out = yes(t.leaveOut, t.leaveOutItem({ name }));
      return instead && instead.kind !== 'DEAL' ? [no(t.takeInstead({ name: instead.name })), out] : [out];
    }
    case 'offer': {
      const without = yes(t.goOnWithout, t.goOnWithoutItem({ name }));
      return isOpen('offers') ? [{ label: t.otherCoupons, to: '/offers?from=cart' }, without] : [without];
    }
    case 'gone':
      return [
        { label: t.chooseInstead, says: t.chooseInsteadOf({ name }), to: '/menu' },
        yes(t.goOnWithout, t.goOnWithoutItem({ name })),
      ];
    case 'gained':
      return [yes(t.keepOffer, t.keepOfferItem({ name })), no(t.goOnWithout, t.goOnWithoutItem({ name }))];
    default:
      return [
        yes(t.stayHere, t.stayHereItem({ name: change.after })),
        { label: t.changeStore, to: '/postorder-ui/searchAddress?from=cart' },
      ];
  }
}

function Change({ change }: { change: CartChange }) {
  return (
    <li>
      <p>{wordsOf(change)}</p>
      <div className={css.choices}>
        {useChoices(change).map((choice, at) => (
          <Button
            key={choice.label}
            kind={at === 0 ? 'secondary' : 'quiet'}
            small
            {...(choice.says === undefined ? {} : { 'aria-label': choice.says })}
            {...('to' in choice ? { href: href(choice.to) } : { onClick: choice.act })}
          >
            {choice.label}
          </Button>
        ))}
      </div>
    </li>
  );
}

/** A choice for each change, and one button that accepts all. */
export default function ChangesCard() {
  const changes = useAtomValue(changesAtom);
  const acceptAll = useSetAtom(acceptAllAtom);
  const from = useAtomValue(reorderedFromAtom);
  const { date } = useClock();
  return (
    <Card
      title={from === null ? t.changesTitle : t.changesSinceOrder({ date: date(from) })}
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
  );
}
