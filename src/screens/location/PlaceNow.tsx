import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { deliveryPlaceAtom, chosenStoreAtom } from '../../state/first/location.ts';
import { choosePlaceAtom, findTasks } from '../../state/places/places.ts';
import { flowAtom, flowPath } from '../../state/places/stores.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import css from './LocationScreen.module.css';

/** The place that the order goes to now, with a button that keeps it. */
export function PlaceNow() {
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const finding = useAtomValue(findTasks.busyAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const flow = useAtomValue(flowAtom);
  if (!place) return null;
  return (
    <section className={css.nowCard} aria-label={t.deliveringNow}>
      <span className={css.dot} aria-hidden />
      <p>
        <small>{t.deliveringNow}</small>
        <b>{place.text}</b>
        {store && (
          <span>
            {store.deliveryMinutes
              ? t.fromStoreIn({ store: store.name, ...store.deliveryMinutes })
              : t.fromStore({ store: store.name })}
          </span>
        )}
        {!place.address?.houseNo && (
          <a className={css.door} href={href(flowPath('/address', { ...flow, page: flow.page || '/menu' }))}>
            {t.addDoor}
          </a>
        )}
      </p>
      <Button
        kind="secondary"
        small
        busy={finding === 'place'}
        onClick={() =>
          void choose({
            delType: 'DELIVERY',
            lat: place.latitude,
            long: place.longitude,
            text: place.text,
            address: place.address,
            addressId: place.address_id,
          })
        }
      >
        {t.keep}
      </Button>
    </section>
  );
}
