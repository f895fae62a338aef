import { escapeHtml } from '../../../domain/html.ts';
import { readFileSync } from 'node:fs';
import { countries } from '../../../../country/index.ts';
import { catalogueFromDisk } from '../catalogue/catalogue.ts';
import { placesOf } from './places.ts';
import type { SeedPlace, SeedStore } from '../../store/seeds.ts';
import { visibleStores } from './stores.ts';

/** In pixels: the edge of a tile, and how far beyond it shapes are drawn so that nothing breaks at a seam. */
const TILE = 256;
const BEYOND = 40;
export const FARTHEST_ZOOM = 3;
export const CLOSEST_ZOOM = 18;
/** From this zoom on, neighbourhoods are drawn. */
const AREAS_FROM = 12;
const STORES_FROM = 9;

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly place: SeedPlace;
  readonly size: number;
}
/** A ring of land in world units, 0 to 1 both ways, with its bounding box. */
interface Ring {
  readonly points: Float64Array;
  readonly box: readonly [number, number, number, number];
}
interface World {
  readonly land: readonly Ring[];
  readonly spots: readonly Spot[];
  readonly stores: readonly (SeedStore & { readonly x: number; readonly y: number })[];
}

const worldX = (longitude: number) => longitude / 360 + 0.5;
function worldY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

const SIZES: Readonly<Record<string, number>> = { city: 5.6, locality: 4.6, landmark: 4.2, town: 3, area: 2.5 };

let world: World | null = null;
/** Land, places and stores of all countries, from the seeds; read when the first tile is drawn. */
function wholeWorld(): World {
  if (world) return world;
  const { land } = JSON.parse(readFileSync(new URL('../../../../country/land.json', import.meta.url), 'utf8')) as {
    land: [string, ...number[]][];
  };
  const catalogues = countries.map(catalogueFromDisk);
  const seen = new Set<string>();
  const spots = catalogues
    .flatMap((catalogue) => placesOf(catalogue).places)
    .flatMap((place): Spot[] => {
      // Post offices with the same postcode have the same position: one of them stands for all.
      const at = `${place.latitude},${place.longitude}`;
      if (seen.has(at)) return [];
      seen.add(at);
      return [
        {
          x: worldX(place.longitude),
          y: worldY(place.latitude),
          place,
          size: Math.max(SIZES[place.kind] ?? 0, place.population ? Math.log10(place.population) : 0),
        },
      ];
    });
  world = {
    land: land.map(([, ...flat]) => {
      const points = Float64Array.from(flat, (value, index) => (index % 2 === 0 ? worldX(value) : worldY(value)));
      const xs = points.filter((_, index) => index % 2 === 0);
      const ys = points.filter((_, index) => index % 2 === 1);
      return { points, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const };
    }),
    spots,
    stores: catalogues
      .flatMap((catalogue) => visibleStores(catalogue))
      .map((store) => ({ ...store, x: worldX(store.longitude), y: worldY(store.latitude) })),
  };
  return world;
}

type Corner = readonly [x: number, y: number];

/** Cuts a shape along a line and returns the part where `side` is not negative. */
function cut(shape: readonly Corner[], side: (corner: Corner) => number): Corner[] {
  const left: Corner[] = [];
  for (const [index, corner] of shape.entries()) {
    const next = shape[(index + 1) % shape.length] as Corner;
    const here = side(corner);
    const there = side(next);
    if (here >= 0) left.push(corner);
    if (here >= 0 !== there >= 0) {
      const part = here / (here - there);
      left.push([corner[0] + (next[0] - corner[0]) * part, corner[1] + (next[1] - corner[1]) * part]);
    }
  }
  return left;
}

const WHOLE: readonly Corner[] = [
  [-BEYOND, -BEYOND],
  [TILE + BEYOND, -BEYOND],
  [TILE + BEYOND, TILE + BEYOND],
  [-BEYOND, TILE + BEYOND],
];
const toBox = (shape: readonly Corner[]) =>
  cut(
    cut(
      cut(
        cut(shape, ([x]) => x + BEYOND),
        ([x]) => TILE + BEYOND - x,
      ),
      ([, y]) => y + BEYOND,
    ),
    ([, y]) => TILE + BEYOND - y,
  );
