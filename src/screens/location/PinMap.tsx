import * as t from '#text/location.ts';
import { useState, type KeyboardEvent } from 'react';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { ChevronIcon, MinusIcon, PlusIcon } from '../../ui/pictures/icons.ts';
import { MapGround } from '../maps/MapGround.tsx';
import css from './PinMap.module.css';

interface At {
  readonly latitude: number;
  readonly longitude: number;
}

const METRES_PER_DEGREE = 111_320;
const FARTHEST = 11;
const CLOSEST = 17;
/** Zoom at the start: close enough to read the names around. */
const FIRST = 13;
const STEP_M = 20;
const FAR_STEP_M = 200;

const MOVES = [
  { way: 'NORTH', key: 'ArrowUp', east: 0, north: 1, turn: -90 },
  { way: 'SOUTH', key: 'ArrowDown', east: 0, north: -1, turn: 90 },
  { way: 'WEST', key: 'ArrowLeft', east: -1, north: 0, turn: 180 },
  { way: 'EAST', key: 'ArrowRight', east: 1, north: 0, turn: 0 },
] as const;

const degrees = (value: number, most: number) => Math.max(-most, Math.min(most, Math.round(value * 1e6) / 1e6));

/** The point this many metres east and north of `from`. */
function moved(from: At, eastM: number, northM: number): At {
  const narrow = Math.max(Math.cos((from.latitude * Math.PI) / 180), 0.01);
  return {
    latitude: degrees(from.latitude + northM / METRES_PER_DEGREE, 85),
    longitude: degrees(from.longitude + eastM / (METRES_PER_DEGREE * narrow), 180),
  };
}

/**
 * The pin stays in the middle and the map moves below it: by dragging, by arrow keys (farther with Shift) and by
 * buttons. Plus and minus zoom. `text` says where the pin is; the map shows nothing that the text does not say.
 */
export function PinMap({ at, text, onMove }: { at: At; text: string; onMove: (to: At) => void }) {
  const [zoom, setZoom] = useState(FIRST);
  const closer = (by: number) => setZoom((before) => Math.max(FARTHEST, Math.min(CLOSEST, before + by)));
  const step = (move: (typeof MOVES)[number], isFar: boolean) => {
    const length = isFar ? FAR_STEP_M : STEP_M;
    onMove(moved(at, move.east * length, move.north * length));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES.find((one) => one.key === event.key);
    const by = { '+': 1, '=': 1, '-': -1 }[event.key];
    if (!move && by === undefined) return;
    event.preventDefault();
    if (move) step(move, event.shiftKey);
    else closer(by ?? 0);
  };
  return (
    <figure className={css.map}>
      <div
        className={css.ground}
        tabIndex={0}
        role="group"
        onKeyDown={onKeyDown}
        aria-label={t.pinMap({ place: text, step: STEP_M, farStep: FAR_STEP_M })}
      >
        <MapGround
          centre={at}
          zoom={zoom}
          onMoved={(to, nextZoom) => {
            setZoom(Math.max(FARTHEST, Math.min(CLOSEST, nextZoom)));
            const next = { latitude: degrees(to.latitude, 85), longitude: degrees(to.longitude, 180) };
            if (next.latitude !== degrees(at.latitude, 85) || next.longitude !== degrees(at.longitude, 180))
              onMove(next);
          }}
        />
        <svg className={css.pin} viewBox="-20 -48 40 54" aria-hidden>
          <ellipse cx="0" cy="1" rx="9" ry="4" />
          <path d="M0 0C-5-9-16-17-16-30a16 16 0 0 1 32 0C16-17 5-9 0 0z" />
          <circle cy="-30" r="6.5" />
        </svg>
      </div>
      <figcaption className={css.tools}>
        <span>{t.pinDrag}</span>
        {MOVES.map((move) => (
          <IconButton
            key={move.way}
            label={t.pinMove({ way: move.way })}
            onClick={(event) => step(move, event.shiftKey)}
          >
            <span className={css.turn} style={{ transform: `rotate(${move.turn}deg)` }}>
              <ChevronIcon size={20} />
            </span>
          </IconButton>
        ))}
        <span className={css.gap} />
        <IconButton label={t.mapFarther} disabled={zoom <= FARTHEST} onClick={() => closer(-1)}>
          <MinusIcon size={20} />
        </IconButton>
        <IconButton label={t.mapCloser} disabled={zoom >= CLOSEST} onClick={() => closer(1)}>
          <PlusIcon size={20} />
        </IconButton>
      </figcaption>
    </figure>
  );
}
