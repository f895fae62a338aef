import { useAtomValue, useSetAtom } from 'jotai';
import type { Remedy } from '../../contract/coupons.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { menuAtom } from '../../state/menu.ts';
import { navigateAtom } from '../../state/seams.ts';
import { placePath, switchTypeAtom } from '../../state/widgets.ts';
import { Button } from '../../ui/Button.tsx';
import { href } from '../../ui/href.ts';
import css from './Remedies.module.css';

function Act({ remedy }: { remedy: Remedy }) {
  const { categories } = useAtomValue(menuAtom);
  const switchType = useSetAtom(switchTypeAtom);
  const { go } = useAtomValue(navigateAtom);
  if (remedy.kind === 'ADD_AMOUNT' || remedy.kind === 'ADD_ITEMS') {
    const path = categories.find((category) => remedy.categoryIds?.includes(category.id))?.path ?? '/menu';
    return <Button kind="quiet" small href={href(path)}>Add items</Button>;
  }
  const type = remedy.kind === 'DELIVERY_TYPE' ? remedy.deliveryTypes?.[0] : undefined;
  if (type) {
    const change = (to: DeliveryType) => { if (!switchType(to)) go(placePath(to)); };
    return <Button kind="quiet" small onClick={() => change(type)}>Change</Button>;
  }
  if (remedy.kind === 'STORE') return <Button kind="quiet" small href={href('/postorder-ui/nearestStore')}>See stores</Button>;
  return null;
}

/** All that would make an offer apply, each with its way there; `said` stands above already. */
export function Remedies({ remedies, said }: { remedies: readonly Remedy[]; said: string }) {
  if (remedies.length === 0) return null;
  return (
    <ul className={css.remedies} aria-label="What would make it apply">
      {remedies.map((remedy, at) => <li key={at}>{remedy.message.replace(/\.$/, '') !== said.replace(/\.$/, '') && <span>{remedy.message}</span>}<Act remedy={remedy} /></li>)}
    </ul>
  );
}
