import { atom, useAtomValue, useSetAtom } from 'jotai';
import { NO_DELIVERY_HERE, NO_STORE_NEARBY } from '../../domain/messages.ts';
import { deliveryPlaceAtom } from '../../state/location.ts';
import { confirmPinAtom, findingAtom, movePinAtom, pinAtom, pinState, pinTextAtom, searchAddressAtom } from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom } from '../../state/seams.ts';
import { mapPartState } from '../../state/map.ts';
import { chooseStoreAtom, flowAtom, flowPath, openChoiceAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { NoDelivery } from './NoDelivery.tsx';
import { PinMap } from './PinMap.tsx';
import { MAP_WORDS } from './StoreMap.tsx';
import { distanceText } from './StoreList.tsx';
import css from './MapScreen.module.css';

/** Starts at the pin of before, else at the chosen place, else in the middle of the country's first city. */
export const enter = atom(null, (get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  void set(mapPartState.load);
  const place = get(deliveryPlaceAtom);
  const isForPlace = query.get('pin') === 'place';
  set(movePinAtom, (isForPlace ? place : null) ?? get(pinAtom) ?? place ?? get(countryAtom).mapCentre);
});

/** The answer to the pin: what is there, and who delivers. */
function Answer() {
  const { status, data, failure } = useAtomValue(pinState.atom);
  const text = useAtomValue(pinTextAtom);
  const pin = useAtomValue(pinAtom);
  const move = useSetAtom(movePinAtom);
  const choose = useSetAtom(chooseStoreAtom);
  if (status === 'failed') {
    return <p role="alert">{sentenceOf(failure)} {pin && <Button kind="quiet" small onClick={() => move(pin)}>Try again</Button>}</p>;
  }
  if (!data || text === null) return <div className={css.bones} aria-busy="true"><Skeleton width="70%" height="1.4rem" /><Skeleton width="90%" height="1rem" /></div>;
  const { store, nearestPickup } = data;
  return (
    <div className={css.answer} role="status">
      <h2>{text || 'A place without a name'}</h2>
      {store && (
        <p className={css.good}>
          <b>{store.name}</b> delivers here{store.deliveryMinutes ? ` in ${store.deliveryMinutes.from} to ${store.deliveryMinutes.to} minutes` : ''}. {store.hoursText}.
        </p>
      )}
      {!store && <p className={css.bad}>{nearestPickup ? NO_DELIVERY_HERE : NO_STORE_NEARBY}</p>}
      {!store && nearestPickup && (
        <Button kind="secondary" onClick={() => choose(nearestPickup, 'PICKUP')}>
          Collect at {nearestPickup.locality}{distanceText(nearestPickup) ? `, ${distanceText(nearestPickup)}` : ''}
        </Button>
      )}
    </div>
  );
}

/** The pin on the map; the words below it are what counts. */
export default function MapScreen() {
  const pin = useAtomValue(pinAtom);
  const { data, status } = useAtomValue(pinState.atom);
  const text = useAtomValue(pinTextAtom);
  const flow = useAtomValue(flowAtom);
  const isConfirming = useAtomValue(findingAtom) === 'place';
  const move = useSetAtom(movePinAtom);
  const confirm = useSetAtom(confirmPinAtom);
  const isKnown = text !== null && status === 'ready';
  const isOut = isKnown && data?.store === null;
  return (
    <>
      <AppBar title="Is the pin at your door?" subtitle="Move it until the words below are right" back={{ label: 'Back', href: href(flow.page.startsWith('/address') ? flow.page : flowPath('/postorder-ui/searchAddress', flow)) }} />
      <div className={css.page}>
        {pin ? <PinMap at={pin} text={text || 'Looking up the place'} onMove={move} /> : <Skeleton height="18rem" />}
        <div className={css.side}>
          <NoDelivery />
          <Card><Answer /></Card>
          <p className={css.small}>{MAP_WORDS} The address that you write next is what counts.</p>
        </div>
      </div>
      <BottomBar
        label="Confirm the place"
        action={isOut
          ? <Button full href={href(flowPath('/postorder-ui/searchAddress', flow))}>Try another place</Button>
          : <Button full busy={isConfirming || !isKnown} onClick={() => void confirm()}>Deliver here</Button>}
      />
    </>
  );
}
