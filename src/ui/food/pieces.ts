import { fill, mix, stroke } from './brush.ts';

/**
 * Small things are drawn as one path of strokes per kind instead of one shape per piece: width as a share of the
 * topping's size, reach of a stroke, shine.
 */
export const BITS: Readonly<Record<string, readonly [width: number, reach: number, shine: number]>> = {
  dot: [0.86, 0.45, 0.6],
  crumb: [0.66, 1, 0.3],
  flake: [0.36, 2.2, 0],
};

const ORDER = 'melt disc cap chunk cube wedge ring hook strip crumb leaf dot flake';
/** The order of drawing: a lower rank lies below a higher one. */
export const rank = (shape: string) => ORDER.indexOf(shape);

/** Shapes that look the same from every side keep their highlight at the top left; all others are turned. */
export const isRound = ({ id, shape }: Pick<PieceLook, 'id' | 'shape'>) =>
  id !== 'onion' && (shape === 'disc' || shape === 'ring');

export interface PieceLook {
  readonly id: string;
  readonly shape: string;
  /** Flesh. */
  readonly c: string;
  /** Edge. */
  readonly e: string;
}

const circle = (r: number) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0${-2 * r} 0`;
const GLOSS = 'M-6-3.4A7 7 0 0 1 .5-7';
const CUBE = 'M-8-5q0-3 3-3.4L5-8.6q3 0 3 3V5q0 3-3 3L-5 8.4q-3 0-3-3z';
const BLOB = 'M-10 0C-10-6-4-10 2-8.5S11-4 9.5 2 3 7 0 9-10 6-10 0z';
const LEAF = 'M-10 2C-8-6 1-9.5 10-3.5 8 5-1 9.5-10 2z';
const CHUNK = 'M-9-2C-9-8-4-9.5 1-8.5S10-5 9.4 1 6 8.6 0 8-8.6 5-9-2z';
const CAP = 'M-10-1C-9.5-10 9.5-10 10-1 10 2.5 5 3 3 2L3.6 7.5C3.6 10-3.6 10-3.6 7.5L-3 2C-5 3-10 2.5-10-1z';
const WEDGE = 'M-9.5 4L-3-8C-2-9.5 2-9.5 3-8L9.5 4C6 9-6 9-9.5 4z';

type Shaper = (look: PieceLook) => string;
const light = (c: string, share = 0.45) => mix(c, '#ffffff', share);

/** Chunks of meat: browned below, grill marks, a wet highlight. */
const meat: Shaper = ({ c, e }) =>
  fill(CHUNK, mix(e, '#2a0d00', 0.25)) +
  fill(CHUNK, c, 1, 'transform="translate(-.3-.9)scale(.9)"') +
  fill('M-6-3C-4-7 2-8 6-5 2-5-2-4-3 0S-7 1-6-3z', light(c, 0.28)) +
  stroke('M-5 4L3-4M0 6l6-6', mix(e, '#2a0d00', 0.45), 1.7, 0.75) +
  stroke('M-5-5q3-2.5 7-2', '#fff', 1.4, 0.55);

const sausage: Shaper = ({ c, e }) =>
  fill(circle(10), mix(e, '#2a0d00', 0.3)) +
  fill(circle(8.9), e) +
  fill(circle(7.8), c, 1, 'transform="translate(-.2-.4)"') +
  stroke('M-3 3h0M4-2h0M2 5h0M-4-2h0M0 0h0', light(c, 0.4), 2.2, 0.8) +
  stroke('M-1-4h0M4 2h0M-5 2h0', e, 1.8, 0.8) +
  stroke(GLOSS, '#fff', 1.6, 0.6);

const paneer: Shaper = ({ c, e }) =>
  fill(CUBE, mix(e, '#6b3209', 0.35), 1, 'transform="translate(.8 1.8)"') +
  fill(CUBE, c, 1, 'transform="translate(-.3-.6)scale(.96 .9)"') +
  fill('M-7.5-4q0-3 3-3.2L4-7.6q3 0 3.4 2.6L-7.4-2z', light(c, 0.5), 0.7) +
  stroke('M-3 2l4 3M2-1l4 2', mix(e, '#7a3a0c', 0.6), 1.7, 0.6);

const SHAPES: Readonly<Record<string, Shaper>> = {
  disc: ({ c, e }) =>
    fill(circle(10), mix(e, '#2a0d00', 0.25)) + fill(circle(8.8), c) + stroke(GLOSS, '#fff', 1.6, 0.6),
  tomato: ({ c, e }) =>
    fill(circle(10), mix(e, '#3d0800', 0.2)) +
    fill(circle(9), c) +
    fill(circle(7.6), mix(c, '#ff9a6b', 0.4)) +
    stroke('M1.5-3.2L1-4.8M3.6.3L5 .8M.6 3L1 4.8M-3 2.2L-4.3 3.2M-2.6-1.6l-1.6-1', mix(c, '#8a1400', 0.35), 4) +
    stroke('M1.3-4.4h0M4.6.9h0M.8 4.4h0M-4 2.8h0M-3.8-2.4h0', '#ffd98a', 1.5) +
    stroke('M-7.2-3.4A8 8 0 0 1 0-8', '#fff', 1.5, 0.7),
  'chicken-pepperoni': ({ c, e }) =>
    fill(circle(10), mix(e, '#1d0300', 0.35)) +
    fill(circle(9.1), mix(c, '#e0543a', 0.25)) +
    fill(circle(7.4), c, 1, 'transform="translate(.5 .7)"') +
    stroke('M-3 3h0M4-1h0M2 5h0M-1-3h0M-5-1h0M5 4h0', '#f08a63', 1.9, 0.75) +
    stroke('M1 1h0M-2 6h0M3-5h0M-5 3h0', '#5e0d05', 1.7, 0.6) +
    stroke('M-7.6-3.4A8 8 0 0 1 .5-8.2', '#ffd2bd', 1.7, 0.85),
  'chicken-sausage': sausage,
  'beef-sausage': sausage,
  egg: ({ e }) =>
    fill(BLOB, '#d9a04a', 0.8) +
    fill(BLOB, '#fffaf0', 1, 'transform="translate(0-.4)scale(.94)"') +
    fill(circle(4.8), mix(e, '#c46a00', 0.25), 1, 'transform="translate(.4 0)"') +
    fill(circle(4.1), e, 1, 'transform="translate(.2-.4)"') +
    stroke('M-1.8-1.9q1-1.4 2.6-1.3', '#fff', 1.3, 0.9),
  ring: ({ c, e }) =>
    stroke(circle(6.8), mix(e, '#1a0800', 0.3), 6.4) +
    stroke(circle(6.8), c, 4.6) +
    stroke('M-6.6-2.6A7 7 0 0 1-1-7', '#fff', 1.7, 0.75) +
    stroke('M6.6 3A7 7 0 0 1 3 6.4', '#fff', 1.1, 0.25),
  jalapeno: ({ c, e }) =>
    fill(circle(10), e) +
    fill(circle(8.8), c) +
    fill(circle(6.3), mix(c, '#f4f6c4', 0.72)) +
    stroke('M0-5.6V0L5 3M0 0l-5 3', c, 1.7) +
    stroke('M-2.6-2h0M2.6-1.8h0M.2 3.6h0', '#fff6d8', 2.3) +
    stroke('M-7.4-3.2A8 8 0 0 1-.5-8', '#fff', 1.4, 0.7),
  onion: ({ c, e }) =>
    stroke('M-9.5 2.5C-8-7.5 5-9 9.5-.5', e, 3) +
    stroke('M-8.6 3C-7-5.8 4.4-7 8.6 .3', mix(c, '#ffffff', 0.7), 1.8) +
    stroke('M-6.5 5.500C-4.5-2 3-3 6.5 2.5', mix(e, c, 0.35), 2.3) +
    stroke('M-5.7 6C-3.8-.5 2.5-1.5 5.7 3.2', mix(c, '#ffffff', 0.8), 1.5),
  strip: ({ c, e }) =>
    stroke('M-9 4C-6.5-5 5-6.5 9 1', mix(e, '#0d1a00', 0.15), 5.6) +
    stroke('M-9 3.6C-6.5-5 5-6.5 9 .6', c, 4.2) +
    stroke('M-7.6 4.200C-5.5-2.6 4-4 7.6 1.4', light(c, 0.55), 1.3, 0.85) +
    stroke('M-7.2-.6C-4.5-5.2 1.5-6 5-3.6', '#fff', 1.1, 0.6),
  'green-chilli': ({ c, e }) =>
    fill('M-10 1C-9-5 8-6 10 0 9 5-9 6-10 1z', mix(e, '#0d1a00', 0.1)) +
    fill('M-8.6 .6C-7.6-3.6 7-4.3 8.5 .1 7.5 3.4-7.5 4.2-8.6 .600z', c) +
    fill('M-5.5 .500C-5-2 4.5-2.3 5.5 .1 5 2-5 2.5-5.5 .500z', mix(c, '#f4f6c4', 0.7)) +
    stroke('M-2.5 .200h0M1 0h0M3.5 .400h0', '#fff2c4', 1.8) +
    stroke('M-7-1.800C-4-3.6 1-4 4-3.5', '#fff', 1.1, 0.7),
  hook: ({ c, e }) =>
    stroke('M7-6C0-10-8-6-8 1S0 9 5 5', mix(e, '#5a1800', 0.2), 7.2) +
    stroke('M7-6.300C0-10-8-6.3-8 .700S0 8.5 5 4.7', c, 5.6) +
    stroke('M2-6.500L0-10M-4-5L-7-8M-6 1h-4M-3 6l-3 3M3 7l1 3', mix(c, '#ffe6d6', 0.5), 1.5) +
    stroke('M5-7.600C0-10-6-8-8.5-3', '#fff', 1.3, 0.65) +
    stroke('M6 4l4-3M6 5l5 2', mix(e, '#c4231a', 0.5), 2.2),
  cube: paneer,
  melt: ({ c }) =>
    fill(BLOB, mix(c, '#d98a30', 0.25), 0.35) +
    fill(BLOB, mix(c, '#fff6d8', 0.3), 0.55, 'transform="translate(-.3-.3)scale(.9)"') +
    fill(BLOB, mix(c, '#fffaea', 0.55), 0.6, 'transform="translate(-.8-.8)rotate(40)scale(.62)"') +
    stroke('M-4-3.500C-3-5 0-5.5 2-5', '#fff', 1.5, 0.75) +
    stroke('M4 4l1.5 .500M-5 4h0', '#a8560f', 2.2, 0.4),
  leaf: ({ c, e }) =>
    fill(LEAF, mix(e, '#04180a', 0.3)) +
    fill(LEAF, c, 1, 'transform="translate(-.3-.6)scale(.92)"') +
    fill('M-8.5 1.200C-6-5 2-7.6 8.5-3.4 3-2.5-3-1-8.5 1.200z', light(c, 0.26)) +
    stroke('M-9.5 2C-4 0 3-2 9-3.400M-3 .2l1.5-4M1.5-1.200l2-3M-1 -.4l2.5 4M3.5-1.800l2 2.6', light(c, 0.5), 0.8, 0.7),
  cap: ({ c, e }) =>
    fill(CAP, mix(e, '#3a2208', 0.35)) +
    fill(CAP, mix(c, '#fff4e0', 0.45), 1, 'transform="translate(0 .2)scale(.87 .86)"') +
    fill('M-7-1.500C-4 1 4 1 7-1.5 6 1.6 3.5 1 2.6.6 1 1.8-1 1.8-2.6.6-3.5 1-6 1.6-7-1.500z', mix(e, '#3a2208', 0.2)) +
    stroke('M-1 3.500V6.500M1 3.500V6.5', e, 0.8, 0.6) +
    stroke('M-6.6-4.200C-4.5-7-1-7.6 2-7.2', '#fff', 1.3, 0.75),
  wedge: ({ c, e }) =>
    fill(WEDGE, mix(e, '#7a3a0c', 0.3)) +
    fill(WEDGE, c, 1, 'transform="translate(-.2-.5)scale(.9)"') +
    stroke('M-4 4L-1-5M4 4L1-5M0 5v-7', mix(e, '#b3641a', 0.35), 1.3, 0.75) +
    stroke('M-7 5.500q7 3 14 0', '#8a4310', 1.5, 0.55) +
    stroke('M-5-2L-2.5-7', '#fff', 1.4, 0.7),
  chunk: meat,
};

/** One piece as markup, 20 units wide around the origin, in the colours of its topping. */
export function piece(look: PieceLook): string {
  const shape = SHAPES[look.id] ?? SHAPES[look.shape] ?? meat;
  return shape(look);
}
