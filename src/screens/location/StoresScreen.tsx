import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Store } from '../../contract/stores.ts';
import { DELIVERY_LABELS } from '../../domain/delivery.ts';
import { findingAtom, gpsMessageAtom, useHereAtom } from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { placeAtom } from '../../state/seams.ts';
import { mapPartState } from '../../state/map.ts';
import { aroundAtom, chooseStoreAtom, flowAtom, flowPath, lookAtTypeAtom, nearestState, nearStoresAtom, openChoiceAtom, shownTypeAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailedPicture } from '../../ui/FailedPicture.tsx';
import { href } from '../../ui/href.ts';
import { LocateIcon } from '../../ui/icons/LocateIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StoreList } from './StoreList.tsx';
import { StoreMap } from './StoreMap.tsx';
import css from './StoresScreen.module.css';

/** The map is a path of its own, and what `storePage=map` asks for. */
const isMapAtom = atom((get) => {
  const [path = '', query] = get(placeAtom).split('?');
  return path.endsWith('/takeawayMapScreen') || new URLSearchParams(query).get('storePage') === 'map';
});

/** Stores to collect from or to sit in: whoever asks for delivery here means takeaway. */
export const enter = atom(null, async (get, set, { query }: { query: URLSearchParams }) => {
  const asked = set(openChoiceAtom, query);
  set(gpsMessageAtom, '');
  if (get(isMapAtom)) void set(mapPartState.load);
  set(lookAtTypeAtom, asked === 'DELIVERY' ? 'PICKUP' : asked);
});

const TYPES = ['PICKUP', 'CURB', 'DINEIN'] as const;

/** The five nearest stores as a list, and as pins of a map that do the same. */
export default function StoresScreen() {
  const place = useAtomValue(placeAtom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const around = useAtomValue(aroundAtom);
  const { status, failure } = useAtomValue(nearestState.atom);
  const data = useAtomValue(nearStoresAtom);
  const isFinding = useAtomValue(findingAtom) === 'here';
  const message = useAtomValue(gpsMessageAtom);
  const lookAt = useSetAtom(lookAtTypeAtom);
  const load = useSetAtom(nearestState.load);
  const here = useSetAtom(useHereAtom);
  const choose = useSetAtom(chooseStoreAtom);
  const [pickedId, setPicked] = useState<string | null>(null);
  const [path = ''] = place.split('?');
  const isMap = useAtomValue(isMapAtom);
  const stores = data?.type === type ? data.stores : null;
  const picked = isMap ? stores?.find((store) => store.id === pickedId) ?? null : null;
  const pick = (store: Store) => {
    setPicked(store.id);
    document.getElementById(`store-${store.id}`)?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  };
  return (
    <>
      <AppBar
        title={isMap ? 'Stores on the map' : path.endsWith('/nearestStore') ? 'Nearest stores' : 'Choose a restaurant'}
        subtitle={around ? `Nearest to ${around.text}` : undefined}
        back={flow.from === 'cart' ? { label: 'Back to the cart', href: href('/cart') } : { label: 'Back to home', href: href('/') }}
      >
        <a className={css.view} href={href(flowPath(isMap ? '/postorder-ui/selectRestaurant' : '/postorder-ui/takeawayMapScreen', flow, { deliveryType: type }))}>{isMap ? 'List' : 'Map'}</a>
      </AppBar>
      <div className={css.page} data-map={isMap}>
        <div className={css.bar}>
          <Chips label="How do you want your order?" pressed={[type]} onToggle={(id) => lookAt(id as typeof type)} chips={TYPES.map((one) => ({ id: one, text: DELIVERY_LABELS[one].split(' ')[0] ?? one }))} />
        </div>
        {isMap && (
          <div className={css.side}>
            {stores && stores.length > 0 ? <StoreMap stores={stores} around={around} picked={pickedId} onPick={pick} /> : <Skeleton height="14rem" />}
          </div>
        )}
        <div className={css.list}>
          <h2 className="visually-hidden">Stores</h2>
          <div className={css.near}>
            <Button kind="secondary" small busy={isFinding} onClick={() => void here(type)}><LocateIcon size={20} /> Near me</Button>
            <Button kind="secondary" small href={href(flowPath('/postorder-ui/searchAddress', flow, { deliveryType: type }))}><SearchIcon size={20} /> Near a place</Button>
          </div>
          <div role="status">{message && <p className={css.message}>{message}</p>}</div>
          {status === 'failed' && !stores && (
            <EmptyState picture={<FailedPicture />} title="The stores did not load" action={<Button kind="secondary" onClick={() => void load(type)}>Try again</Button>}>{sentenceOf(failure)}</EmptyState>
          )}
          {!stores && status !== 'failed' && <div className={css.bones} aria-busy="true">{[1, 2, 3, 4].map((one) => <Skeleton key={one} height="6.5rem" />)}</div>}
          {stores?.length === 0 && <EmptyState title={`No store near here offers ${DELIVERY_LABELS[type].toLowerCase()}`} action={<Button href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}>Choose your city</Button>} />}
          {stores && stores.length > 0 && <StoreList stores={stores} numbered={isMap} picked={pickedId} />}
          <p className={css.other}><a href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}>Another city?</a></p>
        </div>
      </div>
      {picked && (
        <BottomBar label="The store you picked" action={<Button full onClick={() => choose(picked, type)}>Choose it</Button>}>
          <b>{picked.name}</b>{picked.hoursText}
        </BottomBar>
      )}
    </>
  );
}
