import * as t from '#text/location.ts';
import { useState } from 'react';
import type { DeliveryType } from '../../contract/names.ts';
import type { Store } from '../../contract/stores.ts';
import { Card } from '../../ui/page/Card.tsx';
import { apart, fitted, type MapView } from '../../ui/pictures/mapView.ts';
import type { MapPoint, ToPixel } from '../../ui/pictures/TileMap.tsx';
import { hoursOf } from './taking.ts';
import { MapFrame } from '../maps/MapFrame.tsx';
import { distanceText } from './distance.ts';
import css from './StoreMap.module.css';

/** Numbers closer than this could not be tapped one by one. */
const LEAST_APART = 46;
/** The closest zoom that a list of stores is first shown with. */
const FIRST_CLOSEST = 14;

/** What the map shows, in words. */
export const mapWords = (hasPlace: boolean) => (hasPlace ? `${t.mapShowsYou} ${t.mapShows}` : t.mapShows);

/** The stores of the list as numbers on a map; a tap on a number picks its store in the list. */
export function StoreMap({
  stores,
  type,
  around,
  picked,
  onPick,
}: {
  stores: readonly Store[];
  type: DeliveryType;
  around: (MapPoint & { readonly text: string }) | null;
  picked: string | null;
  onPick: (store: Store) => void;
}) {
  const all: MapPoint[] = around ? [...stores, around] : [...stores];
  const key = stores.map((store) => store.id).join() + (around ? `${around.latitude},${around.longitude}` : '');
  const [moved, setMoved] = useState<(MapView & { key: string }) | null>(null);
  const view = moved?.key === key ? moved : fitted(all, FIRST_CLOSEST);
  const numbers = (toPixel: ToPixel) => {
    const places = stores.map(toPixel);
    const spread = apart(places, LEAST_APART);
    const here = around && toPixel(around);
    return (
      <div>
        <svg aria-hidden>
          {spread.map((number, index) => {
            const at = places[index] ?? number;
            return (
              <g key={index}>
                <path className={css.thread} d={`M${at.x} ${at.y}L${number.x} ${number.y}`} />
                <circle className={css.dot} cx={at.x} cy={at.y} r="3.5" />
              </g>
            );
          })}
          {here && (
            <>
              <circle className={css.ring} cx={here.x} cy={here.y} r="13" />
              <circle className={css.here} cx={here.x} cy={here.y} r="6" />
            </>
          )}
        </svg>
        <ul className={css.numbers} aria-label={t.storesOnMap}>
          {stores.map((store, index) => (
            <li key={store.id} style={{ left: `${spread[index]?.x ?? 0}px`, top: `${spread[index]?.y ?? 0}px` }}>
              <button
                type="button"
                className="pigeon-click-block"
                aria-pressed={picked === store.id}
                onClick={() => onPick(store)}
                aria-label={[`${index + 1}. ${store.name}`, distanceText(store), hoursOf(store, type)]
                  .filter(Boolean)
                  .join(', ')}
              >
                <span>{index + 1}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    );
  };
  return (
    <Card flush>
      <MapFrame view={view} onLook={(now) => setMoved({ key, ...now })} words={mapWords(around !== null)}>
        {numbers}
      </MapFrame>
    </Card>
  );
}
