import {
  around,
  colourOf,
  copies,
  disc,
  fill,
  gradient,
  list,
  mix,
  numbers,
  scatter,
  shadow,
  short,
  spots,
  stroke,
  type Next,
  type Place,
} from './brush.ts';
import { BITS, isRound, piece, rank } from './pieces.ts';

export interface PizzaTopping {
  readonly id: string;
  readonly name: string;
  readonly shape: string;
  readonly colour: string;
  /** Rim of a piece; a darker tone of `colour` without it. */
  readonly edge?: string | undefined;
  readonly countPerSlice: number;
  readonly sizeMm: number;
  readonly half: 'WHOLE' | 'LEFT' | 'RIGHT';
  readonly amount: 'light' | 'normal' | 'extra';
}

export interface Pizza {
  /** The dish's id: the same dish looks the same everywhere. */
  readonly seed: string;
  /** R, M or L; anything else is drawn as M. */
  readonly size: string;
  readonly crust: string;
  readonly sauce: 'none' | 'light' | 'normal' | 'extra';
  readonly sauceColour: string;
  /** Sauce of the right half, if it is another one. */
  readonly otherSauceColour?: string | undefined;
  readonly cheese: 'none' | 'light' | 'normal' | 'extra';
  readonly toppings: readonly PizzaTopping[];
  readonly slices: number;
}

/** Units per millimetre: small pizzas carry pieces that look bigger. */
const UNITS_PER_MM: Readonly<Record<string, number>> = { R: 1.3, M: 1.1, L: 0.94 };
/** Share of the cheese that pieces may hide, and how many pieces there are at most. */
const COVER = 0.62;
const MANY_PIECES = 110;
const FEW_PIECES = 44;
const ATTEMPTS = 16;
/** Of one topping: a search for more places would be felt on a slow phone. */
const MOST_PLACES = 48;
const AMOUNTS = { light: 0.6, normal: 1, extra: 1.5 };

interface Crust {
  /** Where it begins. */
  readonly rim: number;
  readonly light: string;
  readonly mid: string;
  readonly dark: string;
  /** How uneven its edge is. */
  readonly wobble: number;
  /** Spots burnt by the oven. */
  readonly char: number;
}
const CRUSTS: Readonly<Record<string, Crust>> = {
  'hand-tossed': { rim: 78, light: '#f8dba6', mid: '#e0a050', dark: '#96541c', wobble: 1, char: 8 },
  pan: { rim: 76, light: '#eeb964', mid: '#c47a2a', dark: '#6e3510', wobble: 0.7, char: 5 },
  'thin-crisp': { rim: 82.5, light: '#f2cf94', mid: '#cf8c42', dark: '#7d4114', wobble: 1.2, char: 13 },
  multigrain: { rim: 81.5, light: '#d8a86e', mid: '#a4692f', dark: '#643a18', wobble: 1.1, char: 6 },
  'cheese-filled': { rim: 74, light: '#fbe4ae', mid: '#e8aa54', dark: '#a8652a', wobble: 0.8, char: 8 },
  'sausage-edge': { rim: 73, light: '#f3cd8d', mid: '#d99445', dark: '#96571f', wobble: 0.9, char: 8 },
};

/** Half as many numbers are shorter to send, and nobody sees where a slice of olive could lie as well. */
const even = (value: number) => Math.round(value / 2) * 2;

/**
 * Of a few random places each piece takes the one farthest from all others, so that kinds mix without hiding each
 * other. Adds what it places to `taken`.
 */
function spread(count: number, reach: number, half: PizzaTopping['half'], next: Next, taken: Place[]): Place[] {
  const mine: Place[] = [];
  const free = (others: readonly Place[], [x, y]: Place) =>
    others.reduce((least, [a, b]) => Math.min(least, (a - x) ** 2 + (b - y) ** 2), Infinity);
  for (let at = 0; at < count; at++) {
    let best: Place = [100, 100];
    let room = -1;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const r = reach * Math.sqrt(next());
      const angle = next() * 2 * Math.PI;
      const x = Math.cos(angle) * r;
      const side = half === 'WHOLE' ? x : Math.max(4, Math.abs(x)) * (half === 'LEFT' ? -1 : 1);
      const place: Place = [even(100 + side), even(100 + Math.sin(angle) * r)];
      const found = Math.min(free(taken, place), 0.4 * free(mine, place));
      if (found > room) [best, room] = [place, found];
    }
    mine.push(best);
  }
  taken.push(...mine);
  return mine;
}

