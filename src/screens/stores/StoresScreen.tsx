import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { DeliveryType } from '../../contract/names.ts';
import type { Store } from '../../contract/stores.ts';
import { deliveryType } from '../../domain/delivery.ts';
import { dropPlaceQuestionsAtom, gpsMessageAtom, hereQuestion, takeHereAtom } from '../../state/places/places.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { mapPartState } from '../../state/places/map.ts';
import {
  aroundAtom,
  chooseStoreAtom,
  flowAtom,
  flowPath,
  lookAtTypeAtom,
  openChoiceAtom,
  openTableAtom,
  nearestState,
  shownStoresAtom,
  shownTypeAtom,
} from '../../state/places/stores.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { href } from '../../ui/href.ts';
import { LocateIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { hoursOf } from './taking.ts';
import { nearestText, NearestStores } from './NearestStores.tsx';
import { mapWords, StoreMap } from './StoreMap.tsx';
import css from './StoresScreen.module.css';

/** The map has its own path; `storePage=map` asks for it as well. */
const isMapAtom = atom((get) => {
  const [path = '', query] = get(pathAtom).split('?');
  return path.endsWith('/takeawayMapScreen') || new URLSearchParams(query).get('storePage') === 'map';
});

const TYPES = ['PICKUP', 'CURB', 'DINEIN'] as const;
type TakenType = (typeof TYPES)[number];
const isTaken = (type: DeliveryType): type is TakenType => type !== 'DELIVERY';

/** The type of order that the page shows; until `enter` has read the address it may be the one of the page before. */
const takenTypeAtom = atom((get): TakenType => {
  const type = get(shownTypeAtom);
  if (isTaken(type)) return type;
  const asked = deliveryType(new URLSearchParams(get(pathAtom).split('?')[1]).get('deliveryType'));
  return isTaken(asked) ? asked : 'PICKUP';
});

/** Stores to collect from or to eat at. There is no delivery here: who asks for it gets takeaway. */
export const enter = atom(null, async (get, set, { query }: { query: URLSearchParams }) => {
  const asked = set(openChoiceAtom, query);
  set(dropPlaceQuestionsAtom);
  set(gpsMessageAtom, '');
  if (get(isMapAtom)) void set(mapPartState.load);
  set(lookAtTypeAtom, isTaken(asked) ? asked : 'PICKUP');
  await set(openTableAtom, query);
});

/** Two ways to change what the list is nearest to: the phone's position, or a place to search for. */
function Around({ type }: { type: TakenType }) {
  const flow = useAtomValue(flowAtom);
  const asked = useAtomValue(hereQuestion.atom);
  const message = useAtomValue(gpsMessageAtom) || (asked === 'silent' && t.hereSilent);
  const here = useSetAtom(takeHereAtom);
  return (
    <>
      <div className={css.near}>
        <Button kind="secondary" small busy={asked === 'asked'} onClick={() => void here(type)}>
          <LocateIcon size={20} /> {t.nearMe}
        </Button>
        <Button
          kind="secondary"
          small
          href={href(flowPath('/postorder-ui/searchAddress', flow, { deliveryType: type }))}
        >
          <SearchIcon size={20} /> {t.nearPlace}
        </Button>
      </div>
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </>
  );
}

/** The store whose number was tapped on the map, with the button that takes it. */
function Picked({ store, type }: { store: Store; type: DeliveryType }) {
  const choose = useSetAtom(chooseStoreAtom);
  return (
    <BottomBar
      label={t.storePicked}
      action={
        <Button full onClick={() => choose(store, type)}>
          {t.chooseIt}
        </Button>
      }
    >
      <b>{store.name}</b>
      {hoursOf(store, type)}
    </BottomBar>
  );
}

/** The five nearest stores as a list, with or without a map beside it. */
export default function StoresScreen() {
  const [path = ''] = useAtomValue(pathAtom).split('?');
  const isMap = useAtomValue(isMapAtom);
  const type = useAtomValue(takenTypeAtom);
  const flow = useAtomValue(flowAtom);
  const around = useAtomValue(aroundAtom);
  const found = useAtomValue(shownStoresAtom);
  const stores = found ?? [];
  const { failure } = useAtomValue(nearestState.atom);
  const lookAt = useSetAtom(lookAtTypeAtom);
  const [pickedId, setPicked] = useState<string | null>(null);
  const picked = isMap ? stores.find((store) => store.id === pickedId) : undefined;
  const pick = (store: Store) => {
    setPicked(store.id);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const place = document.getElementById(`store-${store.id}`);
    place?.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'auto' : 'smooth' });
  };
  return (
    <>
      <AppBar
        title={isMap ? t.storesOnMap : path.endsWith('/nearestStore') ? t.storesNearest : t.storesChoose}
        subtitle={nearestText(around?.text)}
        back={
          flow.from === 'cart' ? { label: t.backToCart, href: href('/cart') } : { label: t.backToHome, href: href('/') }
        }
      >
        <a
          className={css.view}
          href={href(
            flowPath(isMap ? '/postorder-ui/selectRestaurant' : '/postorder-ui/takeawayMapScreen', flow, {
              deliveryType: type,
            }),
          )}
        >
          {isMap ? t.asList : t.asMap}
        </a>
      </AppBar>
      <div className={css.page} data-map={isMap}>
        <div className={css.bar}>
          <Chips
            label={firstText.typesLabel}
            pressed={[type]}
            onToggle={(id) => lookAt(id as typeof type)}
            chips={TYPES.map((one) => ({ id: one, text: firstText.deliveryTypeShort({ type: one }) }))}
          />
        </div>
        {isMap && (
          <div className={css.side}>
            {stores.length > 0 ? (
              <StoreMap stores={stores} type={type} around={around} picked={pickedId} onPick={pick} />
            ) : (
              // The map with its words, which are two lines on a phone where they name the place.
              <figure className={css.map}>
                <Skeleton height="clamp(15rem, 40vh, 28rem)" />
                <figcaption>{mapWords(around !== null)}</figcaption>
              </figure>
            )}
          </div>
        )}
        <div className={css.list}>
          <h2 className="visually-hidden">{t.stores}</h2>
          <Around type={type} />
          <NearestStores numbered={isMap} picked={pickedId} />
          {/* Below a list of no known length; it waits with it. */}
          {(found ?? failure) && (
            <p className={css.other}>
              <a href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}>{t.otherCity}</a>
            </p>
          )}
        </div>
      </div>
      {picked && <Picked store={picked} type={type} />}
    </>
  );
}
