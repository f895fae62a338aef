import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { deliveryPlaceAtom } from '../../state/first/location.ts';
import {
  confirmPinAtom,
  findingAtom,
  movePinAtom,
  pinAtom,
  pinState,
  pinTextAtom,
  searchAddressAtom,
} from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom } from '../../state/country.ts';
import { mapPartState } from '../../state/map.ts';
import { chooseStoreAtom, flowAtom, flowPath, openChoiceAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { laterAt } from './laterAt.ts';
import { NoDelivery } from './NoDelivery.tsx';
import { PinMap } from './PinMap.tsx';
import { distanceText } from './StoreList.tsx';
import css from './MapScreen.module.css';

/**
 * The pin starts where it was before, else at the chosen place, else at the country's map centre. With `pin=place` the
 * chosen place comes first.
 */
export const enter = atom(null, (get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  void set(mapPartState.load);
  const place = get(deliveryPlaceAtom);
  const isForPlace = query.get('pin') === 'place';
  set(movePinAtom, (isForPlace ? place : null) ?? get(pinAtom) ?? place ?? get(countryAtom).mapCentre);
});

/** What is at the pin, and which store delivers there. */
function Answer() {
  const { status, data, failure } = useAtomValue(pinState.atom);
  const text = useAtomValue(pinTextAtom);
  const choose = useSetAtom(chooseStoreAtom);
  const flow = useAtomValue(flowAtom);
  if (status === 'failed') {
    return (
      <p className={css.answer} role="alert">
        {sentenceOf(failure)}
      </p>
    );
  }
  if (!data || text === null)
    return (
      <div className={css.bones} aria-busy="true">
        <Skeleton width="70%" height="1.4rem" />
        <Skeleton width="90%" height="1rem" />
      </div>
    );
  const { store, nearestPickup, refused } = data;
  const distance = nearestPickup ? distanceText(nearestPickup) : undefined;
  return (
    <div className={css.answer} role="status">
      <h2>{text || t.pinNameless}</h2>
      {store && (
        <p className={css.good}>
          {store.deliveryMinutes && store.online !== 0
            ? rich(t.pinDeliversIn, { store: store.name, hours: store.hoursText, ...store.deliveryMinutes, b: <b /> })
            : rich(t.pinDelivers, { store: store.name, hours: store.hoursText, b: <b /> })}
        </p>
      )}
      {store?.online === 0 && (
        <p>
          {errors.advanceOrderOnly} {laterAt(store, 'DELIVERY')}
        </p>
      )}
      {!store && <p className={css.bad}>{refused || (nearestPickup ? errors.noDeliveryHere : t.noStoreNearby)}</p>}
      {!store && nearestPickup && (
        <Button kind="secondary" onClick={() => choose(nearestPickup, 'PICKUP')}>
          {distance === undefined
            ? t.collectAt({ place: nearestPickup.locality })
            : t.collectAtDistance({ place: nearestPickup.locality, distance })}
        </Button>
      )}
      {!store && !nearestPickup && (
        <Button kind="secondary" href={href(flowPath('/manualSelector', flow))}>
          {t.chooseCity}
        </Button>
      )}
    </div>
  );
}

/** Moves a pin on a map. The order goes by the words below the map. */
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
      <AppBar
        title={t.pinTitle}
        back={{
          label: t.back,
          href: href(flow.page.startsWith('/address') ? flow.page : flowPath('/postorder-ui/searchAddress', flow)),
        }}
      />
      <Page columns="first">
        {pin ? (
          <PinMap at={pin} text={text || t.pinLookingUp} onMove={move} />
        ) : (
          <div className={css.map}>
            <Skeleton height="100%" />
          </div>
        )}
        <Column>
          <NoDelivery />
          <Card>
            <Answer />
          </Card>
          <p className={css.small}>{t.mapShows}</p>
        </Column>
      </Page>
      <BottomBar
        label={t.pinConfirm}
        action={
          isOut ? (
            <Button full href={href(flowPath('/postorder-ui/searchAddress', flow))}>
              {t.tryOther}
            </Button>
          ) : pin && status === 'failed' ? (
            <Button full onClick={() => move(pin)}>
              {t.tryAgain}
            </Button>
          ) : (
            <Button full busy={isConfirming || !isKnown} onClick={() => void confirm()}>
              {t.pinDeliver}
            </Button>
          )
        }
      />
    </>
  );
}