/** A part of a circle around the middle; angles in degrees, clockwise from the right. */
function arc(radius: number, from: number, to: number): string {
  const at = (angle: number) => {
    const turn = (angle * Math.PI) / 180;
    return list(Math.round(100 + Math.cos(turn) * radius), Math.round(100 + Math.sin(turn) * radius));
  };
  return `M${at(from)}A${radius} ${radius} 0 0 1 ${at(to)}`;
}

/** The edge beyond the sauce, as its kind is made. */
function rimOf(id: string, { rim, light, mid }: Crust, next: Next): string {
  const ring = (y: number, r: number, paint: string, width: number, dash: string, rest = '') =>
    `<circle cx="100" cy="${y}" r="${r}" stroke="${paint}" stroke-width="${width}" stroke-dasharray="${dash}"${rest}/>`;
  if (id === 'cheese-filled')
    return (
      ring(100, 83.5, mid, 18, '0 13.11') +
      ring(99, 83.5, light, 10, '0 13.11', ' stroke-opacity=".75"') +
      ring(98, 82.5, '#fff', 3, '0 13.11', ' stroke-opacity=".55"') +
      stroke(spots(around(9, rim - 1, rim + 3, next), 'l2 1'), '#ffe9a8', 9) +
      stroke(spots(around(7, rim, rim + 3, next), 'l1 1'), '#fff8dc', 4)
    );
  if (id === 'sausage-edge')
    return (
      ring(100, 83, '#6d2616', 14, '13 4.3', ' stroke-linecap="butt"') +
      ring(100, 83, '#c8684d', 10, '13 4.3', ' stroke-linecap="butt"') +
      ring(99, 85.5, '#f2ac90', 2, '9 8.3')
    );
  if (id === 'pan')
    return (
      `<circle cx="100" cy="100" r="91" stroke="#4a210a" stroke-width="3.4" stroke-opacity=".75"/>` +
      stroke(spots(around(24, 86, 90, next), 'l2 1'), '#5a2a0c', 3, 0.5) +
      stroke(spots(around(26, rim, rim + 6, next), 'l4 2'), '#ffd98a', 5, 0.5)
    );
  if (id === 'multigrain')
    return (
      stroke(spots(around(34, rim + 3, 89, next), 'l1.5 1'), '#5a3413', 2, 0.7) +
      stroke(spots(around(40, rim + 3, 89, next), 'l1.5-.5'), '#fbe8c0', 1.7)
    );
  return stroke(spots(around(7, rim + 4, 86, next), 'l2 1'), '#fff6dd', (92 - rim) / 4, 0.35);
}

/** Spots on a circle, unevenly apart. Dashes cost a tenth of the bytes that places do. */
function speckle(
  radius: number,
  paint: string,
  width: number | string,
  opacity: number,
  gap: number,
  next: Next,
  length = 3,
): string {
  const dashes = Array.from(
    { length: 4 },
    () => `${Math.round(next() * length)} ${Math.round(gap * (0.4 + next() * 1.2))}`,
  );
  return `<circle cx="100" cy="100" r="${short(radius)}" stroke="${paint}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-dasharray="${dashes.join(' ')}"/>`;
}

/** What shows below the cheese: without a sauce the baked dough. */
const sauceOf = ({ sauce, sauceColour }: Pizza) => (sauce === 'none' ? '#e8bf78' : colourOf(sauceColour, '#c6402b'));

/** Dough, char, sauce. */
function base(pizza: Pizza, crust: Crust, next: Next, p: string): string {
  const { rim, dark, wobble, char } = crust;
  const sauce = sauceOf(pizza);
  const other = colourOf(pizza.otherSauceColour, sauce);
  const wide = 92 - rim;
  return (
    fill('M4 106a96 95 0 1 0 192 0a96 95 0 1 0-192 0', `url(#${p}s)`) +
    fill(disc(100, 100, 92, wobble, next, 14), `url(#${p}c)`) +
    rimOf(pizza.crust, crust, next) +
    // Light from the top left, as everywhere on the table.
    stroke(arc((rim + 92) / 2, 190, 290), '#fff3d6', wide * 0.4, 0.4) +
    stroke(arc((rim + 93) / 2, 10, 105), '#5a2605', wide * 0.6, 0.2) +
    copies(`${p}b`, around(char, rim + wide * 0.3, rim + wide * 0.6, next), next, wide / 20, 360, 0.5) +
    speckle(rim + wide * 0.6, '#8a4612', short(wide / 3), 0.28, 420 / char, next) +
    speckle(rim + wide * 0.78, '#3a1504', short(wide / 6.5), 0.5, 520 / char, next) +
    `<circle cx="100" cy="100" r="${rim + 2}" fill="${mix(sauce, '#3d0800', 0.18)}" stroke="${mix(dark, '#2a0d00', 0.3)}" stroke-width="2.5" stroke-opacity=".45"/>` +
    (other === sauce
      ? ''
      : fill(`M100 ${98 - rim}a${rim + 2} ${rim + 2} 0 0 1 0 ${2 * rim + 4}z`, mix(other, '#3d0800', 0.18))) +
    speckle(rim - 1, mix(sauce, '#ffb070', 0.4), 3, 0.6, 22, next)
  );
}

