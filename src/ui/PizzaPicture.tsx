import * as t from '#text/customise.ts';
import { useId } from 'react';
import { sauceColour } from './toppingLooks.ts';
import css from './PizzaPicture.module.css';
import { BITS, PieceShape, rank } from './pizzaPieces.tsx';

export interface PizzaTopping {
  name: string;
  shape: string;
  colour: string;
  /** Rim of a piece; a darker tone of `colour` without it. */
  edge?: string | undefined;
  countPerSlice: number;
  sizeMm: number;
  half: 'WHOLE' | 'LEFT' | 'RIGHT';
  amount: 'light' | 'normal' | 'extra';
}

export interface Pizza {
  /** R, M or L; anything else is drawn as M. */
  size: string;
  sizeName?: string;
  crust: string;
  crustName?: string;
  sauce: string;
  sauceName?: string;
  sauceColour?: string;
  cheese: 'none' | 'light' | 'normal' | 'extra';
  toppings: readonly PizzaTopping[];
  slices: number;
}

/** Picture units per millimetre: small pizzas carry pieces that look bigger. */
const UNITS_PER_MM: Record<string, number> = { R: 1, M: 0.86, L: 0.74 };
const PIECE_BUDGET = 125;
const AMOUNTS = { light: 0.6, normal: 1, extra: 1.5 };
// Where the rim begins, tones of the dough from light to dark, and how uneven the edge is.
const CRUSTS: Record<string, [rim: number, light: string, mid: string, dark: string, wobble: number]> = {
  'hand-tossed': [77, '#f6d59a', '#df9d4b', '#a8632a', 1.3],
  pan: [75, '#efbf74', '#cf8632', '#8f4d17', 0.5],
  'thin-crisp': [84, '#f5d7a0', '#d9974a', '#9a541d', 1.7],
  multigrain: [83, '#dcb078', '#ad7338', '#744319', 1.5],
  'cheese-filled': [74, '#fae0a6', '#e6a851', '#b06d2c', 0.6],
  'sausage-edge': [73, '#f3cd8d', '#d99445', '#a25f27', 0.8],
};

const words = (id: string) => id.replaceAll('-', ' ');

/** The pizza in one sentence for people who do not see the picture, from the same data. */
export function describePizza({
  size,
  sizeName,
  crust,
  crustName,
  sauce,
  sauceName,
  cheese,
  toppings,
  slices,
}: Pizza): string {
  const on = (half: PizzaTopping['half']) => {
    const names = toppings.filter((one) => one.half === half).map(({ name, amount }) => t.toppingOn({ amount, name }));
    return names.length > 0 ? [t.drawnOnHalf({ half, toppings: names.join(', ') })] : [];
  };
  const all = [...on('WHOLE'), ...on('LEFT'), ...on('RIGHT')];
  const dough = t.drawn({
    size: sizeName ?? size,
    slices,
    crust: crustName ?? words(crust),
    sauce: sauceName ?? words(sauce),
    cheese,
  });
  return all.length > 0 ? t.drawnWith({ dough, toppings: all.join('; ') }) : t.drawnPlain({ dough });
}

