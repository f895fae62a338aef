import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { DeliveryType } from '../../contract/names.ts';
import { gpsMessageAtom, hereQuestion, takeHereAtom } from '../../state/places/places.ts';
import { flowAtom, flowPath } from '../../state/places/stores.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { LocateIcon, StoreIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import css from './LocationScreen.module.css';

/** The phone's position is asked for only after a tap on this row, and the row says what for. */
function Here({ type }: { type: DeliveryType }) {
  const find = useSetAtom(takeHereAtom);
  const asked = useAtomValue(hereQuestion.atom);
  const message = useAtomValue(gpsMessageAtom) || (asked === 'silent' && t.hereSilent);
  return (
    <>
      <ListRow
        icon={<LocateIcon />}
        title={asked === 'idle' ? t.here : t.hereFinding}
        detail={t.hereWhy({ type })}
        onClick={() => void find(type)}
      />
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </>
  );
}

export function PlaceRows({ type }: { type: DeliveryType }) {
  const flow = useAtomValue(flowAtom);
  return (
    <Card flush>
      <Here type={type} />
      <ListRow
        icon={<StoreIcon />}
        title={t.cityList({ type })}
        detail={t.cityListDetail}
        href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}
      />
    </Card>
  );
}
