import zlib from 'node:zlib';

type Disc = readonly [x: number, y: number, radius: number, colour: string];

/** The app's icon as discs in the unit square; from it the SVG and the PNGs are made. */
export interface Icon {
  readonly background: string | null;
  readonly discs: readonly Disc[];
}

const PEPPERONI = [
  [0.39, 0.36],
  [0.63, 0.34],
  [0.69, 0.57],
  [0.47, 0.66],
  [0.31, 0.55],
] as const;
const BASIL = [
  [0.52, 0.27],
  [0.5, 0.5],
  [0.6, 0.7],
  [0.36, 0.71],
  [0.27, 0.42],
] as const;

/** `maskable`: the platform cuts its own shape out of the icon, so the drawing keeps away from the edges. */
export function icon(maskable: boolean, background: string): Icon {
  const scale = maskable ? 0.8 : 1;
  const disc = (x: number, y: number, r: number, colour: string): Disc => [
    0.5 + (x - 0.5) * scale,
    0.5 + (y - 0.5) * scale,
    r * scale,
    colour,
  ];
  return {
    background: maskable ? background : null,
    discs: [
      ...(maskable ? [] : [disc(0.5, 0.5, 0.5, background)]),
      disc(0.5, 0.5, 0.39, '#c98a3b'),
      disc(0.5, 0.5, 0.335, '#f7cf5f'),
      ...PEPPERONI.map(([x, y]) => disc(x, y, 0.068, '#dc4e41')),
      ...BASIL.map(([x, y]) => disc(x, y, 0.022, '#3f6d07')),
    ],
  };
}

export function iconSvg({ background, discs }: Icon): string {
  const round = (value: number) => Number((value * 512).toFixed(1));
  const plate = background === null ? '' : `<path fill="${background}" d="M0 0h512v512H0z"/>`;
  const circles = discs.map(
    ([x, y, r, colour]) => `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${plate}${circles.join('')}</svg>`;
}

const rgb = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function pixels({ background, discs }: Icon, size: number): Buffer {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  const layers = discs.map(([x, y, r, colour]) => ({ x: x * size, y: y * size, r: r * size, paint: rgb(colour) }));
  const ground = background === null ? [0, 0, 0] : rgb(background);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let colour = ground;
      let alpha = background === null ? 0 : 1;
      for (const layer of layers) {
        const cover = Math.min(1, Math.max(0, layer.r + 0.5 - Math.hypot(x + 0.5 - layer.x, y + 0.5 - layer.y)));
        if (cover === 0) continue;
        const total = cover + alpha * (1 - cover);
        const before = alpha;
        colour = colour.map((under, at) => ((layer.paint[at] ?? 0) * cover + under * before * (1 - cover)) / total);
        alpha = total;
      }
      rows.set([...colour, alpha * 255].map(Math.round), y * (size * 4 + 1) + 1 + x * 4);
    }
  }
  return rows;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(zlib.crc32(body), body.length + 4);
  return out;
}

const drawn = new Map<string, Buffer>();

export function iconPng(one: Icon, size: number): Buffer {
  const key = JSON.stringify([one, size]);
  const held = drawn.get(key);
  if (held) return held;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', zlib.deflateSync(pixels(one, size), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
  drawn.set(key, png);
  return png;
}