/** Repeatable numbers in [0, 1): the same pizza looks the same on server, client and next visit. */
function numbers(seed: string): () => number {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** A closed, softly uneven circle. */
function disc(radius: number, wobble: number, next: () => number): string {
  const count = 30;
  const points = Array.from({ length: count }, (_, i) => {
    const r = radius + (next() - 0.5) * 2 * wobble;
    return [100 + Math.cos((i / count) * 2 * Math.PI) * r, 100 + Math.sin((i / count) * 2 * Math.PI) * r] as const;
  });
  const middle = (i: number) => {
    const [a, b] = [points[i % count]!, points[(i + 1) % count]!];
    return `${round((a[0] + b[0]) / 2)} ${round((a[1] + b[1]) / 2)}`;
  };
  return `M${middle(0)}${points.map((_, i) => `Q${round(points[(i + 1) % count]![0])} ${round(points[(i + 1) % count]![1])} ${middle(i + 1)}`).join('')}z`;
}

type Place = [x: number, y: number];

/** Golden-angle scatter over the whole disc: even, never in rows. */
function scatter(count: number, reach: number, next: () => number): Place[] {
  const start = next() * 2 * Math.PI;
  return Array.from({ length: count }, (_, i) => {
    const angle = i * 2.39996 + start;
    const r = reach * Math.sqrt((i + 0.5) / count) + (next() - 0.5) * 3;
    return [round(100 + Math.cos(angle) * r), round(100 + Math.sin(angle) * r)];
  });
}

/**
 * Of a few random places each piece takes the one farthest from all others, so that kinds mix without hiding each
 * other. Adds what it places to `taken`.
 */
function spread(count: number, reach: number, half: PizzaTopping['half'], next: () => number, taken: Place[]): Place[] {
  const mine: Place[] = [];
  for (let i = 0; i < count; i++) {
    let best: Place = [100, 100];
    let room = -1;
    for (let attempt = 0; attempt < 8; attempt++) {
      const r = reach * Math.sqrt(next());
      const angle = next() * 2 * Math.PI;
      const x = Math.cos(angle) * r;
      const side = half === 'WHOLE' ? x : Math.max(3, Math.abs(x)) * (half === 'LEFT' ? -1 : 1);
      const place: Place = [round(100 + side), round(100 + Math.sin(angle) * r)];
      const free = (others: Place[], weight: number) =>
        others.reduce(
          (least, [a, b]) => Math.min(least, weight * ((a - place[0]) ** 2 + (b - place[1]) ** 2)),
          Infinity,
        );
      const found = Math.min(free(taken, 1), free(mine, 0.4));
      if (found > room) [best, room] = [place, found];
    }
    mine.push(best);
  }
  taken.push(...mine);
  return mine;
}

const dots = (points: Place[], tail = 'h0') => points.map(([x, y]) => `M${x} ${y}${tail}`).join('');

/** A ring of spots on the rim. */
function spots(count: number, from: number, to: number, next: () => number): string {
  return dots(
    Array.from({ length: count }, () => {
      const angle = next() * 2 * Math.PI;
      const r = from + next() * (to - from);
      return [round(100 + Math.cos(angle) * r), round(100 + Math.sin(angle) * r)];
    }),
    'l1 .7',
  );
}

function darker(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16);
  return (
    '#' +
    [16, 8, 0]
      .map((bits) =>
        Math.round(((value >> bits) & 255) * 0.62)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  );
}

/** One path of strokes. */
function stroke(d: string, colour: string, width: number, opacity = 1, transform?: string, fill?: string) {
  return (
    <path d={d} fill={fill} stroke={colour} strokeOpacity={opacity} strokeWidth={round(width)} transform={transform} />
  );
}

function gradient(
  id: string,
  stops: readonly (readonly [at: number, colour: string, opacity?: number])[],
  place?: { cx: number; cy: number; r: number },
) {
  return (
    <radialGradient id={id} {...place}>
      {stops.map(([at, colour, opacity], i) => (
        <stop key={i} offset={at} stopColor={colour} stopOpacity={opacity} />
      ))}
    </radialGradient>
  );
}

/** The pizza as it is being built: same data, same picture. Fewer than 250 nodes. */
export function PizzaPicture(pizza: Pizza) {
  const id = useId();
  const { size, crust, cheese, slices } = pizza;
  const [rim, light, mid, dark, wobble] = CRUSTS[crust] ?? CRUSTS['hand-tossed']!;
  const sauce = pizza.sauceColour ?? sauceColour(pizza.sauce);
  const next = numbers(crust);
  const cheesy = numbers('cheese');
  const unit = UNITS_PER_MM[size] ?? 0.86;
  const reach = rim - 4;
  const toppings = [...pizza.toppings].sort((a, b) => rank(a.shape) - rank(b.shape));
  // Placed in the order of choosing, so a new topping finds room among the old ones. Melted cheese and crumbs lie over
  // and under everything.
  const taken: Place[] = [];
  const lie = new Map(
    pizza.toppings.map((one) => {
      const from = numbers(one.name + one.half);
      const count = Math.max(
        1,
        Math.round(slices * one.countPerSlice * AMOUNTS[one.amount] * (one.half === 'WHOLE' ? 1 : 0.5)),
      );
      return [
        one,
        {
          places: spread(
            count,
            reach - one.sizeMm * unit * 0.42,
            one.half,
            from,
            one.shape in BITS || one.shape === 'melt' ? [] : taken,
          ),
          next: from,
        },
      ];
    }),
  );
  const used = toppings.reduce((sum, one) => sum + (one.shape in BITS ? 4 : lie.get(one)!.places.length), 0);
  const thin = Math.min(1, PIECE_BUDGET / used);
  const cuts = Array.from({ length: slices }, (_, i) => {
    const angle = (i / slices) * 2 * Math.PI + Math.PI / 2;
    return `M100 100L${round(100 + Math.cos(angle) * 90)} ${round(100 + Math.sin(angle) * 90)}`;
  }).join('');
  const paint = (name: string) => `url(#${id}${name})`;
  return (
    <svg className={css.pizza} viewBox="0 0 200 200" role="img" aria-label={describePizza(pizza)} data-size={size}>
      <defs>
        {gradient(id + 'c', [
          [0.7, dark],
          [rim / 100 + 0.02, mid],
          [(rim + 100) / 200, light],
          [0.93, mid],
          [1, dark],
        ])}
        {gradient(
          id + 'k',
          [
            [0, '#fff0b5'],
            [0.55, '#fad67c'],
            [0.88, '#efb24c'],
            [1, '#d98d31'],
          ],
          { cx: 0.45, cy: 0.4, r: 0.62 },
        )}
        {gradient(
          id + 'g',
          [
            [0, '#fff', 0.38],
            [0.45, '#fff', 0],
            [1, '#3d1400', 0.24],
          ],
          { cx: 0.3, cy: 0.22, r: 0.8 },
        )}
        {gradient(id + 's', [
          [0.8, '#2a1000', 0.5],
          [1, '#2a1000', 0],
        ])}
        {[...new Set(toppings.map((one) => one.shape))].map(
          (shape) =>
            shape in BITS || (
              <g key={shape} id={id + shape}>
                <PieceShape shape={shape} />
              </g>
            ),
        )}
      </defs>
      <g className={css.round} fill="none" strokeLinecap="round">
        <ellipse cx="100" cy="107" rx="96" ry="94" fill={paint('s')} />
        {stroke(disc(92, wobble, next), dark, 1, 1, undefined, paint('c'))}
        {crust === 'cheese-filled' && (
          <>
            <circle cx="100" cy="100" r="83.5" stroke={mid} strokeWidth="17" strokeDasharray="0 13.11" />
            <circle
              cx="100"
              cy="99"
              r="83.5"
              stroke={light}
              strokeOpacity=".6"
              strokeWidth="9"
              strokeDasharray="0 13.11"
            />
          </>
        )}
        {crust === 'sausage-edge' && (
          <g strokeDasharray="13 4.3" strokeLinecap="butt">
            <circle cx="100" cy="100" r="83" stroke="#7d3120" strokeWidth="13.5" />
            <circle cx="100" cy="100" r="83" stroke="#c8684d" strokeWidth="10" />
            <circle cx="100" cy="99" r="85" stroke="#e9977b" strokeWidth="2" />
          </g>
        )}
        {crust === 'multigrain' && stroke(spots(70, rim + 1, 88, next), '#fbe5b8', 1.8)}
        {stroke(spots(10, rim + 4, 88, next), '#fff3d2', 5, 0.3)}
        {stroke(spots(16, rim + 3, 90, next), '#7a3a0c', 6.5, 0.16)}
        {stroke(spots(16, rim + 3, 90, next), '#5f2a08', 2.6, 0.32)}
        {stroke(disc(rim + 2, 1.4, next), '#3d1400', 1.5, 0.35, undefined, sauce)}
        {stroke(dots(scatter(30, reach - 5, next), 'l6 3'), '#fff', 9, 0.09)}
        {stroke(dots(scatter(40, reach - 3, next), 'l2-3'), '#3d0a00', 5, 0.16)}
        {cheese === 'normal' || cheese === 'extra'
          ? stroke(disc(rim - (cheese === 'extra' ? 0 : 1.5), 2.8, cheesy), '#b3641a', 1.2, 0.45, undefined, paint('k'))
          : cheese === 'light' && (
              <>
                {stroke(dots(scatter(34, rim - 9, cheesy), 'l3 2'), '#e8a748', 15)}
                {stroke(dots(scatter(34, rim - 9, numbers('cheese')), 'l3 2'), '#fadb8a', 12.5)}
              </>
            )}
        {cheese !== 'none' && (
          <>
            {stroke(dots(scatter(cheese === 'extra' ? 26 : 15, reach - 8, cheesy), 'l5 3'), '#fff6d0', 13, 0.5)}
            {stroke(dots(scatter(16, reach - 4, cheesy), 'l3-2'), '#fffbe8', 5, 0.5)}
            {stroke(dots(scatter(12, reach - 2, cheesy)), sauce, 6, 0.3)}
            {stroke(dots(scatter(17, reach - 2, cheesy)), '#c46a1c', 8, 0.3)}
            {stroke(dots(scatter(17, reach - 2, cheesy), 'l1 1'), '#8a4310', 2.6, 0.45)}
          </>
        )}
        {stroke(dots(scatter(26, reach, cheesy), 'l1 1.4'), '#46691f', 1, 0.75)}
        {stroke(cuts, '#6b3209', 1.6, 0.28)}
        {stroke(cuts, '#fff', 0.7, 0.22, 'translate(.9 .9)')}
        {toppings.map((one, layer) => {
          const { places, next: scatterer } = lie.get(one)!;
          const edge = one.edge ?? darker(one.colour);
          const bit = BITS[one.shape];
          if (bit) {
            const [share, tail, shine] = bit;
            const width = one.sizeMm * unit * share;
            const wild = () => round((scatterer() - 0.5) * width * tail);
            const d = places.map(([x, y]) => `M${x} ${y}l${wild()} ${wild()}`).join('');
            return (
              <g key={layer}>
                {stroke(d, '#2a0d00', width + 1, 0.35, 'translate(.4 1.1)')}
                {stroke(d, edge, width)}
                {stroke(d, one.colour, width * 0.78, 1, 'translate(-.2 -.4)')}
                {!!shine &&
                  stroke(d, '#fff', width * 0.25, 0.5, `translate(-${round(width * 0.2)} -${round(width * 0.24)})`)}
              </g>
            );
          }
          const scale = (one.sizeMm * unit) / 20;
          return (
            <g
              key={layer}
              style={
                {
                  '--c': one.colour,
                  '--e': edge,
                  '--y': /^#f[b-f]f/i.test(one.colour) ? '#f4b22e' : undefined,
                } as React.CSSProperties
              }
            >
              {places.map(([x, y], at) => {
                const transform = `translate(${x} ${y})rotate(${Math.round(scatterer() * 360)})scale(${round(scale * (9 + scatterer() * 2.5)) / 10})`;
                // A crowded pizza loses a piece here and there; the pieces that stay do not move.
                return (
                  Math.floor((at + 1) * thin) > Math.floor(at * thin) && (
                    <use key={at} href={`#${id}${one.shape}`} transform={transform} />
                  )
                );
              })}
            </g>
          );
        })}
        <circle cx="100" cy="100" r="92" fill={paint('g')} />
      </g>
    </svg>
  );
}
