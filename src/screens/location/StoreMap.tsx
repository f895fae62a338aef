import type { Store } from '../../contract/stores.ts';
import { distanceText } from './StoreList.tsx';
import { metres, METRES_PER_DEGREE, type At } from './town.ts';
import { TownSketch } from './TownSketch.tsx';
import css from './StoreMap.module.css';

const WIDTH = 360;
const HEIGHT = 230;
const PERCENT_OF_WIDTH = WIDTH / 1e2;
const PERCENT_OF_HEIGHT = HEIGHT / 1e2;
const MARGIN = 34;
/** Numbers closer than this could not be tapped one by one. */
const LEAST_APART = 46;
const CLOSEST_SCALE_M = 4;

/** Moves numbers apart until each can be tapped; a thread ties each to its true place. */
function apart(points: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  const spread = points.map((point) => ({ ...point }));
  for (let round = 0; round < 60; round += 1) {
    for (const [index, a] of spread.entries()) {
      for (const b of spread.slice(index + 1)) {
        const gap = Math.hypot(a.x - b.x, a.y - b.y);
        if (gap >= LEAST_APART) continue;
        const push = (LEAST_APART - gap) / 2 + 0.5;
        const angle = gap < 0.01 ? index * 2.4 : Math.atan2(b.y - a.y, b.x - a.x);
        a.x -= Math.cos(angle) * push; a.y -= Math.sin(angle) * push;
        b.x += Math.cos(angle) * push; b.y += Math.sin(angle) * push;
      }
    }
    for (const point of spread) {
      point.x = Math.min(WIDTH - 26, Math.max(26, point.x));
      point.y = Math.min(HEIGHT - 26, Math.max(26, point.y));
    }
  }
  return spread;
}

/** The stores of the list as numbers on a drawn map; a number picks what its line in the list would. */
export function StoreMap({ stores, around, picked, onPick }: {
  stores: readonly Store[]; around: (At & { readonly text: string }) | null; picked: string | null; onPick: (store: Store) => void;
}) {
  const all: At[] = around ? [...stores, around] : [...stores];
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const centre = { latitude: middle(all.map((at) => at.latitude)), longitude: middle(all.map((at) => at.longitude)) };
  const { narrow } = metres(centre);
  const flat = all.map((at) => ({ x: (at.longitude - centre.longitude) * narrow * METRES_PER_DEGREE, y: (centre.latitude - at.latitude) * METRES_PER_DEGREE }));
  const scaleM = Math.max(CLOSEST_SCALE_M, ...flat.map(({ x }) => Math.abs(x) / (WIDTH / 2 - MARGIN)), ...flat.map(({ y }) => Math.abs(y) / (HEIGHT / 2 - MARGIN)));
  const places = flat.map(({ x, y }) => ({ x: WIDTH / 2 + x / scaleM, y: HEIGHT / 2 + y / scaleM }));
  const here = around ? places.at(-1) : undefined;
  const numbers = apart(places.slice(0, stores.length));
  return (
    <figure className={css.map}>
      <div className={css.ground}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <TownSketch centre={centre} scaleM={scaleM} width={WIDTH} height={HEIGHT} />
          {numbers.map((number, index) => {
            const at = places[index] ?? number;
            return <g key={index}><path className={css.thread} d={`M${at.x} ${at.y}L${number.x} ${number.y}`} /><circle className={css.dot} cx={at.x} cy={at.y} r="3.5" /></g>;
          })}
          {here && <><circle className={css.ring} cx={here.x} cy={here.y} r="13" /><circle className={css.here} cx={here.x} cy={here.y} r="6" /></>}
        </svg>
        <ul className={css.numbers} aria-label="Stores on the map">
          {stores.map((store, index) => (
            <li key={store.id} style={{ left: `${(numbers[index]?.x ?? 0) / PERCENT_OF_WIDTH}%`, top: `${(numbers[index]?.y ?? 0) / PERCENT_OF_HEIGHT}%` }}>
              <button type="button" aria-pressed={picked === store.id} onClick={() => onPick(store)} aria-label={[`${index + 1}. ${store.name}`, distanceText(store), store.hoursText].filter(Boolean).join(', ')}>
                <span>{index + 1}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <figcaption>{around ? 'The blue dot is you. ' : ''}A sketch: distances are true, streets are not.</figcaption>
    </figure>
  );
}
