import * as t from '#text/cart.ts';
import * as orderText from '#text/order.ts';
import { useAtomValue } from 'jotai';
import { typedNumber } from '../../domain/typedText.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, chosenStoreAtom } from '../../state/first/location.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { slotsState } from '../../state/drafts/timeSlots.ts';
import { tableAtom } from '../../state/drafts/table.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { hoursOf, laterAt } from '../stores/taking.ts';
import { TrainRow } from '../trains/TrainRow.tsx';
import css from './CartScreen.module.css';

export function CartPlace() {
  const trip = useAtomValue(onTrainAtom);
  if (!trip) return <Place />;
  return (
    <Card flush>
      <TrainRow trip={trip} />
    </Card>
  );
}

function Place() {
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const now = useAtomValue(slotsState.atom).data?.store;
  const to = type === 'DELIVERY' ? place?.text : store?.name;
  const table = typedNumber(useAtomValue(tableAtom));
  const isKnown = now !== undefined && now.id === store?.id;
  const from =
    type === 'DELIVERY' && store ? t.fromStore({ store: store.name }) : store && hoursOf(isKnown ? now : store, type);
  const later = isKnown ? laterAt(now, type) : null;
  return (
    <Card flush>
      <ListRow
        icon={<PinIcon />}
        title={to ? t.whereTo({ type, place: to }) : t.whereMissing}
        detail={
          <>
            {type === 'DINEIN' && table && <b className={css.table}>{orderText.placeTable({ table })}</b>}
            {isKnown && !now.isOpen ? <b className={css.shut}>{t.closedNow({ hours: now.hoursText })}</b> : from}
            {later !== null && <b className={css.shut}> {later}</b>}
          </>
        }
        href={href('/postorder-ui/searchAddress?from=cart')}
        end={<span className={css.change}>{to ? t.change : t.choose}</span>}
      />
    </Card>
  );
}
