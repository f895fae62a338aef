import * as t from '#text/location.ts';
import type { ReactElement, ReactNode } from 'react';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { MinusIcon, PlusIcon } from '../../ui/pictures/icons.ts';
import { CLOSEST, FARTHEST, type MapView } from '../../ui/pictures/mapView.ts';
import type { ToPixel } from '../../ui/pictures/TileMap.tsx';
import { MapGround } from './MapGround.tsx';
import css from './MapFrame.module.css';

interface MapFrameProps {
  view: MapView;
  onLook: (view: MapView) => void;
  /** One sentence for screen readers, where the drawing has nothing to press. */
  label?: string;
  /** Below the map: what it shows, in words. */
  words: ReactNode;
  children: (toPixel: ToPixel) => ReactElement;
}

/** A map to look at, with its two zoom buttons and its words. */
export function MapFrame({ view, onLook, label, words, children }: MapFrameProps) {
  const look = (centre: MapView['centre'], zoom: number) =>
    onLook({ centre, zoom: Math.max(FARTHEST, Math.min(CLOSEST, zoom)) });
  return (
    <figure className={css.map}>
      <div className={css.ground}>
        <div className={css.picture} role={label === undefined ? undefined : 'img'} aria-label={label}>
          <MapGround centre={view.centre} zoom={view.zoom} onMoved={look}>
            {children}
          </MapGround>
        </div>
        <div className={css.zoom}>
          <IconButton
            label={t.mapCloser}
            disabled={view.zoom >= CLOSEST}
            onClick={() => look(view.centre, view.zoom + 1)}
          >
            <PlusIcon size={20} />
          </IconButton>
          <IconButton
            label={t.mapFarther}
            disabled={view.zoom <= FARTHEST}
            onClick={() => look(view.centre, view.zoom - 1)}
          >
            <MinusIcon size={20} />
          </IconButton>
        </div>
      </div>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
