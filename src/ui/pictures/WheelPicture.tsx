import type { CSSProperties } from 'react';
import css from './WheelPicture.module.css';

const FULL = 360;
const RADIUS = 96;
const TURNS = 5;

const at = (degrees: number) =>
  `${(100 + RADIUS * Math.sin((degrees * Math.PI) / 180)).toFixed(2)} ${(100 - RADIUS * Math.cos((degrees * Math.PI) / 180)).toFixed(2)}`;

/**
 * A wheel whose parts are as wide as their odds (`chances` in per cent), so that the picture is honest. It turns until
 * part `landed` is under the pointer.
 */
export function WheelPicture({ chances, landed }: { chances: readonly number[]; landed: number | null }) {
  let from = 0;
  const parts = chances.map((chance) => {
    const to = from + (chance / 100) * FULL;
    const part = {
      middle: (from + to) / 2,
      path: `M100 100L${at(from)}A${RADIUS} ${RADIUS} 0 ${to - from > FULL / 2 ? 1 : 0} 1 ${at(to)}Z`,
    };
    from = to;
    return part;
  });
  const turn = landed === null ? 0 : TURNS * FULL - (parts[landed]?.middle ?? 0);
  return (
    <svg viewBox="0 0 200 200" className={css.wheel} aria-hidden>
      <g className={css.disc} style={{ '--turn': `${turn}deg` } as CSSProperties}>
        {parts.map((part, index) => (
          <g key={part.path} data-tone={index % 4}>
            <path d={part.path} className={css.part} />
            <text x="100" y="18" transform={`rotate(${part.middle.toFixed(2)} 100 100)`} className={css.number}>
              {index + 1}
            </text>
          </g>
        ))}
      </g>
      <circle cx="100" cy="100" r="12" className={css.hub} />
      <path d="M92 0h16l-8 18z" className={css.pointer} />
    </svg>
  );
}

/** The colour and number of a part, for the list of odds beside the wheel. */
export function WheelDot({ index }: { index: number }) {
  return (
    <i className={css.dot} data-tone={index % 4} aria-hidden>
      {index + 1}
    </i>
  );
}