const round = (value: number) => Math.round(value * 10) / 10;
const path = (shape: readonly Corner[]) =>
  shape.length < 3 ? '' : `M${shape.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`;

interface Point {
  readonly x: number;
  readonly y: number;
}
const NEIGHBOURS = 60;

/** For each place, the ground that is nearer to it than to any other place. */
function areas(spots: readonly (Point & { readonly id: string })[]): { shape: Corner[]; id: string }[] {
  const middle = TILE / 2;
  const far = (spot: Point) => Math.hypot(spot.x - middle, spot.y - middle);
  const sorted = [...spots].sort((a, b) => far(a) - far(b));
  const nearest = sorted[0];
  if (!nearest) return [];
  // A place farther away than the nearest one and twice the half diagonal cannot be nearest to any point of the tile.
  const reach = far(nearest) + 2 * (middle + BEYOND) * Math.SQRT2;
  const near = sorted.filter((spot, index) => index < NEIGHBOURS * 4 && far(spot) <= reach);
  return near
    .map((spot) => {
      let shape: Corner[] = [...WHOLE];
      const others = near
        .filter((other) => other !== spot)
        .sort((a, b) => Math.hypot(a.x - spot.x, a.y - spot.y) - Math.hypot(b.x - spot.x, b.y - spot.y))
        .slice(0, NEIGHBOURS);
      for (const other of others) {
        if (shape.length < 3) break;
        shape = cut(shape, ([x, y]) => (x - other.x) ** 2 + (y - other.y) ** 2 - (x - spot.x) ** 2 - (y - spot.y) ** 2);
      }
      return { shape, id: spot.id };
    })
    .filter(({ shape }) => shape.length >= 3);
}

/** One of five tints, always the same for an id. */
function tint(id: string): number {
  let sum = 0;
  for (let at = 0; at < id.length; at += 1) sum = (sum * 31 + id.charCodeAt(at)) % 9973;
  return sum % 5;
}

const STYLE = `.w{fill:#cfe6ee}.l{fill:#f6eddd;stroke:#f6eddd}.c0{fill:#f8f0e2}.c1{fill:#f3ead4}.c2{fill:#eef0d9}.c3{fill:#f7e9d8}.c4{fill:#f1ece3}
.a{stroke:#fff;stroke-width:3;stroke-linejoin:round}.z{fill:#f6b331;stroke:#c27a00;stroke-width:5}.y{fill:#f6b331}
text{font:600 12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:#4c3a2c;text-anchor:middle;paint-order:stroke;stroke:#fffaf2;stroke-width:3.5px;stroke-linejoin:round}
.s{font-size:10.5px;font-weight:500;fill:#6a5342}.b{font-size:14px;font-weight:700;fill:#2a1b10}.d{fill:#8d7765}.p{fill:#2a1b10;stroke:#fff;stroke-width:2.5}.g{fill:none;stroke:#fff;stroke-width:1.6;stroke-linejoin:round}
@media(prefers-color-scheme:dark){.w{fill:#16262e}.l{fill:#2a2119;stroke:#2a2119}.c0{fill:#2b221a}.c1{fill:#2f261b}.c2{fill:#2a2b1b}.c3{fill:#33261b}.c4{fill:#2b2520}
.a{stroke:#1c150f}.z{fill:#b9791a;stroke:#f6b331}.y{fill:#b9791a}text{fill:#e7d8c8;stroke:#1c150f}.s{fill:#bfab98}.b{fill:#fff4e6}.d{fill:#a08c7a}.p{fill:#fbf1e6;stroke:#1c150f}.g{stroke:#1c150f}}`;
const SHOP = 'M-4.2-.5v5h8.4v-5M-5.2-1l1-3.3h8.4l1 3.3c0 1.9-2.7 1.9-3.4.3-.8 1.6-2.8 1.6-3.5 0-.8 1.6-3.5 1.6-3.5-.3z';

/**
 * In pixels: the usual width of a letter in a label by its weight, the distance of two lines, and how far a store's sign
 * reaches. The list of stores puts its numbers over the signs, and these are wider (screens/stores/StoreMap.module.css).
 */
const LETTER_WIDE = { b: 8.2, s: 6, '': 6.9 } as const;
const LINE_HIGH = 20;
const LABEL_REACH = 110;
const SIGN_REACH = 18;
/** How far below its place a name may stand instead where a sign is in its way. */
const OTHER_LINES = [30, -30] as const;
const LETTERS = 24;

