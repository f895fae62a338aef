import { useAtomValue, useSetAtom } from 'jotai';
import type { Store } from '../../contract/stores.ts';
import { DELIVERY_LABELS } from '../../domain/delivery.ts';
import { ADVANCE_ORDER_ONLY } from '../../domain/messages.ts';
import { chosenStoreAtom } from '../../state/location.ts';
import { chooseStoreAtom, shownTypeAtom, storeIdListAtom } from '../../state/stores.ts';
import { StoreCard } from '../../ui/StoreCard.tsx';
import { Tag } from '../../ui/Tag.tsx';
import css from './StoreList.module.css';

export function distanceText(store: Pick<Store, 'distanceKm'>): string | undefined {
  return store.distanceKm === undefined ? undefined : `${store.distanceKm} km`;
}

/** Stores one below the other; one tap takes one. `numbered` ties them to the pins of a map. */
export function StoreList({ stores, numbered, picked }: { stores: readonly Store[]; numbered?: boolean; picked?: string | null }) {
  const type = useAtomValue(shownTypeAtom);
  const chosen = useAtomValue(chosenStoreAtom);
  const before = useAtomValue(storeIdListAtom);
  const choose = useSetAtom(chooseStoreAtom);
  return (
    <ol className={css.list}>
      {stores.map((store, index) => (
        <li key={store.id} id={`store-${store.id}`} data-picked={picked === store.id}>
          <StoreCard
            name={numbered ? <><span className={css.number}>{index + 1}</span>{store.name}</> : store.name}
            address={store.address}
            distance={distanceText(store)}
            isOpen={store.isOpen && store.online !== 0}
            hours={store.online === 0 ? 'Orders for later only' : store.hoursText}
            selected={chosen?.id === store.id}
            onClick={() => choose(store, type)}
          >
            <p className={css.services}>{store.services.map((service) => DELIVERY_LABELS[service]).join(', ')}</p>
            {type === 'CURB' && !store.services.includes('CURB') && <p className={css.tag}><Tag>At the counter only</Tag></p>}
            {store.online === 0 && <p className={css.note}>{ADVANCE_ORDER_ONLY}</p>}
            {before.includes(store.id) && chosen?.id !== store.id && <p className={css.tag}><Tag tone="blue">Chosen before</Tag></p>}
          </StoreCard>
        </li>
      ))}
    </ol>
  );
}
