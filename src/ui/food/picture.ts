import { dishArt, type DishIdentity } from './dishes.ts';
import { pizzaArt, type Pizza } from './pizza.ts';

/** Something to draw: a pizza as it is built, or another dish by what it is. */
export type Subject = { readonly pizza: Pizza } | { readonly dish: DishIdentity };

const whole = (art: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200">${art}</svg>`;
/** Pizzas and combos of which nothing is known but their name. */
const PLAIN = {
  size: 'R',
  crust: 'hand-tossed',
  sauce: 'normal',
  sauceColour: '#c6402b',
  cheese: 'normal',
  toppings: [],
  slices: 4,
} as const;

function artOf(subject: Subject, p = ''): string {
  if ('pizza' in subject) return pizzaArt(subject.pizza, p, p !== '');
  const { dish } = subject;
  return dishArt(dish, p) ?? pizzaArt({ ...PLAIN, seed: dish.id }, p);
}

type Spot = readonly [x: number, y: number, size: number];

const isDrink = (one: Subject) => 'dish' in one && one.dish.kind === 'BEVERAGE';

/** Where the pizzas of a combo lie: overlapping, the last one on top. */
const PIZZAS: readonly (readonly Spot[])[] = [
  [],
  [[82, 84, 164]],
  [
    [66, 66, 128],
    [120, 100, 128],
  ],
  [
    [54, 56, 106],
    [136, 54, 106],
    [92, 108, 106],
  ],
  [
    [53, 53, 102],
    [147, 53, 102],
    [53, 147, 102],
    [147, 147, 102],
  ],
];
const ALONE: readonly (readonly Spot[])[] = [
  [],
  [[100, 100, 196]],
  [
    [66, 70, 130],
    [134, 130, 130],
  ],
  [
    [70, 68, 132],
    [146, 108, 104],
    [72, 148, 100],
  ],
  [
    [56, 58, 110],
    [144, 58, 110],
    [56, 142, 110],
    [144, 142, 110],
  ],
];

/** Places for the sides of a combo, in front of its pizzas. */
function inFront(count: number, isBeside: boolean): Spot[] {
  const size = count > 2 ? 74 : count > 1 ? 82 : 96;
  const last = isBeside ? 122 : 152;
  return Array.from({ length: count }, (_, at): Spot => [
    count === 1 ? 62 : Math.round(44 + ((last - 44) * at) / (count - 1)),
    Math.round(196 - size / 2),
    size,
  ]);
}

/** A combo on one table: its own pizzas, sides and drinks. */
function comboArt(subjects: readonly Subject[]): string {
  const pizzas = subjects.filter((one) => 'pizza' in one);
  const drinks = subjects.filter(isDrink);
  const sides = subjects.filter((one) => !('pizza' in one) && !isDrink(one));
  const isAlone = pizzas.length === 0;
  const tables = isAlone ? ALONE : PIZZAS;
  const main = isAlone && sides.length === 1 && drinks.length === 0 ? sides : isAlone ? sides : pizzas;
  const beside = isAlone ? [] : sides;
  const isBare = beside.length + drinks.length === 0;
  const spots = isBare && main.length < 3 ? ALONE[main.length]! : (tables[Math.min(main.length, 4)] ?? []);
  const placed: [Subject, Spot][] = [
    ...main.slice(0, 4).map((one, at): [Subject, Spot] => [one, spots[at]!]),
    ...drinks.slice(0, 2).map((one, at): [Subject, Spot] => [one, [162 - at * 30, 120 + at * 6, 142]]),
    ...inFront(Math.min(3, beside.length), drinks.length > 0).map((spot, at): [Subject, Spot] => [beside[at]!, spot]),
  ];
  const drawn = new Map<string, string>();
  return placed
    .map(([one, [x, y, size]], at) => {
      const frame = `x="${Math.round(x - size / 2)}" y="${Math.round(y - size / 2)}" width="${size}" height="${size}"`;
      const key = JSON.stringify(one);
      const known = drawn.get(key);
      // The same dish twice is drawn once.
      if (known !== undefined) return `<use href="#${known}" ${frame}/>`;
      const id = `d${at}`;
      drawn.set(key, id);
      return `<symbol id="${id}" viewBox="0 0 200 200" overflow="visible">${artOf(one, `p${at}`)}</symbol><use href="#${id}" ${frame}/>`;
    })
    .join('');
}

/** The drawing of one dish, or of a combo's dishes, as an SVG document: for a file, or for pictureUrl. */
export const draw = (subjects: readonly Subject[]): string =>
  whole(subjects.length === 1 ? artOf(subjects[0]!) : comboArt(subjects));

/** The address of a drawing that is made in the page. */
export const pictureUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;