/** How big a place has to be for its name to be on the map, from the farthest zoom on; closer all of them are. */
const LEAST_SIZES = [6.5, 6.5, 6.1, 5.8, 5.4, 5, 4.6, 4.3, 4, 3];
const leastSize = (zoom: number) => LEAST_SIZES[zoom - FARTHEST_ZOOM] ?? 0;

/** The square of the world that a tile shows. */
interface Frame {
  readonly zoom: number;
  /** Edge of the whole world in pixels. */ readonly scale: number;
  /** How many pixels of the world lie west (`left`) and north (`top`) of the tile. */
  readonly left: number;
  readonly top: number;
}

const pixels = ({ scale, left, top }: Frame, { x, y }: Point) => ({ px: x * scale - left, py: y * scale - top });
const isWithin = (px: number, py: number, reach: number) =>
  px >= -reach && py >= -reach && px <= TILE + reach && py <= TILE + reach;

const placed = (frame: Frame, reach: number) =>
  wholeWorld().spots.flatMap((spot) => {
    const { px, py } = pixels(frame, spot);
    return isWithin(px, py, reach) ? [{ ...spot, px, py }] : [];
  });

/** The outline of the land as an SVG path; empty at sea. */
function outline({ scale, left, top }: Frame): string {
  const low = [(left - BEYOND) / scale, (top - BEYOND) / scale] as const;
  const high = [(left + TILE + BEYOND) / scale, (top + TILE + BEYOND) / scale] as const;
  let ground = '';
  for (const { points, box } of wholeWorld().land) {
    if (box[0] > high[0] || box[1] > high[1] || box[2] < low[0] || box[3] < low[1]) continue;
    const shape: Corner[] = [];
    for (let at = 0; at < points.length; at += 2)
      shape.push([points[at]! * scale - left, points[at + 1]! * scale - top]);
    ground += path(toBox(shape));
  }
  return ground;
}

/** The neighbourhoods, each in its tint, drawn on land only. */
function neighbourhoods(frame: Frame, ground: string): string {
  // Far enough for a lonely place to have its ground, near enough to draw a city quickly.
  const around = placed(frame, frame.zoom >= 14 ? TILE * 6 : TILE * 2)
    .filter(({ place }) => place.kind !== 'landmark')
    .map(({ px, py, place }) => ({ x: px, y: py, id: place.id }));
  const cells = areas(around);
  if (cells.length <= 1) return '';
  const shapes = cells.map(({ shape, id }) => `<path class="c${tint(id)}" d="${path(shape)}"/>`);
  return `<clipPath id="k"><path d="${ground}"/></clipPath><g class="a" clip-path="url(#k)">${shapes.join('')}</g>`;
}

/** The ground that the stores deliver to, as circles. */
function deliveryGround(frame: Frame): string {
  const near = wholeWorld().stores.flatMap((store) => {
    const metre = frame.scale / (40_075_017 * Math.cos((store.latitude * Math.PI) / 180));
    const radius = store.deliveryRadiusKm * 1000 * metre;
    const { px, py } = pixels(frame, store);
    return radius > 0 && isWithin(px, py, radius + 6) ? [{ px: round(px), py: round(py), radius: round(radius) }] : [];
  });
  if (near.length === 0) return '';
  const circles = (className: string) =>
    near.map(({ px, py, radius }) => `<circle class="${className}" cx="${px}" cy="${py}" r="${radius}"/>`).join('');
  return `<g opacity=".2">${circles('z')}${circles('y')}</g>`;
}

interface Label {
  readonly spot: Spot & { readonly px: number; readonly py: number };
  readonly weight: keyof typeof LETTER_WIDE;
  readonly name: string;
  /** Half its width, and the middle of its line. */
  readonly half: number;
  readonly middle: number;
}
/** How far below the middle of a line its letters stand. */
const BASE = 4;

type Sign = ReturnType<typeof pixels>;
const touches = ({ spot, half, middle }: Pick<Label, 'spot' | 'half' | 'middle'>, { px, py }: Sign) =>
  Math.abs(px - spot.px) < half + SIGN_REACH && Math.abs(py - middle) < SIGN_REACH + LINE_HIGH / 2;

