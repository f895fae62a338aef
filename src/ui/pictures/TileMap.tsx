import { Map as PigeonMap, type PigeonProps } from 'pigeon-maps';
import type { ReactElement } from 'react';
import css from './TileMap.module.css';

export interface MapPoint {
  readonly latitude: number;
  readonly longitude: number;
}
/** Where a point stands inside the map now, in pixels. */
export type ToPixel = (point: MapPoint) => { x: number; y: number };

const FARTHEST_ZOOM = 4;
const CLOSEST_ZOOM = 17;

function Layer({ latLngToPixel, draw }: PigeonProps & { draw: (toPixel: ToPixel) => ReactElement }) {
  if (!latLngToPixel) return null;
  return draw(({ latitude, longitude }) => {
    const [x, y] = latLngToPixel([latitude, longitude]);
    return { x, y };
  });
}

/**
 * A map of tiles, in a chunk of its own. It fills its parent. `onMoved` says where a drag, a pinch or a wheel ended;
 * what is drawn on top gets a function from points to pixels. No screen depends on it: each says the same in words and
 * buttons.
 */
export default function TileMap({
  centre,
  zoom,
  tiles,
  onMoved,
  children,
}: {
  centre: MapPoint;
  zoom: number;
  /** What stands before '/tiles/': '' for the page's own server. */
  tiles: string;
  onMoved: (centre: MapPoint, zoom: number) => void;
  children?: ((toPixel: ToPixel) => ReactElement) | undefined;
}) {
  return (
    <div className={css.map}>
      <PigeonMap
        center={[centre.latitude, centre.longitude]}
        zoom={zoom}
        minZoom={FARTHEST_ZOOM}
        maxZoom={CLOSEST_ZOOM}
        animate={false}
        attribution={false}
        metaWheelZoom
        // Read out on phones, too, whether it is seen or not.
        metaWheelZoomWarning=""
        provider={(x, y, z) => `${tiles}/tiles/${z}/${x}/${y}`}
        onBoundsChanged={({ center: [latitude, longitude], zoom: to, initial }) => {
          if (!initial) onMoved({ latitude, longitude }, to);
        }}
      >
        {children && <Layer draw={children} />}
      </PigeonMap>
    </div>
  );
}
