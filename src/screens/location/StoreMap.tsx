import type { Store } from '../../contract/stores.ts';
import { MapSketch, project, type MapPin } from '../../ui/MapSketch.tsx';
import { distanceText } from './StoreList.tsx';
import css from './StoreMap.module.css';

const WIDTH = 360;
const HEIGHT = 200;

/** The stores of the list as pins of a drawn map; a pin picks what its line in the list would. */
export function StoreMap({ stores, around, picked, onPick }: {
  stores: readonly Store[]; around: { readonly latitude: number; readonly longitude: number; readonly text: string } | null; picked: string | null; onPick: (store: Store) => void;
}) {
  const pins: MapPin[] = [
    ...stores.map((store) => ({ kind: 'store' as const, label: store.name, latitude: store.latitude, longitude: store.longitude })),
    ...(around ? [{ kind: 'customer' as const, label: around.text, latitude: around.latitude, longitude: around.longitude }] : []),
  ];
  const points = project(pins);
  return (
    <div className={css.map}>
      <MapSketch pins={pins} text={around ? 'A sketch: distances are true, streets are not.' : 'A sketch of where the stores lie to each other.'} />
      <ul className={css.pins} aria-label="Stores on the map">
        {stores.map((store, index) => {
          const [x = 0, y = 0] = points[index] ?? [];
          return (
            <li key={store.id} style={{ left: `${Math.round((x / WIDTH) * 1000) / 10}%`, top: `${Math.round((y / HEIGHT) * 1000) / 10}%` }}>
              <button type="button" aria-pressed={picked === store.id} onClick={() => onPick(store)} aria-label={[`${index + 1}. ${store.name}`, distanceText(store), store.hoursText].filter(Boolean).join(', ')}>
                <span>{index + 1}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
