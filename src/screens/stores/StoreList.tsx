import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Store } from '../../contract/stores.ts';
import { chosenStoreAtom } from '../../state/first/location.ts';
import { chooseStoreAtom, shownTypeAtom, storeIdListAtom } from '../../state/places/stores.ts';
import { StoreCard } from '../../ui/StoreCard.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { distanceText } from './distance.ts';
import { hoursOf, takesOf, takingOf } from './taking.ts';
import css from './StoreList.module.css';

/** What ties a list to the map beside it. */
export interface MapSelection {
  /** Each store shows its number on the map. */
  numbered?: boolean;
  /** Id of the store whose number was tapped. */
  picked?: string | null;
}

interface StoreListProps extends MapSelection {
  stores: readonly Store[];
  /** Called with a tapped store; without it a tap chooses the store to collect from or to eat at. */
  onChoose?: (store: Store) => void;
  /** One is being taken. */
  busy?: boolean;
}

/** Stores one below the other; a tap chooses one. */
export function StoreList({ stores, numbered, picked, onChoose, busy }: StoreListProps) {
  const type = useAtomValue(shownTypeAtom);
  const chosen = useAtomValue(chosenStoreAtom);
  const before = useAtomValue(storeIdListAtom);
  const choose = useSetAtom(chooseStoreAtom);
  return (
    <ol className={css.list} aria-busy={busy}>
      {stores.map((store, index) => (
        <li key={store.id} id={`store-${store.id}`} data-picked={picked === store.id}>
          <StoreCard
            name={
              numbered ? (
                <>
                  <span className={css.number}>{index + 1}</span>
                  {store.name}
                </>
              ) : (
                store.name
              )
            }
            address={store.address}
            distance={distanceText(store)}
            isOpen={takesOf(store, type) === 'now'}
            hours={hoursOf(store, type)}
            selected={chosen?.id === store.id}
            onClick={() => (onChoose ? onChoose(store) : choose(store, type))}
          >
            <p className={css.services}>
              {store.services.map((service) => firstText.deliveryType({ type: service })).join(', ')}
            </p>
            {type === 'CURB' && !store.services.includes('CURB') && (
              <p className={css.tag}>
                <Tag>{t.counterOnly}</Tag>
              </p>
            )}
            {store.online === 0 && <p className={css.note}>{takingOf(store, type)}</p>}
            {before.includes(store.id) && chosen?.id !== store.id && (
              <p className={css.tag}>
                <Tag tone="blue">{t.chosenBefore}</Tag>
              </p>
            )}
          </StoreCard>
        </li>
      ))}
    </ol>
  );
}
