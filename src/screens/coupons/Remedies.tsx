import * as t from '#text/offers.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { JudgedOffer, Remedy } from '../../contract/coupons.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { menuAtom } from '../../state/first/menu.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { placePath, switchTypeAtom } from '../../state/first/location.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import css from './Remedies.module.css';

function Act({ remedy }: { remedy: Remedy }) {
  const { categories } = useAtomValue(menuAtom);
  const switchType = useSetAtom(switchTypeAtom);
  const { go } = useAtomValue(navigateAtom);
  if (remedy.kind === 'ADD_AMOUNT' || remedy.kind === 'ADD_ITEMS') {
    const path = categories.find((category) => remedy.categoryIds?.includes(category.id))?.path ?? '/menu';
    return (
      <Button kind="quiet" small href={href(path)}>
        {t.addItems}
      </Button>
    );
  }
  const type = remedy.kind === 'DELIVERY_TYPE' ? remedy.deliveryTypes?.[0] : undefined;
  if (type) {
    const change = (to: DeliveryType) => {
      if (!switchType(to)) go(placePath(to));
    };
    return (
      <Button kind="quiet" small onClick={() => change(type)}>
        {t.changeType}
      </Button>
    );
  }
  if (remedy.kind === 'STORE')
    return (
      <Button kind="quiet" small href={href('/postorder-ui/nearestStore')}>
        {t.seeStores}
      </Button>
    );
  return null;
}

/**
 * Everything that would make an offer apply, each with a link or button. Replacing another offer is suggested only while
 * that one is on the cart. What the card shows already is not said again.
 */
export default function Remedies({ reason: { remedies, message } }: { reason: NonNullable<JudgedOffer['reason']> }) {
  const cart = useAtomValue(cartAtom);
  const held = cart?.offers.filter((one) => one.status === 'APPLIED').map((one) => one.code) ?? [];
  const own = remedies.filter(({ codes }) => codes === undefined || codes.some((code) => held.includes(code)));
  if (own.length === 0) return null;
  return (
    <ul className={css.remedies} aria-label={t.remedies}>
      {own.map((remedy, at) => (
        <li key={at}>
          {remedy.message.replace(/\.$/, '') !== message.replace(/\.$/, '') && <span>{remedy.message}</span>}
          <Act remedy={remedy} />
        </li>
      ))}
    </ul>
  );
}
