import * as t from '#text/cart.ts';
import { useAtomValue } from 'jotai';
import { cartAtom } from '../../state/first/cart.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { UserIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';

/** The link to ordering with others. */
export function Together() {
  const group = useAtomValue(cartAtom)?.group;
  const isOpen = useAtomValue(isOpenAtom);
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  if (!isOpen('groupOrder') || (isOnTrain && !group)) return null;
  return (
    <Card flush>
      <ListRow
        icon={<UserIcon />}
        title={group ? t.groupOwn : t.groupStart}
        detail={group ? (group.state === 'OPEN' ? t.groupOpen : t.groupClosed) : t.groupHow}
        href={href(group ? `/group/${group.code}` : '/group')}
      />
    </Card>
  );
}