/** Melted cheese: pools, oil, browned blisters. */
function cheeseOf(pizza: Pizza, rim: number, molten: string, p: string): string {
  const { cheese } = pizza;
  const next = numbers(`${pizza.seed}cheese`);
  const sauce = sauceOf(pizza);
  const reach = rim - 7;
  if (cheese === 'none')
    return (
      stroke(spots(scatter(30, reach, next), 'l6 3'), '#fff', 8, 0.1) +
      stroke(spots(scatter(36, reach, next), 'l2-3'), '#3d0a00', 5, 0.18)
    );
  const strands = spots(scatter(26, rim - 10, next), 'l4 3');
  const cover =
    cheese === 'light'
      ? stroke(strands, '#dd9a3c', 18) + stroke(strands, '#f9dc92', 15.5)
      : fill(
          disc(100, 100, rim - (cheese === 'extra' ? 0.5 : 2.5), 3, next, 16),
          `url(#${p}k)`,
          1,
          'stroke="#a85a16" stroke-width="1.2" stroke-opacity=".5"',
        );
  const blisters = scatter(cheese === 'light' ? 8 : 13, reach, next);
  return (
    cover +
    speckle(rim * 0.66, mix(sauce, '#f0a040', 0.4), 12, 0.24, 26, next) +
    speckle(rim * 0.78, '#fff6d8', 15, 0.5, 34, next, 16) +
    speckle(rim * 0.46, '#fff6d8', 17, 0.5, 36, next, 14) +
    speckle(rim * 0.2, '#fff6d8', 14, 0.5, 26, next, 9) +
    speckle(rim * 0.6, '#fffdf2', 7, 0.55, 40, next, 12) +
    molten +
    copies(`${p}b`, blisters.slice(0, 6), next, 2, 360, 0.3).replace('<use', '<g opacity=".4"><use') +
    '</g>' +
    copies(`${p}b`, blisters, next, 0.95, 360, 0.45) +
    speckle(rim * 0.9, '#fff', 1.8, 0.8, 28, next) +
    speckle(rim * 0.34, '#fff', 1.6, 0.8, 22, next)
  );
}

/** Shapes of the pieces, cheese that melts into the other, and what lies on it: a group for each kind, with a shadow. */
function toppingsOf(
  pizza: Pizza,
  rim: number,
  p: string,
  most: number,
): { shapes: string; molten: string; laid: string } {
  const unit = UNITS_PER_MM[pizza.size] ?? 0.9;
  const reach = rim - 5;
  // Placed in the order of choosing, so a new topping finds room among the old ones. Melted cheese and crumbs lie over
  // and under everything.
  const taken: Place[] = [];
  const laid = pizza.toppings.map((one) => {
    const next = numbers(pizza.seed + one.name + one.half);
    const share = AMOUNTS[one.amount] * (one.half === 'WHOLE' ? 1 : 0.5);
    const isLoose = one.shape in BITS || one.shape === 'melt';
    const wanted = Math.max(1, Math.round(pizza.slices * one.countPerSlice * share));
    const count = isLoose ? wanted : Math.min(wanted, MOST_PLACES);
    return { one, next, places: spread(count, reach - one.sizeMm * unit * 0.42, one.half, next, isLoose ? [] : taken) };
  });
  const solid = laid.filter(({ one }) => !(one.shape in BITS) && one.shape !== 'melt');
  const used = solid.reduce((sum, { places }) => sum + places.length, 0);
  const hidden = solid.reduce((sum, { one, places }) => sum + places.length * (one.sizeMm * unit) ** 2 * 0.45, 0);
  const thin = Math.min(1, most / used, (COVER * Math.PI * reach ** 2) / hidden);
  const shapes: string[] = [];
  const molten: string[] = [];
  const groups = laid
    .map((entry, at) => ({ ...entry, at }))
    .sort((a, b) => rank(a.one.shape) - rank(b.one.shape))
    .map(({ one, next, places, at }) => {
      const c = colourOf(one.colour, '#4c8c3b');
      const e = colourOf(one.edge, mix(c, '#1a0800', 0.4));
      const bit = BITS[one.shape];
      if (bit) return bits(bit, one.sizeMm * unit, places, c, e, next);
      const id = `${p}t${at}`;
      const scale = (one.sizeMm * unit) / 20;
      shapes.push(
        `<g id="${id}" transform="scale(${short(scale)})">${piece({ id: one.id, shape: one.shape, c, e })}</g>`,
      );
      // A crowded pizza loses the pieces that were laid last; those that stay do not move.
      const kept = places.slice(0, Math.ceil(places.length * thin));
      const drawn = copies(id, kept, next, 1, isRound(one) ? 50 : 360, 0.1);
      if (one.shape !== 'melt') return `<g filter="url(#${p}f)">${drawn}</g>`;
      molten.push(drawn);
      return '';
    });
  return { shapes: shapes.join(''), molten: molten.join(''), laid: groups.join('') };
}

