import { useId } from 'react';
import { sauceColour } from './toppingLooks.ts';
import css from './PizzaPicture.module.css';
import { BITS, PieceShape, RANK } from './pizzaPieces.tsx';

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

const SIZE_NAMES: Record<string, string> = { R: 'Regular', M: 'Medium', L: 'Large' };
/** Picture units per millimetre: small pizzas carry pieces that look bigger. */
const UNITS_PER_MM: Record<string, number> = { R: 1, M: 0.86, L: 0.74 };
const PIECE_BUDGET = 125;
const AMOUNTS = { light: 0.6, normal: 1, extra: 1.5 };
// Where the rim begins, tones of the dough from light to dark, unevenness.
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
export function describePizza({ size, sizeName, crust, crustName, sauce, sauceName, cheese, toppings, slices }: Pizza): string {
  const list = (half: PizzaTopping['half']) =>
    toppings.filter((one) => one.half === half).map(({ name, amount }) => (amount === 'normal' ? name : `${amount} ${name}`)).join(', ');
  const parts = [['', list('WHOLE')], ['left half: ', list('LEFT')], ['right half: ', list('RIGHT')]].filter(([, names]) => names).map((part) => part.join(''));
  return `${sizeName ?? SIZE_NAMES[size] ?? size} pizza in ${slices} slices, ${crustName ?? words(crust)} crust, ${sauceName ?? words(sauce)} sauce, ${cheese === 'none' ? 'no' : cheese} cheese${parts.length ? '; ' + parts.join('; ') : ', no toppings'}.`;
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

/** Golden-angle scatter: even, never in rows. A half takes every angle into its own side. */
function scatter(count: number, reach: number, half: PizzaTopping['half'], next: () => number, turn = next() * 5): [number, number][] {
  const start = turn * 1.4;
  const phase = 0.3 + ((turn * 0.37) % 0.6);
  return Array.from({ length: count }, (_, i) => {
    let angle = (i * 2.39996 + start) % (2 * Math.PI);
    if (half !== 'WHOLE') angle = angle / 2 + (half === 'LEFT' ? Math.PI / 2 : -Math.PI / 2);
    const r = reach * Math.sqrt((i + phase) / count) + (next() - 0.5) * 3;
    const shift = half === 'WHOLE' ? 0 : half === 'LEFT' ? -4 : 4;
    return [round(100 + Math.cos(angle) * r + shift), round(100 + Math.sin(angle) * r)];
  });
}

const dots = (points: [number, number][], tail = 'h0') => points.map(([x, y]) => `M${x} ${y}${tail}`).join('');

/** A ring of spots on the rim. */
function spots(count: number, from: number, to: number, next: () => number): string {
  return dots(Array.from({ length: count }, () => {
    const angle = next() * 2 * Math.PI;
    const r = from + next() * (to - from);
    return [round(100 + Math.cos(angle) * r), round(100 + Math.sin(angle) * r)];
  }), 'l2.4 1.2');
}

function darker(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16);
  return '#' + [16, 8, 0].map((bits) => Math.round(((value >> bits) & 255) * 0.62).toString(16).padStart(2, '0')).join('');
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
  const toppings = [...pizza.toppings].sort((a, b) => (RANK[a.shape] ?? 5) - (RANK[b.shape] ?? 5));
  const wanted = toppings.map((one) => slices * one.countPerSlice * AMOUNTS[one.amount] * (one.half === 'WHOLE' ? 1 : 0.5));
  const used = wanted.reduce((sum, count, i) => sum + (toppings[i]!.shape in BITS ? 4 : count), 0);
  const thin = Math.min(1, PIECE_BUDGET / Math.max(used, 1));
  const cuts = Array.from({ length: slices }, (_, i) => {
    const angle = (i / slices) * 2 * Math.PI + Math.PI / 2;
    return `M100 100L${round(100 + Math.cos(angle) * 90)} ${round(100 + Math.sin(angle) * 90)}`;
  }).join('');
  const paint = (name: string) => `url(#${id}${name})`;
  return (
    <svg className={css.pizza} viewBox="0 0 200 200" role="img" aria-label={describePizza(pizza)} data-size={size}>
      <defs>
        <radialGradient id={id + 'c'}>
          <stop offset=".7" stopColor={dark} />
          <stop offset={rim / 100 + 0.02} stopColor={mid} />
          <stop offset={(rim + 100) / 200} stopColor={light} />
          <stop offset=".93" stopColor={mid} />
          <stop offset="1" stopColor={dark} />
        </radialGradient>
        <radialGradient id={id + 'k'} cx=".45" cy=".4" r=".62">
          <stop offset="0" stopColor="#fff0b5" />
          <stop offset=".55" stopColor="#fad67c" />
          <stop offset=".88" stopColor="#efb24c" />
          <stop offset="1" stopColor="#d98d31" />
        </radialGradient>
        <radialGradient id={id + 'g'} cx=".3" cy=".22" r=".8">
          <stop offset="0" stopColor="#fff" stopOpacity=".38" />
          <stop offset=".45" stopColor="#fff" stopOpacity="0" />
          <stop offset="1" stopColor="#3d1400" stopOpacity=".24" />
        </radialGradient>
        <radialGradient id={id + 's'}>
          <stop offset=".8" stopColor="#2a1000" stopOpacity=".5" />
          <stop offset="1" stopColor="#2a1000" stopOpacity="0" />
        </radialGradient>
        {[...new Set(toppings.map((one) => one.shape))].map((shape) => shape in BITS || (
          <g key={shape} id={id + shape}>
            <PieceShape shape={shape} />
          </g>
        ))}
      </defs>
      <g className={css.round} fill="none" strokeLinecap="round">
        <ellipse cx="100" cy="107" rx="96" ry="94" fill={paint('s')} />
        <path d={disc(92, wobble, next)} fill={paint('c')} stroke={dark} strokeWidth="1" />
        {crust === 'cheese-filled' && (
          <>
            <circle cx="100" cy="100" r="83.5" stroke={mid} strokeWidth="17" strokeDasharray="0 13.11" />
            <circle cx="100" cy="99" r="83.5" stroke={light} strokeOpacity=".6" strokeWidth="9" strokeDasharray="0 13.11" />
          </>
        )}
        {crust === 'sausage-edge' && (
          <g strokeDasharray="13 4.3" strokeLinecap="butt">
            <circle cx="100" cy="100" r="83" stroke="#7d3120" strokeWidth="13.5" />
            <circle cx="100" cy="100" r="83" stroke="#c8684d" strokeWidth="10" />
            <circle cx="100" cy="99" r="85" stroke="#e9977b" strokeWidth="2" />
          </g>
        )}
        {crust === 'multigrain' && <path d={spots(70, rim, 91, next)} stroke="#fbe5b8" strokeWidth="1.8" />}
        <path d={spots(10, rim + 4, 88, next)} stroke="#fff3d2" strokeOpacity=".3" strokeWidth="5" />
        <path d={spots(16, rim + 3, 90, next)} stroke="#7a3a0c" strokeOpacity=".16" strokeWidth="6.5" />
        <path d={spots(16, rim + 3, 90, next)} stroke="#5f2a08" strokeOpacity=".32" strokeWidth="2.6" />
        <path d={disc(rim + 2, 1.4, next)} fill={sauce} stroke="#3d1400" strokeOpacity=".35" strokeWidth="1.5" />
        <path d={dots(scatter(30, reach - 5, 'WHOLE', next), 'l6 3')} stroke="#fff" strokeOpacity=".09" strokeWidth="9" />
        <path d={dots(scatter(40, reach - 3, 'WHOLE', next), 'l2-3')} stroke="#3d0a00" strokeOpacity=".16" strokeWidth="5" />
        {cheese === 'normal' || cheese === 'extra' ? (
          <path d={disc(rim - (cheese === 'extra' ? 0 : 1.5), 2.8, cheesy)} fill={paint('k')} stroke="#b3641a" strokeOpacity=".45" strokeWidth="1.2" />
        ) : (
          cheese === 'light' && (
            <>
              <path d={dots(scatter(34, rim - 9, 'WHOLE', cheesy), 'l3 2')} stroke="#e8a748" strokeWidth="15" />
              <path d={dots(scatter(34, rim - 9, 'WHOLE', numbers('cheese')), 'l3 2')} stroke="#fadb8a" strokeWidth="12.5" />
            </>
          )
        )}
        {cheese !== 'none' && (
          <>
            <path d={dots(scatter(cheese === 'extra' ? 26 : 15, reach - 8, 'WHOLE', cheesy), 'l5 3')} stroke="#fff6d0" strokeOpacity=".5" strokeWidth="13" />
            <path d={dots(scatter(16, reach - 4, 'WHOLE', cheesy), 'l3-2')} stroke="#fffbe8" strokeOpacity=".5" strokeWidth="5" />
            <path d={dots(scatter(12, reach - 2, 'WHOLE', cheesy))} stroke={sauce} strokeOpacity=".3" strokeWidth="6" />
            <path d={dots(scatter(17, reach - 2, 'WHOLE', cheesy))} stroke="#c46a1c" strokeOpacity=".3" strokeWidth="8" />
            <path d={dots(scatter(17, reach - 2, 'WHOLE', cheesy), 'l1 1')} stroke="#8a4310" strokeOpacity=".45" strokeWidth="2.6" />
          </>
        )}
        <path d={dots(scatter(26, reach, 'WHOLE', cheesy), 'l1 1.4')} stroke="#46691f" strokeOpacity=".75" strokeWidth="1" />
        <path d={cuts} stroke="#6b3209" strokeOpacity=".28" strokeWidth="1.6" />
        <path d={cuts} stroke="#fff" strokeOpacity=".22" strokeWidth=".7" transform="translate(.9 .9)" />
        {toppings.map((one, i) => {
          const scatterer = numbers(one.name + one.half);
          const count = Math.max(1, Math.round(wanted[i]!));
          const places = scatter(count, reach - one.sizeMm * unit * 0.42, one.half, scatterer, pizza.toppings.indexOf(one));
          const edge = one.edge ?? darker(one.colour);
          const bit = BITS[one.shape];
          if (bit) {
            const width = one.sizeMm * unit * bit.width;
            const d = places.map(([x, y]) => `M${x} ${y}${bit.stroke((scatterer() - 0.5) * width, (scatterer() - 0.5) * width)}`).join('');
            return (
              <g key={one.name + one.half}>
                <path d={d} stroke="#2a0d00" strokeOpacity=".35" strokeWidth={round(width + 1)} transform="translate(.4 1.1)" />
                <path d={d} stroke={edge} strokeWidth={round(width)} />
                <path d={d} stroke={one.colour} strokeWidth={round(width * 0.78)} transform="translate(-.2 -.4)" />
                {bit.shine && <path d={d} stroke="#fff" strokeOpacity=".5" strokeWidth={round(width * 0.25)} transform={`translate(-${round(width * 0.2)} -${round(width * 0.24)})`} />}
              </g>
            );
          }
          const scale = (one.sizeMm * unit) / 20;
          return (
            <g key={one.name + one.half} style={{ '--c': one.colour, '--e': edge, '--yolk': one.shape === 'disc' && Number.parseInt(one.colour.slice(1), 16) > 0xf00000 && Number.parseInt(one.colour.slice(3), 16) > 0xd000 ? 1 : 0 } as React.CSSProperties}>
              {places.map(([x, y], at) => {
                const transform = `translate(${x} ${y})rotate(${Math.round(scatterer() * 360)})scale(${round(scale * (9 + scatterer() * 2.5)) / 10})`;
                // A crowded pizza loses pieces here and there; those that stay do not move.
                return Math.floor((at + 1) * thin) > Math.floor(at * thin) && <use key={at} href={`#${id}${one.shape}`} transform={transform} />;
              })}
            </g>
          );
        })}
        <circle cx="100" cy="100" r="92" fill={paint('g')} />
      </g>
    </svg>
  );
}