function labelOf(spot: Label['spot'], isNear: boolean, signs: readonly Sign[]): Label {
  const { py, place, size } = spot;
  const weight = size >= 5.6 ? 'b' : size < 4 ? 's' : '';
  const name = place.name.length > LETTERS ? `${place.name.slice(0, LETTERS - 1)}…` : place.name;
  const half = (name.length * LETTER_WIDE[weight]) / 2 + 6;
  const label = (lower: number) => ({ spot, weight, name, half, middle: py + lower }) as const;
  const own = label(isDotted(spot, isNear) ? -11 : 0);
  const hasRoom = (one: Label) => !signs.some((sign) => touches(one, sign));
  return hasRoom(own) ? own : (OTHER_LINES.map(label).find(hasRoom) ?? own);
}
const isDotted = ({ place }: Spot, isNear: boolean) => !isNear || place.kind === 'town';

/**
 * The names that have room: a name is left out when it touches that of a more important one, or a store's sign. This
 * depends on the places alone, so that neighbouring tiles agree.
 */
function withRoom(labels: readonly Label[], signs: readonly Sign[]): Label[] {
  const counts = ({ spot: a }: Label, { spot: b }: Label) => a.size - b.size || (a.place.id < b.place.id ? 1 : -1);
  const free = labels.filter((label) => !signs.some((sign) => touches(label, sign)));
  return free.filter(
    (one) =>
      !free.some(
        (other) =>
          other !== one &&
          counts(other, one) > 0 &&
          Math.abs(other.spot.px - one.spot.px) < other.half + one.half &&
          Math.abs(other.middle - one.middle) < LINE_HIGH,
      ),
  );
}

function names(frame: Frame): string {
  const wanted = leastSize(frame.zoom);
  const isNear = frame.zoom >= AREAS_FROM;
  const signs = frame.zoom >= STORES_FROM ? wholeWorld().stores.map((store) => pixels(frame, store)) : [];
  const labels = placed(frame, LABEL_REACH * 2)
    .filter(({ size }) => size >= wanted)
    .map((spot) => labelOf(spot, isNear, signs));
  return withRoom(labels, signs)
    .filter(({ spot: { px, py } }) => px >= -LABEL_REACH && px <= TILE + LABEL_REACH && py >= -44 && py <= TILE + 44)
    .map(({ spot, weight, name, middle }) => {
      const [x, y] = [round(spot.px), round(spot.py)];
      const dot = isDotted(spot, isNear) ? `<circle class="d" cx="${x}" cy="${y}" r="${weight === 'b' ? 3 : 2}"/>` : '';
      const mark = weight === '' ? '' : ` class="${weight}"`;
      return `${dot}<text${mark} x="${x}" y="${round(middle + BASE)}">${escapeHtml(name)}</text>`;
    })
    .join('');
}

function shops(frame: Frame): string {
  const size = frame.zoom >= AREAS_FROM ? 1 : 0.7;
  return wholeWorld()
    .stores.map((store) => pixels(frame, store))
    .map(({ px, py }) => [round(px), round(py)] as const)
    .filter(([px, py]) => isWithin(px, py, BEYOND))
    .map(
      ([px, py]) =>
        `<g transform="translate(${px} ${py}) scale(${size})"><circle class="p" r="11"/><path class="g" d="${SHOP}"/></g>`,
    )
    .join('');
}

/**
 * Draws a tile of the map as an SVG of 256 pixels: land without any border, towns by size, and when close enough the
 * neighbourhoods and the ground that the stores deliver to. Tiles are numbered as in every slippy map: `zoom`, and `x`
 * and `y` from the north-west.
 */
export function drawTile(zoom: number, x: number, y: number): string {
  const frame: Frame = { zoom, scale: 2 ** zoom * TILE, left: x * TILE, top: y * TILE };
  const ground = outline(frame);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE}" height="${TILE}" viewBox="0 0 ${TILE} ${TILE}"><style>${STYLE}</style><rect class="w" width="${TILE}" height="${TILE}"/>`,
    ground === '' ? '' : `<path class="l" d="${ground}"/>`,
    zoom >= AREAS_FROM && ground !== '' ? neighbourhoods(frame, ground) : '',
    zoom >= STORES_FROM ? deliveryGround(frame) : '',
    names(frame),
    zoom >= STORES_FROM ? shops(frame) : '',
    '</svg>',
  ].join('');
}
