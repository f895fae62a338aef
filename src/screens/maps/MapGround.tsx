import * as t from '#text/location.ts';
import { useAtomValue } from 'jotai';
import type { ReactElement } from 'react';
import { appConfigAtom } from '../../state/first/config.ts';
import { mapPartState } from '../../state/places/map.ts';
import { originAtom } from '../../state/first/seams.ts';
import type { MapPoint, ToPixel } from '../../ui/pictures/TileMap.tsx';
import css from './MapGround.module.css';

/** The map, or a plain background until its script is loaded or when it cannot be. */
export function MapGround({
  centre,
  zoom,
  onMoved,
  children,
}: {
  centre: MapPoint;
  zoom: number;
  onMoved: (centre: MapPoint, zoom: number) => void;
  children?: (toPixel: ToPixel) => ReactElement;
}) {
  const { data: TileMap, status } = useAtomValue(mapPartState.atom);
  const origin = useAtomValue(originAtom);
  const credit = useAtomValue(appConfigAtom)?.mapCredit;
  return (
    <div className={css.ground} data-ready={TileMap !== null}>
      {TileMap && (
        <TileMap centre={centre} zoom={zoom} tiles={origin} onMoved={onMoved}>
          {children}
        </TileMap>
      )}
      {!TileMap && status === 'failed' && <p>{t.mapMissing}</p>}
      {credit && <small>{credit}</small>}
    </div>
  );
}
