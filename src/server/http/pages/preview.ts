// The pictures that others show beside a link to a page: crawlers read no SVG, so what the build has drawn becomes a JPEG.
import { Buffer } from 'node:buffer';
import type { Menu } from '../../../contract/menu.ts';
import { fontOf, runsOf, type Weight } from '../../rules/invoice/fonts.ts';
import { dishPath } from './structured.ts';

// 1200 by 630 pixels are shown wide by all who show such pictures (https://ogp.me, "Structured Properties").
export const PREVIEW = { width: 1200, height: 630 } as const;
const QUALITY = 82;
/** Seconds of a processor that one picture may take. */
const PATIENCE_S = 10;
/** More than so many at a time are sent away: the last would wait for seconds. */
const WAITING_AT_MOST = 12;

const [GROUND, INK, SOFT] = ['#fff8ec', '#2a1b10', '#6a5342'];
const TEXT_FROM = 640;
const TEXT_WIDTH = 510;
const TITLE = { size: 58, weight: 700, lines: 3, step: 70, ink: INK } as const;
const ABOUT = { size: 28, weight: 400, lines: 4, step: 40, ink: SOFT } as const;
const SHOP = { size: 28, weight: 700, lines: 1, step: 40, ink: INK } as const;
/** Where drawings lie, by how many there are; of several the first is in front. */
const PLACES: readonly (readonly (readonly [x: number, y: number, size: number])[])[] = [
  [],
  [[40, 45, 540]],
  [
    [210, 200, 390],
    [20, 30, 390],
  ],
  [
    [150, 230, 370],
    [20, 30, 310],
    [300, 30, 310],
  ],
];

/** Ids of the dishes that stand for the page at a canonical path: its own, the first of its section, or the first pizzas. */
export function pictured(path: string, { items, categories }: Menu): string[] {
  const dish = items.find((item) => dishPath(item) === path);
  if (dish) return [dish.id];
  const category = categories.find((one) => one.path === path);
  const its = items.filter(({ categoryIds, kind }) =>
    category ? categoryIds.includes(category.id) : kind === 'PIZZA',
  );
  return its.slice(0, PLACES.length - 1).map(({ id }) => id);
}

export interface Preview {
  readonly title: string;
  readonly description: string;
  readonly shop: string;
  /** Drawings as SVG documents: one, or the first of several. */
  readonly drawings: readonly string[];
}

interface Style {
  readonly size: number;
  readonly weight: Weight;
  readonly lines: number;
  readonly step: number;
  readonly ink: string;
}

interface GlyphRun {
  readonly glyphs: readonly { readonly id: number }[];
  readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[];
}

/** The outlines of a line of text from x = 0 on, and its width; the server has no fonts but its own. */
function outlined(text: string, { size, weight }: Style): { readonly path: string; readonly width: number } {
  let at = 0;
  const paths: string[] = [];
  for (const run of runsOf(text)) {
    const font = fontOf(run.file, weight);
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(run.text) as unknown as GlyphRun;
    glyphs.forEach(({ id }, index) => {
      const { xAdvance, xOffset, yOffset } = positions[index]!;
      const d = font.getGlyph(id).path.toSVG();
      if (d !== '')
        paths.push(
          `<path transform="matrix(${scale} 0 0 ${-scale} ${at + xOffset * scale} ${-yOffset * scale})" d="${d}"/>`,
        );
      at += xAdvance * scale;
    });
  }
  return { path: paths.join(''), width: at };
}

/** As many words to a line as fit; what is too long for all lines ends in an ellipsis. */
function wrapped(text: string, style: Style): string[] {
  const fits = (line: string) => outlined(line, style).width <= TEXT_WIDTH;
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else if (lines.length < style.lines) lines.push(word);
    else {
      let last = lines.pop()!;
      while (last.includes(' ') && !fits(`${last}…`)) last = last.slice(0, last.lastIndexOf(' '));
      return [...lines, `${last}…`];
    }
  }
  return lines;
}

function block(text: string, from: number, style: Style): { readonly svg: string; readonly to: number } {
  const lines = wrapped(text, style);
  const drawn = lines.map((line, at) => {
    const { path, width } = outlined(line, style);
    // A single word may be wider than the column.
    const narrow = Math.min(1, TEXT_WIDTH / width);
    const y = from + style.size + at * style.step;
    return `<g fill="${style.ink}" transform="translate(${TEXT_FROM} ${y}) scale(${narrow})">${path}</g>`;
  });
  return { svg: drawn.join(''), to: from + lines.length * style.step };
}

function svgOf({ title, description, shop, drawings }: Preview): string {
  const places = PLACES[Math.min(drawings.length, PLACES.length - 1)]!;
  // Each drawing is a document of its own, so that names inside of them cannot clash.
  const pictures = places
    .map(([x, y, size], at) => {
      const address = `data:image/svg+xml;base64,${Buffer.from(drawings[at]!).toString('base64')}`;
      return `<image x="${x}" y="${y}" width="${size}" height="${size}" href="${address}"/>`;
    })
    .toReversed();
  const heading = block(title, 92, TITLE);
  const about = block(description, heading.to + 24, ABOUT);
  const { width, height } = PREVIEW;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="${GROUND}" d="M0 0h${width}v${height}H0z"/>${pictures.join('')}${heading.svg}${about.svg}${block(shop, 530, SHOP).svg}</svg>`;
}

/** Too many are waiting for their picture; whoever asks may come again. */
export class TooManyPreviews extends Error {}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

async function drawn(what: Preview): Promise<Buffer> {
  // Read with the first picture: a server that is asked for none does not need it.
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  return await sharp(Buffer.from(svgOf(what)))
    .timeout({ seconds: PATIENCE_S })
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer();
}

/**
 * Draws a picture as a JPEG, one after the other and outside of the thread that answers calls.
 * @throws TooManyPreviews; Error when it cannot be drawn or takes too long
 */
export async function preview(what: Preview): Promise<Buffer> {
  if (waiting >= WAITING_AT_MOST) throw new TooManyPreviews();
  waiting += 1;
  const own = last.then(() => drawn(what)).finally(() => (waiting -= 1));
  last = own.catch(() => {});
  return await own;
}