function bits(
  [share, tail, shine]: (typeof BITS)[string] & {},
  size: number,
  places: readonly Place[],
  c: string,
  e: string,
  next: Next,
): string {
  const width = size * share;
  const d = places
    .map(([x, y]) => `M${list(x, y)}l${list((next() - 0.5) * width * tail, (next() - 0.5) * width * tail)}`)
    .join('');
  return (
    '<g>' +
    stroke(d, '#2a0d00', width + 1.4, 0.4, 'transform="translate(.5 1.3)"') +
    stroke(d, e, width) +
    stroke(d, c, width * 0.78, 1, 'transform="translate(-.2-.4)"') +
    (shine
      ? stroke(d, '#fff', width * 0.26, shine, `transform="translate(${list(-width * 0.18, -width * 0.22)})"`)
      : '') +
    '</g>'
  );
}

/**
 * A pizza from above, in a square of 200 units. `p` begins its ids; `isSmall` leaves out what nobody sees where it is one
 * of several.
 */
export function pizzaArt(pizza: Pizza, p = '', isSmall = false): string {
  const crust = CRUSTS[pizza.crust] ?? CRUSTS['hand-tossed']!;
  const { rim, light, mid, dark } = crust;
  const next = numbers(pizza.seed + pizza.crust);
  const turn = Math.PI / 2;
  const cuts = Array.from({ length: pizza.slices }, (_, at) => {
    const angle = (at / pizza.slices) * 2 * Math.PI + turn;
    return `M100 100L${list(Math.round(100 + Math.cos(angle) * 89), Math.round(100 + Math.sin(angle) * 89))}`;
  }).join('');
  const { shapes, molten, laid } = toppingsOf(pizza, rim, p, isSmall ? FEW_PIECES : MANY_PIECES);
  const defs =
    gradient(`${p}c`, [
      [0.72, dark],
      [rim / 100 + 0.01, mid],
      [(rim + 98) / 200, light],
      [0.94, mid],
      [1, dark],
    ]) +
    gradient(
      `${p}k`,
      [
        [0, '#ffeab0'],
        [0.5, '#fbd582'],
        [0.84, '#f0ae4b'],
        [1, '#cf7d25'],
      ],
      'cx="45%" cy="42%" r="60%"',
    ) +
    gradient(
      `${p}g`,
      [
        [0, '#fff', 0.3],
        [0.42, '#fff', 0],
        [0.7, '#3d1400', 0],
        [1, '#3d1400', 0.3],
      ],
      'cx="32%" cy="24%" r="82%"',
    ) +
    gradient(`${p}s`, [
      [0.82, '#2a1000', 0.5],
      [1, '#2a1000', 0],
    ]) +
    gradient(`${p}o`, [
      [0, '#7a3408', 0.8],
      [0.5, '#bb6a1e', 0.6],
      [1, '#e5a040', 0],
    ]) +
    `<path id="${p}b" d="M-7 0C-8-5-2-8 3-6S8 1 5 5-6 6-7 0z" fill="url(#${p}o)"/>` +
    shadow(`${p}f`) +
    shapes;
  return (
    `<defs>${defs}</defs><g fill="none" stroke-linecap="round">` +
    base(pizza, crust, next, p) +
    cheeseOf(pizza, rim, molten, p) +
    stroke(cuts, '#6b3209', 1.7, 0.3) +
    stroke(cuts, '#fff', 0.7, 0.25, 'transform="translate(.9 .9)"') +
    laid +
    stroke(spots(scatter(8, rim - 6, next), 'l1 1'), '#3f5f1c', 1.1, 0.8) +
    `<circle cx="100" cy="100" r="92.5" fill="url(#${p}g)"/></g>`
  );
}
