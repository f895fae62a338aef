import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { IconButton } from '../../ui/IconButton.tsx';
import { ChevronIcon } from '../../ui/icons/ChevronIcon.tsx';
import { MinusIcon } from '../../ui/icons/MinusIcon.tsx';
import { PlusIcon } from '../../ui/icons/PlusIcon.tsx';
import css from './PinMap.module.css';
import { TownSketch } from './TownSketch.tsx';
import { METRES_PER_DEGREE, metres, type At } from './town.ts';

const WIDTH = 360;
const HEIGHT = 250;
/** Metres of one unit of the drawing, near to far. */
const SCALES_M = [0.8, 2, 5] as const;
const STEP_M = 20;
const FAR_STEP_M = 200;

const MOVES = [
  { label: 'north', key: 'ArrowUp', east: 0, south: -1, turn: -90 }, { label: 'south', key: 'ArrowDown', east: 0, south: 1, turn: 90 },
  { label: 'west', key: 'ArrowLeft', east: -1, south: 0, turn: 180 }, { label: 'east', key: 'ArrowRight', east: 1, south: 0, turn: 0 },
] as const;

/**
 * The pin stands still and the town moves below it: by dragging, by arrow keys (with Shift in big steps) and by buttons.
 * `text` says where the pin is; the drawing says nothing that the text does not.
 */
export function PinMap({ at, text, store, onMove }: {
  at: At; text: string; store?: (At & { readonly name: string }) | null; onMove: (to: At) => void;
}) {
  const [zoom, setZoom] = useState(1);
  const [drag, setDrag] = useState<{ x: number; y: number } | null>(null);
  const start = useRef<{ x: number; y: number; unit: number } | null>(null);
  const scaleM = SCALES_M[zoom] ?? 2;

  const moved = (eastM: number, southM: number): At => ({
    latitude: Math.max(-89.9, Math.min(89.9, Number((at.latitude - southM / METRES_PER_DEGREE).toPrecision(8)))),
    longitude: Math.max(-180, Math.min(180, Number((at.longitude + eastM / (METRES_PER_DEGREE * metres(at).narrow)).toPrecision(8)))),
  });
  const shown = drag ? moved(-drag.x * scaleM, -drag.y * scaleM) : at;
  const here = metres(shown);
  const shop = store ? metres(store) : null;
  const shopAt = shop ? { x: (shop.x - here.x) / scaleM + WIDTH / 2, y: (shop.y - here.y) / scaleM + HEIGHT / 2 } : null;

  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES.find((one) => one.key === event.key);
    if (!move) return;
    event.preventDefault();
    const step = event.shiftKey ? FAR_STEP_M : STEP_M;
    onMove(moved(move.east * step, move.south * step));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, y: event.clientY, unit: WIDTH / event.currentTarget.getBoundingClientRect().width };
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = start.current;
    if (from) setDrag({ x: (event.clientX - from.x) * from.unit, y: (event.clientY - from.y) * from.unit });
  };
  const onPointerUp = () => {
    if (start.current && drag && Math.hypot(drag.x, drag.y) > 3) onMove(shown);
    start.current = null;
    setDrag(null);
  };

  return (
    <figure className={css.map}>
      <div
        className={css.ground} tabIndex={0} role="group" data-drag={drag !== null}
        aria-label={`Map with your pin. ${text}. Arrow keys move the pin ${STEP_M} metres, with Shift ${FAR_STEP_M}.`}
        onKeyDown={onKeyDown} onPointerDown={onPointerDown} onPointerMove={onPointerMove} onPointerUp={onPointerUp} onPointerCancel={onPointerUp}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <TownSketch centre={shown} scaleM={scaleM} width={WIDTH} height={HEIGHT} />
          {shopAt && shopAt.x > -20 && shopAt.x < WIDTH + 20 && shopAt.y > -20 && shopAt.y < HEIGHT + 20 && (
            <g className={css.shop} transform={`translate(${shopAt.x} ${shopAt.y})`}>
              <circle r="13" />
              <path d="M-6-1v7H6v-7M-7.5-2l1.5-4.5h12l1.5 4.5c0 2.7-4 2.7-5 .5-1 2.2-4 2.2-5 0-1 2.2-5 2.2-5-.5z" />
            </g>
          )}
          <ellipse className={css.shadow} cx={WIDTH / 2} cy={HEIGHT / 2 + 1} rx="9" ry="4" />
          <g className={css.pin} transform={`translate(${WIDTH / 2} ${HEIGHT / 2})`}>
            <path d="M0 0C-5-9-16-17-16-30a16 16 0 0 1 32 0C16-17 5-9 0 0z" />
            <circle cy="-30" r="6.5" />
          </g>
        </svg>
      </div>
      <figcaption className={css.tools}>
        <span>Drag the map, or</span>
        {MOVES.map((move) => (
          <IconButton key={move.label} label={`Move the pin ${move.label}`} onClick={(event) => { const step = event.shiftKey ? FAR_STEP_M : STEP_M; onMove(moved(move.east * step, move.south * step)); }}>
            <span className={css.turn} style={{ rotate: `${move.turn}deg` }}><ChevronIcon size={20} /></span>
          </IconButton>
        ))}
        <span className={css.gap} />
        <IconButton label="Show more of the map" disabled={zoom === SCALES_M.length - 1} onClick={() => setZoom(Math.min(zoom + 1, SCALES_M.length - 1))}><MinusIcon size={20} /></IconButton>
        <IconButton label="Come closer" disabled={zoom === 0} onClick={() => setZoom(Math.max(zoom - 1, 0))}><PlusIcon size={20} /></IconButton>
      </figcaption>
    </figure>
  );
}
