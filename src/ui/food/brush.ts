/** Tools of all drawings of food: repeatable chance, soft shapes, colours. Coordinates are in a square of 200 units. */

export type Next = () => number;
export type Place = readonly [x: number, y: number];

/** Repeatable numbers in [0, 1): the same seed looks the same in the build, in the page and on the next visit. */
export function numbers(seed: string): Next {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** As short as SVG can read it: one decimal, no leading zero. */
export const short = (value: number): string => String(Math.round(value * 10) / 10).replace(/^(-?)0\./, '$1.');
/** Numbers one after the other; a minus needs no space before it. */
export const list = (...values: number[]): string => values.map(short).join(' ').replace(/ -/g, '-');

const HEX = /^#[\da-f]{6}$/i;
/** A colour of the data, or `otherwise` for what is no colour: nothing else may get into a drawing. */
export const colourOf = (text: string | undefined, otherwise: string): string =>
  text !== undefined && HEX.test(text) ? text : otherwise;

/** A colour between two others; `share` is that of the second. */
export function mix(one: string, other: string, share: number): string {
  const [a, b] = [Number.parseInt(one.slice(1), 16), Number.parseInt(other.slice(1), 16)];
  const part = (bits: number) => {
    const value = ((a >> bits) & 255) * (1 - share) + ((b >> bits) & 255) * share;
    return Math.round(value).toString(16).padStart(2, '0');
  };
  return `#${part(16)}${part(8)}${part(0)}`;
}

type Stop = readonly [at: number, colour: string, opacity?: number];

/** `place` is the rest of the gradient's attributes. */
export function gradient(id: string, stops: readonly Stop[], place = ''): string {
  const inside = stops.map(
    ([at, colour, opacity]) =>
      `<stop offset="${short(at * 100)}%" stop-color="${colour}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
  );
  return `<radialGradient id="${id}"${place && ` ${place}`}>${inside.join('')}</radialGradient>`;
}

/** A gradient from one edge to the other: from the left, or with `down` from the top. */
export function slope(id: string, stops: readonly Stop[], down = false): string {
  return gradient(id, stops, down ? 'x2="0" y2="1"' : '').replaceAll('radialGradient', 'linearGradient');
}

export function fill(d: string, paint: string, opacity = 1, rest = ''): string {
  return `<path d="${d}" fill="${paint}"${opacity === 1 ? '' : ` fill-opacity="${opacity}"`}${rest && ` ${rest}`}/>`;
}

export function stroke(d: string, paint: string, width: number, opacity = 1, rest = ''): string {
  return `<path d="${d}" stroke="${paint}" stroke-width="${short(width)}"${opacity === 1 ? '' : ` stroke-opacity="${opacity}"`}${rest && ` ${rest}`}/>`;
}

/** A closed, softly uneven circle. */
export function disc(x: number, y: number, radius: number, wobble: number, next: Next, count = 26): string {
  const points = Array.from({ length: count }, (_, at): Place => {
    const r = radius + (next() - 0.5) * 2 * wobble;
    const angle = (at / count) * 2 * Math.PI;
    return [x + Math.cos(angle) * r, y + Math.sin(angle) * r];
  });
  return smooth(points);
}

/** A closed line past all points, with soft corners. */
export function smooth(points: readonly Place[]): string {
  const at = (index: number) => points[index % points.length]!;
  const middle = (index: number): Place => {
    const [a, b] = [at(index), at(index + 1)];
    return [Math.round(a[0] + b[0]) / 2, Math.round(a[1] + b[1]) / 2];
  };
  let d = `M${list(...middle(0))}`;
  points.forEach((_, index) => {
    d += `Q${list(...at(index + 1), ...middle(index + 1))}`;
  });
  return `${d}z`;
}

/** Golden-angle scatter over a whole disc around (100, 100): even, never in rows. */
export function scatter(count: number, reach: number, next: Next): Place[] {
  const start = next() * 2 * Math.PI;
  return Array.from({ length: count }, (_, at): Place => {
    const angle = at * 2.39996 + start;
    const r = reach * Math.sqrt((at + 0.5) / count) + (next() - 0.5) * 5;
    return [Math.round(100 + Math.cos(angle) * r), Math.round(100 + Math.sin(angle) * r)];
  });
}

/** Random places in a ring around (100, 100). */
export const around = (count: number, from: number, to: number, next: Next): Place[] =>
  Array.from({ length: count }, (): Place => {
    const angle = next() * 2 * Math.PI;
    const r = from + next() * (to - from);
    return [Math.round(100 + Math.cos(angle) * r), Math.round(100 + Math.sin(angle) * r)];
  });

/** One path of the same short stroke at each place; a round cap makes it a spot. */
export const spots = (places: readonly Place[], tail = 'h0'): string =>
  places.map(([x, y]) => `M${list(x, y)}${tail}`).join('');

/** The same shape at many places, each turned a little differently, and some of them larger or smaller. */
export function copies(id: string, places: readonly Place[], next: Next, scale = 1, turn = 360, uneven = 0.16): string {
  return places
    .map(([x, y], at) => {
      const size = short(at % 3 === 0 ? scale : scale * (1 + (at % 3 === 1 ? uneven : -uneven)));
      const angle = Math.round(((next() - 0.5) * turn) / 30) * 30;
      return `<use href="#${id}" transform="translate(${list(x, y)})${angle ? `rotate(${angle})` : ''}${size === '1' ? '' : `scale(${size})`}"/>`;
    })
    .join('');
}

/** What a soft shadow below pieces is made with: see `SHADOW` in its users. */
export const shadow = (id: string, down = 2, blur = 1.6, opacity = 0.5): string =>
  `<filter id="${id}" x="-10%" y="-10%" width="120%" height="125%"><feDropShadow dx="${down / 3}" dy="${down}" stdDeviation="${blur}" flood-color="#3a1200" flood-opacity="${opacity}"/></filter>`;
