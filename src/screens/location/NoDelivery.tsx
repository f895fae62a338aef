import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { NO_DELIVERY_HERE, NO_STORE_NEARBY } from '../../domain/messages.ts';
import { searchAddressAtom } from '../../state/places.ts';
import { chooseStoreAtom, flowAtom, flowPath } from '../../state/stores.ts';
import { Button } from '../../ui/Button.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { distanceText } from './StoreList.tsx';
import css from './NoDelivery.module.css';

/** What to do when nobody delivers to the place: the nearest store to collect from in one tap, or another city. */
export function NoDelivery() {
  const [found, setFound] = useAtom(searchAddressAtom);
  const flow = useAtomValue(flowAtom);
  const choose = useSetAtom(chooseStoreAtom);
  if (!found || found.servicable) return null;
  const store = found.nearbyStore;
  return (
    <section className={css.panel} role="alert" id="no-delivery" tabIndex={-1}>
      <PinIcon size={28} />
      <div>
        <h2>{store ? NO_DELIVERY_HERE : NO_STORE_NEARBY}</h2>
        {found.text && <p>{found.text}</p>}
        {store && (
          <p className={css.store}>
            <b>{store.name}</b> is {distanceText(store) ?? 'near'} away. {store.hoursText}. Collect it yourself and pay no delivery charge.
          </p>
        )}
        <div className={css.buttons}>
          {store
            ? <Button onClick={() => { setFound(null); choose(store, 'PICKUP'); }}>Collect at {store.locality}</Button>
            : <Button href={href(flowPath('/manualSelector', flow))}>Choose your city</Button>}
          <Button kind="secondary" onClick={() => setFound(null)}>Try another place</Button>
        </div>
      </div>
    </section>
  );
}
