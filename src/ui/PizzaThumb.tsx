import { sauceColour, toppingLook } from './toppingLooks.ts';
import css from './PizzaThumb.module.css';

// Stroke width, number of pieces on a pizza with this topping alone, and the strokes that a piece can be made of. A
// round cap alone is a disc.
const PIECES: Record<string, [width: number, count: number, strokes: string]> = {
  m: [13, 6, 'h0'],
  d: [13.5, 9, 'h0'],
  c: [7.5, 8, 'h2,v2,l1 1'],
  r: [10, 9, 'h0'],
  s: [3.6, 10, 'q5-5 11-1,q-4 5 1 11,q5 5 9-2'],
  o: [4.4, 20, 'h0'],
  g: [9, 9, 'h2,l1 2,l-2 1'],
  l: [1.2, 8, 'q4-9 13-5q-3 8-13 5,q9 3 6 13q-8-3-6-13,q-3 8-13 6q3-8 13-6'],
  h: [4.6, 7, 'q9 1 5 8,q-6 5-9-3,q3-7 8-1'],
};

/**
 * The same slot has the same places on every pizza, so that a page full of them compresses well; the pizza as a whole
 * is turned.
 */
function places(count: number, slot: number, strokes: string[]): string {
  let d = '';
  for (let i = 0; i < count; i++) {
    const angle = i * 2.4 + slot * 1.9;
    const radius = 32 * Math.sqrt((i + 0.55 - (slot % 3) * 0.12) / count);
    d += `M${Math.round(48 + Math.cos(angle) * radius)} ${Math.round(48 + Math.sin(angle) * radius)}${strokes[i % strokes.length]}`;
  }
  return d;
}

/** Decorative pizza of at most 22 nodes, dough and cheese in CSS. Topping ids beyond five do not show at this size. */
export function PizzaThumb({
  seed,
  sauce,
  toppings,
}: {
  seed: string;
  sauce?: string | undefined;
  toppings: readonly string[];
}) {
  const kinds = [...new Set(toppings)].slice(0, 5).map(toppingLook);
  const order = 'mdcgrshlo';
  kinds.sort((a, b) => order.indexOf(a.shape) - order.indexOf(b.shape));
  const share = kinds.length < 3 ? 1 : kinds.length < 5 ? 0.72 : 0.55;
  return (
    <svg className={css.pizza} viewBox="0 0 96 96" aria-hidden>
      <circle cx="48" cy="48" r="37" fill="none" stroke={sauceColour(sauce)} strokeWidth="2.2" strokeOpacity=".8" />
      <g transform={`rotate(${(seed.charCodeAt(seed.length - 1) * 37 + seed.length * 11) % 360} 48 48)`}>
        {kinds.map(({ shape, colour }, slot) => {
          const [width, count, strokes] = PIECES[shape]!;
          const d = places(Math.round(count * share), slot, strokes.split(','));
          return (
            <g
              key={colour + shape}
              fill={shape === 'l' ? colour : 'none'}
              strokeLinecap={shape === 'c' ? 'square' : 'round'}
            >
              {shape === 'm' || <path d={d} stroke="#4a1c06" strokeOpacity=".5" strokeWidth={width + 2} />}
              <path d={d} stroke={colour} strokeWidth={width} strokeOpacity={shape === 'm' ? 0.8 : 1} />
              {(shape === 'r' || shape === 'd') && (
                <path
                  d={d}
                  stroke={shape === 'r' ? '#f6cf74' : colour === '#fbf3d0' ? '#f2b132' : '#fff3'}
                  strokeWidth={width * 0.45}
                />
              )}
            </g>
          );
        })}
      </g>
    </svg>
  );
}
