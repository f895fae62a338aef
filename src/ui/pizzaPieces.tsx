/**
 * Small things are drawn as one path of strokes per kind instead of one node per piece: width as a share of the
 * topping's size, reach of a stroke, shine.
 */
export const BITS: Record<string, [width: number, reach: number, shine: number]> = {
  dot: [0.8, 0.5, 1],
  crumb: [0.62, 1, 1],
  flake: [0.34, 2.2, 0],
};

const ORDER = 'melt disc cap chunk cube wedge ring hook strip crumb leaf dot flake';
/** The order of drawing: a lower rank lies below a higher one. */
export const rank = (shape: string) => ORDER.indexOf(shape);

/** Paint: s shade, e edge, c flesh, w shine, b baked. A layer is filled unless it has a width. */
type Layer = [d: string, paint: string, opacity?: number, width?: number, transform?: string];

const PAINT: Record<string, string> = { s: '#2a0d00', e: 'var(--e)', c: 'var(--c)', w: '#fff', b: '#b3641a' };
const DISC = 'M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0';
const RING = 'M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0';
const LEAF = 'M-10 3C-7-6 2-9 10-4 7 5-2 9-10 3z';
const CUBE = 'M-8-6q0-3 3-3h10q3 0 3 3v10q0 3-3 3h-10q-3 0-3-3z';
const BLOB = 'M-10 0C-10-6-4-10 2-8.5S11-4 9.5 2 3 7 0 9-10 6-10 0z';
const shine = 'M-6-3A7 7 0 0 1 1-7';

const line = (d: string, width: number, light: string, lightWidth = 1.3): Layer[] => [
  [d, 's', 0.4, width + 1, 'translate(0 1.5)'],
  [d, 'e', 1, width],
  [d, 'c', 1, width * 0.7],
  [light, 'w', 0.5, lightWidth],
];
const lump = (d: string, marks: string): Layer[] => [
  [d, 's', 0.4, 0, 'translate(.3 1.8)'],
  [d, 'e'],
  [d, 'c', 1, 0, 'translate(-.2 -.7)scale(.87)'],
  [marks, 'e', 0.65, 1.5],
  ['M-5.5-4C-4-6.5 0-7 3-6', 'w', 0.45, 1.5],
];

const LAYERS: Record<string, Layer[]> = {
  ring: line(RING, 6, 'M-7-2A7 7 0 0 1 1-7'),
  strip: line('M-9 3.5C-6-5 4-6 9 1', 5.2, 'M-7 0C-4-4.5 2-5 6-2'),
  hook: [
    ...line('M7-6C0-10-8-6-8 1S0 9 5 5', 6.8, 'M2-6.5L0-10M-4-5L-7-8M-6 1h-4M-3 6l-3 3M3 7l1 3'),
    ['M6 4l4-3M6 5l5 2', 'e', 1, 2.4],
  ],
  cube: [
    [CUBE, 's', 0.4, 0, 'translate(0 2.5)scale(1.06)'],
    [CUBE, 'e', 1, 0, 'translate(0 1.5)'],
    [CUBE, 'c', 1, 0, 'translate(0 -.6)scale(1 .86)'],
    ['M-5-4l9 7M0-7l6 5', 'e', 0.55, 1.8],
    ['M-5.5-6.3h6', 'w', 0.7, 1.4],
  ],
  melt: [
    [BLOB, 'c', 0.9],
    ['M-5-3C-4-6 0-7 3-6', 'w', 0.7, 2.4],
    ['M3 3h0M-4 4h0', 'b', 0.35, 3],
    [BLOB, 'b', 0.25, 0.8],
  ],
  leaf: [
    [LEAF, 's', 0.4, 0, 'translate(.4 1.6)'],
    [LEAF, 'e', 1, 1],
    [LEAF, 'c'],
    ['M-9 3C-3 1 3-2 9-3.8M-3 1l1-4M1-.6l2-4M-1 .4l3 3M3-1.8l3 2', 'w', 0.4, 1],
  ],
  disc: [
    [DISC, 's', 0.4, 0, 'translate(0 1.6)'],
    [DISC, 'e'],
    [DISC, 'c', 1, 0, 'scale(.86)'],
    ['M-3 3.5h0M4-1h0M2 5.5h0M-1-3.5h0M-5 0h0M4.5 3h0', 'e', 0.6, 1.9],
    [DISC, 'y', 1, 0, 'scale(.5)'],
    [shine, 'w', 0.55, 1.6],
  ],
  cap: lump(
    'M-9.5-1C-9-9.5 9-9.5 9.5-1 9.5 2 5 2.5 3 1.8L3.5 7C3.5 9.5-3.5 9.5-3.5 7L-3 1.8C-5 2.5-9.5 2-9.5-1z',
    'M-6-1C-4 1 4 1 6-1M0 2v4',
  ),
  wedge: lump('M-9.5 4L-3-8C-2-9.5 2-9.5 3-8L9.5 4C6 9-6 9-9.5 4z', 'M-4 4L-1-5M4 4L1-5M0 5v-7'),
  chunk: lump('M-9-1C-9-7-4-9 2-8.5S10-4 9 2 5 8.5-1 8-9 5-9-1z', 'M-5-3l4 7M-.5-5l5 8M4-5l2.5 4'),
};

/**
 * One piece, 20 units wide around the origin. Its colours are the CSS variables --c (flesh), --e (edge) and --y (yolk
 * of an egg).
 */
export function PieceShape({ shape }: { shape: string }) {
  return (LAYERS[shape] ?? LAYERS.chunk!).map(([d, paint, opacity, width, transform], at) => {
    const colour = PAINT[paint] ?? 'var(--y,none)';
    return (
      <path
        key={at}
        d={d}
        {...(width ? { stroke: colour, strokeWidth: width } : { fill: colour })}
        opacity={opacity}
        transform={transform}
      />
    );
  });
}
