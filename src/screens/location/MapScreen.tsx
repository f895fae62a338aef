import * as errors from '#text/errors.ts';
import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { deliveryPlaceAtom } from '../../state/first/location.ts';
import {
  confirmPinAtom,
  findTasks,
  movePinAtom,
  pinAtom,
  pinState,
  pinTextAtom,
  searchAddressAtom,
} from '../../state/places/places.ts';
import { customerAtom } from '../../state/lib/forget.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { countryAtom } from '../../state/base/country.ts';
import { mapPartState } from '../../state/places/map.ts';
import { chooseStoreAtom, flowAtom, flowPath, openChoiceAtom } from '../../state/places/stores.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { takingOf } from '../stores/taking.ts';
import { NoDelivery } from '../stores/NoDelivery.tsx';
import { PinMap } from './PinMap.tsx';
import { distanceText } from '../stores/distance.ts';
import css from './MapScreen.module.css';

/** A position that the phone has told is asked about by the name of its area; the map is for who wants it. */
const isMapOpenAtom = customerAtom(true);
const openMapAtom = atom(null, (_get, set) => {
  set(isMapOpenAtom, true);
  void set(mapPartState.load);
});

/**
 * The pin starts where it was before, else at the chosen place, else at the country's map centre. With `pin=place` the
 * chosen place comes first, with `pin=here` there is no map at first.
 */
export const enter = atom(null, (get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  // Opened by its address alone, it knows of no position.
  if (query.get('pin') === 'here' && get(pinAtom) !== null) set(isMapOpenAtom, false);
  else set(openMapAtom);
  const place = get(deliveryPlaceAtom);
  const isForPlace = query.get('pin') === 'place';
  set(movePinAtom, (isForPlace ? place : null) ?? get(pinAtom) ?? place ?? get(countryAtom).mapCentre);
});

/** The place on the map; before there is one, a question for its area. */
function Name({ of: { area, isNear }, text }: { of: { area: string; isNear: boolean }; text: string }) {
  const isMapOpen = useAtomValue(isMapOpenAtom);
  if (isMapOpen || !area) return <h2>{text || t.pinNameless}</h2>;
  return (
    <>
      <h2>{t.hereAsk({ near: isNear ? 'yes' : 'no', place: area })}</h2>
      <p>{text}</p>
    </>
  );
}

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
  const taking = store && takingOf(store, 'DELIVERY');
  const distance = nearestPickup ? distanceText(nearestPickup) : undefined;
  return (
    <div className={css.answer} role="status">
      <Name of={data} text={text} />
      {store && (
        <p className={css.good}>
          {store.deliveryMinutes
            ? rich(t.pinDeliversIn, { store: store.name, hours: store.hoursText, ...store.deliveryMinutes, b: <b /> })
            : rich(t.pinDelivers, { store: store.name, hours: store.hoursText, b: <b /> })}
        </p>
      )}
      {taking && <p>{taking}</p>}
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

/** Asks whether a place is right by its words, and moves a pin on a map. The order goes by the words. */
export default function MapScreen() {
  const pin = useAtomValue(pinAtom);
  const { data, status } = useAtomValue(pinState.atom);
  const text = useAtomValue(pinTextAtom);
  const flow = useAtomValue(flowAtom);
  const isConfirming = useAtomValue(findTasks.busyAtom) === 'place';
  const move = useSetAtom(movePinAtom);
  const confirm = useSetAtom(confirmPinAtom);
  const isMapOpen = useAtomValue(isMapOpenAtom);
  const openMap = useSetAtom(openMapAtom);
  const isKnown = text !== null && status === 'ready';
  const isOut = isKnown && data?.store === null;
  return (
    <>
      <AppBar
        title={isMapOpen ? t.pinTitle : t.title({ type: 'DELIVERY' })}
        back={{
          label: t.back,
          href: href(flow.page.startsWith('/address') ? flow.page : flowPath('/postorder-ui/searchAddress', flow)),
        }}
      />
      <Page {...(isMapOpen && { columns: 'first' })}>
        {isMapOpen &&
          (pin ? (
            <PinMap at={pin} text={text || t.pinLookingUp} onMove={move} />
          ) : (
            <div className={css.map}>
              <Skeleton height="100%" />
            </div>
          ))}
        <Column>
          <NoDelivery />
          <Card>
            <Answer />
          </Card>
          {isMapOpen && <p className={css.small}>{t.mapShows}</p>}
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
              {firstText.tryAgain}
            </Button>
          ) : (
            <Button
              full
              busy={isConfirming || (isMapOpen && !isKnown)}
              disabled={!isMapOpen && !isKnown}
              onClick={() => void confirm()}
            >
              {t.pinDeliver}
            </Button>
          )
        }
      >
        {isMapOpen ? undefined : (
          <Button
            kind="quiet"
            onClick={() => {
              openMap();
              // The button goes.
              document.getElementById('main')?.focus();
            }}
          >
            {t.hereNotQuite}
          </Button>
        )}
      </BottomBar>
    </>
  );
}
