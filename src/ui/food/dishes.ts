import {
  around,
  copies,
  disc,
  fill,
  gradient,
  list,
  mix,
  numbers,
  scatter,
  shadow,
  slope,
  smooth,
  spots,
  stroke,
  type Next,
  type Place,
} from './brush.ts';
import { piece } from './pieces.ts';

/** A drawing in a square of 200 units: what it defines, and what it shows. `p` begins its ids. */
type Drawing = (next: Next, p: string) => readonly [defs: string, body: string];

const round = (r: number, x = 100, y = 100) =>
  `M${list(x - r, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0${-2 * r} 0`;
const ground = (p: string) =>
  gradient(`${p}s`, [
    [0.7, '#2a1000', 0.45],
    [1, '#2a1000', 0],
  ]) + shadow(`${p}f`, 3, 2, 0.55);
const under = (p: string, rx = 92, ry = 92, y = 107) =>
  `<ellipse cx="100" cy="${y}" rx="${rx}" ry="${ry}" fill="url(#${p}s)"/>`;
const laid = (p: string, inside: string) => `<g filter="url(#${p}f)">${inside}</g>`;

/** A round body, lit from the top left. */
const lit = (id: string, c: string) =>
  gradient(
    id,
    [
      [0, mix(c, '#fff3d0', 0.5)],
      [0.45, c],
      [0.8, mix(c, '#3a1200', 0.28)],
      [1, mix(c, '#2a0d00', 0.55)],
    ],
    'cx="36%" cy="30%" r="75%"',
  );

/** A deep bowl with something in it, up to `r` units from the middle. */
function bowl(p: string, colour: string, filling: string): string {
  return (
    under(p, 95, 93) +
    fill(round(92), mix(colour, '#2a1000', 0.28)) +
    fill(round(91, 99.5, 99), colour) +
    stroke('M24 62A85 85 0 0 1 96 13', '#fff', 4, 0.6) +
    fill(round(81), mix(colour, '#4a2408', 0.34)) +
    fill(round(79, 100, 102), filling)
  );
}
/** A sheet of kraft paper on a wooden plate. */
function board(p: string, next: Next): string {
  const sheet = [
    [22, 30],
    [102, 18],
    [180, 34],
    [184, 104],
    [174, 176],
    [98, 184],
    [24, 172],
    [15, 100],
  ] as const;
  return (
    under(p, 98, 96) +
    fill(round(94), '#8a5426') +
    fill(round(92, 99.5, 98.5), '#b97a3f') +
    `<g stroke="#8a5426" stroke-opacity=".35" stroke-width="2"><path d="M20 60h160M10 84h180M8 112h184M16 140h168"/></g>` +
    fill(
      smooth(sheet.map(([x, y]): Place => [x + next() * 5, y + next() * 5])),
      '#f4e4c8',
      1,
      'stroke="#5a2e0c" stroke-opacity=".3" stroke-width="2"',
    ) +
    stroke('M60 24L44 78M150 30l14 60M40 150l30 26M160 150l-36 28', '#c9ab7d', 2, 0.55)
  );
}
/** Three layers of the same piece, each with its shadow on the one below. */
function heap(p: string, id: string, count: number, reach: number, next: Next, turn = 360, scale = 1): string {
  const layers = [
    [count, reach],
    [Math.round(count * 0.6), reach * 0.68],
    [Math.round(count * 0.28), reach * 0.34],
  ] as const;
  return layers
    .map(([many, far]) => laid(p, copies(p + id, scatter(many, far, next), next, scale, turn, 0.12)))
    .join('');
}
const symbol = (id: string, inside: string) => `<g id="${id}">${inside}</g>`;
const leaf = (p: string, places: readonly Place[], next: Next, scale = 1.3) =>
  laid(p, copies(`${p}leaf`, places, next, scale));
const herb = (p: string, c = '#3d8a3a') =>
  symbol(`${p}leaf`, piece({ id: 'basil', shape: 'leaf', c, e: mix(c, '#06200a', 0.4) }));
const flecks = (count: number, reach: number, next: Next, colour: string, width = 2.2, tail = 'l2 1.5') =>
  stroke(spots(scatter(count, reach, next), tail), colour, width, 0.9);
/** Bits of crust on something baked. */
const crumbs = (c: string) =>
  stroke('M-9-6h0M5-10h0M-2 4h0M9 3h0M-12 5h0M2-3h0M-5 11h0M8 10h0', mix(c, '#fff0c8', 0.5), 3.4, 0.7) +
  stroke('M-5-2h0M9-4h0M3 8h0M-8 9h0M0-10h0M-12-1h0', mix(c, '#3a1200', 0.5), 2.6, 0.5);
const NUGGET = 'M-18-2C-19-13-8-18 2-16.500S19-11 18 1 12 16 0 15.5-17 10-18-2z';
const nugget = (p: string, c: string, more = '') =>
  lit(`${p}n`, c) +
  symbol(`${p}p`, fill(NUGGET, `url(#${p}n)`) + crumbs(c) + stroke('M-11-8q5-5 12-5', '#fff', 2.5, 0.45) + more);
const ball = (p: string, c: string, isCrumbed: boolean) =>
  lit(`${p}n`, c) +
  symbol(
    `${p}p`,
    fill(round(17, 0, 0), `url(#${p}n)`) + (isCrumbed ? crumbs(c) : '') + stroke('M-10-7q3-5 9-6', '#fff', 3, 0.6),
  );
/** A pot with a dip, its surface swirled. */
const pot = (x: number, y: number, r: number, c: string) =>
  fill(round(r + 3, x, y + 3), '#2a1000', 0.3) +
  fill(round(r, x, y), '#fffaf2') +
  fill(round(r - 5, x, y + 0.5), mix(c, '#3a1200', 0.22)) +
  fill(round(r - 6.5, x, y + 2), c) +
  stroke(
    `M${list(x - r * 0.4, y + r * 0.2)}q${list(r * 0.3, -r * 0.7, r * 0.7, -r * 0.2)}t${list(r * 0.1, r * 0.4)}`,
    mix(c, '#ffffff', 0.5),
    r * 0.12,
    0.7,
  );

/** A stick of bread at a place, turned by so many degrees. */
const stick = (p: string, x: number, y: number, turn: number) =>
  laid(p, `<use href="#${p}p" transform="translate(${list(x, y)})rotate(${turn})"/>`);
const sticks: Drawing = (next, p) => [
  slope(
    `${p}n`,
    [
      [0, '#f9d68c'],
      [0.35, '#e9ac4c'],
      [0.75, '#c47a27'],
      [1, '#7d3d0f'],
    ],
    true,
  ) +
    herb(p) +
    symbol(
      `${p}p`,
      fill('M-64 3C-68-12-52-17 0-16S68-13 64 4 52 17 0 15.5-60 18-64 3z', `url(#${p}n)`) +
        stroke('M-56 9q10 5 22 4M36 11q14 0 22-5', '#5a2508', 6, 0.45) +
        fill(
          'M-48-13q22 3 44 0t46 0q10 8-2 11-9 1-11 8-5 8-9-1-6-5-14 0-5 9-10 1-9-4-17 0-6 7-10 0-3-5-12-4-16-5-5-15z',
          '#ffd35c',
        ) +
        stroke('M-38-5q6 4 12 1M-6-4q7 4 13 0M26-5q6 3 12 0', '#c9761a', 4, 0.55) +
        stroke('M-50-11q50-6 96-1', '#fffbe2', 4, 0.85) +
        stroke('M-26 0h0M2 1h0M32-1h0', '#fff', 3, 0.8) +
        stroke('M-42-8l3 2M-18-2l3-2M-2-10l3 2M14-1l3-2M38-9l3 2M-52 2l3 1M52 0l3 2', '#3f7a2c', 3.2),
    ),
  board(p, next) +
    stick(p, 92, 60, -14) +
    stick(p, 97, 96, -16) +
    stick(p, 88, 133, -13) +
    stick(p, 104, 60, 24) +
    stick(p, 100, 88, 20) +
    stick(p, 90, 124, 19) +
    pot(152, 150, 27, '#f6d77a') +
    stroke('M144 142h0M158 154h0M150 158h0', '#4f8a34', 3) +
    flecks(12, 70, next, '#4f8a34') +
    leaf(p, [[52, 166]], next, 1.2),
];
/** A loaf that is cut open: its crust above, and the cheese that runs out of every cut. */
const stuffed =
  (inside: string, bit: string): Drawing =>
  (next, p) => [
    slope(
      `${p}n`,
      [
        [0, '#fbdc95'],
        [0.45, '#e5a040'],
        [0.8, '#b8691d'],
        [1, '#7a3a0c'],
      ],
      true,
    ) +
      slope(
        `${p}m`,
        [
          [0, mix(inside, '#fff8dc', 0.55)],
          [1, mix(inside, '#b8690a', 0.35)],
        ],
        true,
      ) +
      symbol(
        `${p}p`,
        fill('M-76 14C-78-28-44-46 0-46S78-28 76 14q-1 24-22 24H-54q-21 0-22-24z', `url(#${p}n)`) +
          fill('M-74 12q37-12 74-12t74 12q0 12-8 18-66 8-132 0-8-6-8-18z', '#7a3a0c', 1) +
          fill(
            'M-72 12q36-10 72-10t72 10q0 8-6 12-2 14-9 14-6-1-7-9-7 1-10 6-3 12-9 12-7-1-8-13-8-1-12 1-4 7-9 7-6-1-7-7-9 0-13 2-2 14-9 15-7 0-8-13-7-2-12 0-4 9-9 8-7-2-8-15-8-6-8-20z',
            `url(#${p}m)`,
          ) +
          stroke(
            'M-54 13l2 1M-34 10l2 1M-12 8h2M12 8h2M34 11l2-1M54 14l2-1M-44 20l2 1M-22 17h2M2 16h2M24 18h2M44 20l2-1',
            mix(bit, '#3a1200', 0.3),
            8.5,
          ) +
          stroke(
            'M-54 12l2 1M-34 9l2 1M-12 7h2M12 7h2M34 10l2-1M54 13l2-1M-44 19l2 1M-22 16h2M2 15h2M24 17h2M44 19l2-1',
            bit,
            6.5,
          ) +
          stroke('M-60 16q20-7 38-8M16 8q22 1 40 6', '#fff', 2.5, 0.6) +
          stroke('M-46-32q-4 16-2 30M-16-41q-2 18-1 34M16-41q2 18 1 34M46-32q4 16 2 30', '#7a3a0c', 5, 0.5) +
          stroke('M-43-32q-4 16-2 28M-13-41q-2 18-1 32M19-41q2 18 1 32M49-32q4 16 2 28', '#ffe9ad', 3, 0.8) +
          stroke('M-64-6q8-24 34-32', '#fff6d2', 6, 0.6) +
          stroke('M-58-4l3 1M-30-22l3-1M-32-6l2 2M0-32l3 1M2-16l-2 3M30-24l3 1M32-8l2 2M60-4l3-1', '#3f7a2c', 3.4) +
          stroke('M-8-26q6 3 8 8M26-14q6 3 6 6M-44-14q4 1 6 5', '#5a2508', 5, 0.3),
      ),
    board(p, next) +
      laid(p, copies(`${p}p`, [[100, 62]], next, 0.98, 12, 0)) +
      laid(p, copies(`${p}p`, [[101, 134]], next, 1.02, 12, 0)) +
      flecks(10, 74, next, '#4f8a34'),
  ];
const parcel =
  (c: string): Drawing =>
  (next, p) => [
    slope(
      `${p}n`,
      [
        [0, '#f8d48c'],
        [0.5, '#e2a047'],
        [1, '#9a5519'],
      ],
      true,
    ) +
      herb(p) +
      symbol(
        `${p}p`,
        fill('M-46-40q40-8 88-2 10 40 4 86-46 8-90 2-10-44-2-86z', `url(#${p}n)`) +
          fill('M-16-14L0-26 16-14 28 0 16 16 0 26-16 15-28 0z', mix(c, '#3a1200', 0.35)) +
          stroke('M-12-8h0M2-14h0M12-4h0M-4 4h0M8 10h0M-14 6h0M0 16h0M18 4h0', c, 9) +
          stroke('M-6-12h0M8-10h0M0 6h0', '#fff', 2, 0.7) +
          fill('M-46-40L-10-4-20 4-48 44C-56 10-54-18-46-40z', '#f3c06a') +
          fill('M46 44L12 6 22-2 42-42C50-14 52 16 46 44z', '#d08a36') +
          stroke('M-40-32L-12-4M38 34L14 8', '#7a3a0c', 2.5, 0.5) +
          stroke('M-40-28q-6 20-3 44', '#fff4cc', 5, 0.6),
      ),
    board(p, next) +
      laid(p, copies(`${p}p`, [[100, 100]], next, 1.25, 40, 0)) +
      flecks(14, 78, next, '#4f8a34') +
      leaf(p, [[156, 44]], next, 1.4),
  ];
const fries: Drawing = (next, p) => [
  slope(`${p}n`, [
    [0, '#ffe9a0'],
    [0.35, '#f7cf63'],
    [0.65, '#e8a932'],
    [1, '#a8641a'],
  ]) +
    symbol(
      `${p}p`,
      fill('M-5.5-37q5-2 11 0l1 74q-6 2-12 0z', `url(#${p}n)`) +
        stroke('M-3.5-30L-3.2 24', '#fff6cc', 1.8, 0.8) +
        stroke('M-5-35h10M-5 35h10', '#a8641a', 3, 0.55),
    ),
  board(p, next) +
    heap(p, 'p', 26, 56, next, 360, 1.05) +
    flecks(46, 72, next, '#b9301f', 2.4, 'l1 1') +
    flecks(26, 70, next, '#5e0d05', 1.6, 'h0') +
    pot(150, 152, 26, '#c6331f'),
];
const wedges: Drawing = (next, p) => [
  slope(
    `${p}n`,
    [
      [0, '#fbe09a'],
      [0.6, '#eab552'],
      [1, '#b8741f'],
    ],
    true,
  ) +
    symbol(
      `${p}p`,
      fill('M-38 6C-30-18 26-22 38 2 24 16-22 20-38 6z', '#7a4112') +
        fill('M-36 4C-28-17 24-20 36 0 22 8-20 12-36 4z', `url(#${p}n)`) +
        stroke('M-24-2Q0-10 24-3', '#fff3c4', 3, 0.7) +
        stroke('M-16 4h6M4 3h8M22 1h4', '#9a5a14', 2.5, 0.6) +
        stroke('M-20 12Q4 16 26 8', '#4a2408', 2, 0.5),
    ),
  board(p, next) +
    heap(p, 'p', 15, 56, next) +
    flecks(24, 70, next, '#4f8a34', 2.2) +
    flecks(20, 70, next, '#b9301f', 1.8, 'h0') +
    pot(152, 150, 25, '#fbe9b8'),
];
const dip =
  (c: string, bits: string): Drawing =>
  (next, p) => [
    herb(p) +
      gradient(
        `${p}n`,
        [
          [0, mix(c, '#ffffff', 0.45)],
          [0.6, c],
          [1, mix(c, '#5a2a00', 0.3)],
        ],
        'cx="40%" cy="36%" r="70%"',
      ),
    under(p, 88, 86, 110) +
      fill(round(84), '#cdb99c') +
      fill(round(83, 99, 98), '#fffaf2') +
      stroke('M30 66A78 78 0 0 1 96 22', '#fff', 5, 0.9) +
      fill(round(72), '#8a6a45', 0.6) +
      fill(disc(100, 102, 70, 1.5, next, 18), `url(#${p}n)`) +
      stroke('M60 118q-6-38 34-46t50 26-24 44-44-12 12-36 28 0-6 26', mix(c, '#5a2a00', 0.25), 7, 0.35) +
      stroke('M58 114q-6-38 34-46t50 26-24 44-44-12 12-36 28 0-6 26', mix(c, '#ffffff', 0.6), 5, 0.75) +
      laid(p, stroke(spots(scatter(15, 58, next), 'l3 2'), bits, 6)) +
      stroke(spots(scatter(15, 56, next)), '#fff', 1.8, 0.6) +
      leaf(
        p,
        [
          [128, 66],
          [142, 74],
        ],
        next,
        1.3,
      ),
  ];
const heaped =
  (what: (p: string) => string, bowlColour: string | null, count: number, more: Drawing = () => ['', '']): Drawing =>
  (next, p) => {
    const [defs, body] = more(next, p);
    const plate = bowlColour === null ? board(p, next) : bowl(p, bowlColour, mix(bowlColour, '#7a4a1c', 0.2));
    return [
      what(p) + herb(p) + defs,
      plate +
        heap(p, 'p', count, bowlColour === null ? 50 : 54, next, 70, 1.06) +
        body +
        leaf(
          p,
          [
            [118, 74],
            [132, 84],
          ],
          next,
          1.4,
        ),
    ];
  };
const withPot =
  (c: string): Drawing =>
  () => ['', pot(152, 150, 27, c)];
const wing = (p: string, c: string) =>
  lit(`${p}n`, c) +
  symbol(
    `${p}p`,
    fill(
      'M-34 6C-37-11-20-19-6-13 2-10 8-14 16-18c9-4 22 0 22 10s-8 15-17 15C12 7 8 13 0 18-13 25-32 21-34 6z',
      `url(#${p}n)`,
    ) +
      stroke('M-28 13q12 7 26-1M18 3q10 0 15-6', mix(c, '#2a0d00', 0.7), 5, 0.4) +
      stroke('M-20 7h0M-9 4h0M4 5h0M20-4h0M-14-2h0M-26 2h0M11-7h0', mix(c, '#2a0d00', 0.65), 4, 0.5) +
      stroke('M-24-5q8-8 18-5M13-10q8-5 15-2', '#fff4d6', 4.5, 0.75) +
      stroke('M-16-8h0M22-12h0', '#fff', 3.5, 0.95) +
      stroke('M-2-11q-4 8 2 14', mix(c, '#2a0d00', 0.5), 2, 0.6) +
      stroke('M-10 10l2 1M2-4l2-1M28-6l1 2', '#4f8a34', 2.6),
  );
const drumstick = (p: string, c: string) =>
  lit(`${p}n`, c) +
  symbol(
    `${p}p`,
    stroke('M26 16L48 32', '#cdb28a', 11) +
      stroke('M25 14L47 30', '#fbf1dc', 8.5) +
      fill(`${round(7, 51, 28)}${round(6.5, 46, 37)}`, '#fbf1dc') +
      fill('M-38-8C-38-32-12-36 6-24 22-13 34 6 34 14s-10 12-20 8C-8 18-38 16-38-8z', `url(#${p}n)`) +
      stroke('M-26-14q10-12 26-6', '#fff', 4.5, 0.5) +
      stroke('M-24 0h0M-8-4h0M8 2h0M-4 10h0M20 8h0M-16-18h0', mix(c, '#1a0500', 0.6), 5, 0.45),
  );

const pasta =
  (sauce: string, tube: string, more: Drawing): Drawing =>
  (next, p) => {
    const [defs, body] = more(next, p);
    return [
      slope(`${p}n`, [
        [0, mix(tube, '#ffffff', 0.55)],
        [0.5, tube],
        [1, mix(tube, '#5a1a00', 0.42)],
      ]) +
        herb(p) +
        symbol(
          `${p}p`,
          fill('M-7.5-19l15 4v36l-15-4z', `url(#${p}n)`) +
            stroke('M-3-15v32M2-13v31', mix(tube, '#5a1a00', 0.3), 1, 0.55) +
            fill('M-7.5-19l15 4-3 3.500q-6 1-12-7.500z', mix(tube, '#3a0d00', 0.55)) +
            stroke('M-5-10v18', '#fff', 1.8, 0.65),
        ) +
        defs,
      bowl(p, '#fbf3e6', sauce) +
        stroke(spots(around(14, 50, 70, next), 'l8 4'), mix(sauce, '#ffffff', 0.35), 5, 0.5) +
        heap(p, 'p', 24, 58, next, 360, 1.08) +
        stroke(spots(scatter(12, 52, next), 'l9 5'), sauce, 8, 0.5) +
        body +
        leaf(
          p,
          [
            [96, 80],
            [110, 90],
          ],
          next,
          1.7,
        ) +
        flecks(16, 60, next, '#fff8e0', 3),
    ];
  };
const rice =
  (more: Drawing, colour: string): Drawing =>
  (next, p) => {
    const [defs, body] = more(next, p);
    const grains = (count: number, paint: string) =>
      stroke(
        scatter(count, 70, next)
          .map(([x, y]) => `M${list(x, y)}l${list(Math.round((next() - 0.5) * 14), Math.round((next() - 0.5) * 14))}`)
          .join(''),
        paint,
        4.2,
      );
    return [
      herb(p, '#4c9a3b') +
        gradient(`${p}n`, [
          [0, mix(colour, '#ffffff', 0.3)],
          [0.7, colour],
          [1, mix(colour, '#5a2a00', 0.45)],
        ]) +
        defs,
      bowl(p, '#3d6b88', `url(#${p}n)`) +
        grains(60, mix(colour, '#7a4a10', 0.35)) +
        grains(64, mix(colour, '#ffffff', 0.35)) +
        grains(50, mix(colour, '#ffffff', 0.7)) +
        body +
        leaf(p, [[104, 92]], next, 1.6),
    ];
  };
const topped =
  (id: string, shape: string, c: string, e: string, places: number, scale: number, isIn = 50): Drawing =>
  (next, p) => [
    symbol(`${p}q${id}`, piece({ id, shape, c, e })),
    laid(p, copies(`${p}q${id}`, scatter(places, isIn, next), next, scale)),
  ];
const both =
  (one: Drawing, other: Drawing): Drawing =>
  (next, p) => {
    const [a, b] = [one(next, p), other(next, p)];
    return [a[0] + b[0], a[1] + b[1]];
  };
const dotted =
  (count: number, c: string, width: number): Drawing =>
  (next) => [
    '',
    stroke(spots(scatter(count, 60, next), 'l1 1'), mix(c, '#1a0800', 0.4), width + 1.5) +
      stroke(spots(scatter(count, 60, next), 'l1 1'), c, width),
  ];
const soup: Drawing = (next, p) => [
  herb(p) +
    gradient(`${p}n`, [
      [0, '#fbf0d2'],
      [0.7, '#ead5a6'],
      [1, '#c4a36a'],
    ]) +
    symbol(`${p}p`, piece({ id: 'mushroom', shape: 'cap', c: '#c9b190', e: '#7a5c38' })),
  bowl(p, '#fbf3e6', `url(#${p}n)`) +
    stroke('M56 108q10-46 52-40t36 40-44 26-18-30 26-10', '#fffdf4', 6, 0.85) +
    laid(
      p,
      copies(
        `${p}p`,
        [
          [80, 130],
          [132, 120],
          [104, 68],
        ],
        next,
        1.7,
      ),
    ) +
    flecks(22, 64, next, '#3d2a14', 2, 'h0') +
    leaf(
      p,
      [
        [98, 104],
        [112, 98],
      ],
      next,
      1.6,
    ) +
    flecks(12, 62, next, '#4f8a34', 2.4),
];

const molten =
  (cake: string, heart: string): Drawing =>
  (next, p) => [
    gradient(
      `${p}n`,
      [
        [0, mix(cake, '#fff0d0', 0.25)],
        [0.7, cake],
        [1, mix(cake, '#1a0500', 0.45)],
      ],
      'cx="40%" cy="36%" r="70%"',
    ) +
      gradient(
        `${p}h`,
        [
          [0, mix(heart, '#ffffff', 0.3)],
          [0.6, heart],
          [1, mix(heart, '#1a0500', 0.4)],
        ],
        'cx="38%" cy="34%" r="70%"',
      ),
    under(p, 90, 88, 110) +
      fill(round(86), '#cdb99c') +
      fill(round(85, 99, 98), '#fffaf2') +
      stroke('M28 66A80 80 0 0 1 96 20', '#fff', 5, 0.9) +
      fill(round(75), '#4a2408', 0.65) +
      fill(disc(100, 101, 72, 2.5, next, 20), `url(#${p}n)`) +
      stroke(spots(around(30, 34, 66, next), 'l2 1'), mix(cake, '#1a0500', 0.5), 4, 0.45) +
      stroke(spots(around(18, 34, 66, next), 'h1'), mix(cake, '#fff0d0', 0.4), 3, 0.5) +
      laid(
        p,
        fill('M66 96C62 72 88 60 108 64s36 18 32 38c-3 16 12 26 2 36-8 8-16-4-24-6-18 6-48-8-52-36z', `url(#${p}h)`),
      ) +
      stroke('M78 86q8-14 26-14', '#fff', 5, 0.75) +
      stroke('M122 116q8 4 6 14', '#fff', 3, 0.5) +
      stroke(spots(scatter(26, 68, next), 'h0'), '#fff', 2.6, 0.8),
  ];
const brownie: Drawing = (next, p) => [
  gradient(
    `${p}n`,
    [
      [0, '#7a4522'],
      [0.7, '#56290f'],
      [1, '#34160a'],
    ],
    'cx="35%" cy="30%" r="85%"',
  ) +
    lit(`${p}w`, '#c98f4e') +
    symbol(
      `${p}p`,
      fill('M-40 40h80v9h-80z', '#241006') +
        fill('M-41-38q38-5 82 0 4 38-1 78-42 5-80 0-5-40-1-78z', `url(#${p}n)`) +
        stroke('M-30-16q14 8 24-2t26 4M-20 18q18-8 30 4t26-6M-26 30h12', '#2a1006', 2.5, 0.65) +
        stroke('M-32-30q18-4 34-2', '#d9a67a', 4, 0.45) +
        [
          [-20, -8],
          [14, -18],
          [22, 14],
          [-8, 20],
          [-26, 26],
        ]
          .map(
            ([x = 0, y = 0]) =>
              `<g transform="translate(${list(x, y)})">${fill('M-9 0C-9-7-2-8 1-4 5-8 10-4 8 2S-8 8-9 0z', `url(#${p}w)`)}${stroke('M-4-2q3 3 8 1', '#7a4a1c', 1.5)}</g>`,
          )
          .join(''),
    ),
  under(p, 94, 92) +
    fill(round(92), '#cdb99c') +
    fill(round(91, 99, 98.5), '#fffaf2') +
    fill(round(70), '#efe3d2', 0.8) +
    laid(p, copies(`${p}p`, [[82, 118]], next, 0.98, 0, 0).replace(')"', ')rotate(-12)"')) +
    laid(p, copies(`${p}p`, [[118, 82]], next, 1.02, 0, 0).replace(')"', ')rotate(9)"')) +
    stroke(spots(around(26, 30, 84, next)), '#6b3a1a', 2, 0.6),
];
const jamun: Drawing = (_, p) => [
  lit(`${p}n`, '#8a3d14') + herb(p, '#6fa644'),
  bowl(p, '#fbf3e6', '#d98f2c') +
    stroke('M44 96q20 50 66 56M130 46q26 20 26 50', '#ffe2a0', 5, 0.65) +
    laid(p, fill(round(38, 76, 92), `url(#${p}n)`)) +
    laid(p, fill(round(38, 124, 116), `url(#${p}n)`)) +
    stroke('M52 78q8-16 24-18M102 100q8-16 24-18', '#fff', 6, 0.7) +
    stroke('M72 88h4M84 98l3 2M120 112h4M132 122h3M78 76l3 2M126 100h3', '#8fc25a', 4) +
    stroke('M88 84h3M110 118l3 1M136 108h3', '#f4e2b4', 3.5),
];
const custard =
  (top: string, rim: string, bits: string, more = ''): Drawing =>
  (next, p) => [
    gradient(
      `${p}n`,
      [
        [0, mix(top, '#ffffff', 0.35)],
        [0.65, top],
        [1, mix(top, '#3a1500', 0.35)],
      ],
      'cx="40%" cy="36%" r="72%"',
    ) + herb(p, '#6fa644'),
    under(p, 92, 90, 109) +
      fill(round(88), mix(rim, '#2a1000', 0.4)) +
      fill(round(87, 99, 98.5), rim) +
      stroke('M26 64A82 82 0 0 1 96 17', '#fff', 5, 0.45) +
      fill(round(75), mix(rim, '#1a0800', 0.55)) +
      fill(round(73, 100, 102), `url(#${p}n)`) +
      stroke('M50 86q14-34 50-34', '#fff', 6, 0.45) +
      more +
      laid(p, stroke(spots(scatter(16, 46, next), 'l4 2'), bits, 5.5)) +
      flecks(12, 60, next, '#5e8f35', 3),
  ];
const CUP = 'M46 74h108l-13 100q-1 9-10 9H69q-9 0-10-9z';
/** Soaked sponge between cream, from a height on. */
const sponge = (y: number) =>
  fill(`M40 ${y}q14-6 28 0t28 0 28 0 40 0v22q-16 5-30 0t-30 0-30 0-34 0z`, '#b9763a') +
  fill(`M40 ${y + 11}q14-4 28 0t28 0 28 0 40 0v11q-16 5-30 0t-30 0-30 0-34 0z`, '#6b3514', 0.85) +
  stroke(`M62 ${y + 6}h0M80 ${y + 9}h0M98 ${y + 5}h0M116 ${y + 9}h0M134 ${y + 6}h0`, '#f2c88c', 3, 0.8);
const tiramisu: Drawing = (next, p) => [
  slope(`${p}n`, [
    [0, '#3a1a0a', 0.35],
    [0.14, '#ffffff', 0.5],
    [0.3, '#ffffff', 0],
    [0.8, '#3a1a0a', 0],
    [1, '#3a1a0a', 0.4],
  ]) + `<clipPath id="${p}c"><path d="${CUP}"/></clipPath>${herb(p)}`,
  under(p, 60, 9, 184) +
    `<g clip-path="url(#${p}c)">${fill(CUP, '#fff3da')}${sponge(150)}${sponge(104)}</g>` +
    fill(CUP, `url(#${p}n)`) +
    laid(
      p,
      fill(
        'M44 78C40 58 58 50 68 54 70 36 92 30 104 40c14-10 34-2 34 14 14-2 22 10 18 24-10 10-102 10-112 0z',
        '#fffaf0',
      ),
    ) +
    stroke('M62 76q6-16 22-14M96 74q4-20 24-18M84 50q8-10 20-4', '#e5cda2', 3.5, 0.75) +
    stroke(
      spots(scatter(44, 46, next).map(([x, y]): Place => [x, Math.round(57 + (y - 100) * 0.38)])),
      '#5a2e15',
      3.2,
      0.85,
    ) +
    stroke('M72 64q6-8 14-6', '#fff', 4, 0.9) +
    laid(
      p,
      fill('M112 34q-10-2-12-12 12-2 16 6 1 5-4 6z', '#4a2410') +
        fill('M128 42q-12 2-16-8 10-8 18 0 2 5-2 8z', '#5f3016'),
    ) +
    stroke('M103 24q5 5 9 9M114 35q7 1 13 5', '#1f0c04', 2) +
    stroke('M57 88l10 82', '#fff', 5, 0.6) +
    leaf(p, [[82, 42]], next, 1.15),
];
const cinnamon = (p: string) =>
  lit(`${p}n`, '#cf8a3c') +
  symbol(
    `${p}p`,
    fill(NUGGET, `url(#${p}n)`) +
      stroke('M9 1A9 8 0 1 1-1-8q9 1 8 8T-3 3', '#6b300a', 3.5, 0.75) +
      stroke('M-12-4h0M-4-13h0M8-10h0M13 4h0M4 12h0M-9 9h0M-14 3h0M0-4h0', '#fff', 2.4, 0.9),
  );

/** A bottle of glass: liquid, label, cap, drops. */
const bottle =
  (liquid: string, label: string, cap: string, isBig = false): Drawing =>
  (next, p) => {
    const body = isBig
      ? 'M84 22h32v14c0 18 30 22 30 54v78c0 14-6 20-18 20H72c-12 0-18-6-18-20V90c0-32 30-36 30-54z'
      : 'M86 30h28v18c0 18 22 22 22 48v76c0 12-5 16-15 16H79c-10 0-15-4-15-16V96c0-26 22-30 22-48z';
    const [left, right, top, high] = isBig ? [54, 146, 96, 52] : [64, 136, 104, 46];
    const wide = right - left;
    return [
      slope(`${p}n`, [
        [0, mix(liquid, '#1a0500', 0.5)],
        [0.2, mix(liquid, '#ffffff', 0.28)],
        [0.42, liquid],
        [0.8, mix(liquid, '#1a0500', 0.3)],
        [0.92, mix(liquid, '#ffffff', 0.18)],
        [1, mix(liquid, '#1a0500', 0.55)],
      ]) +
        slope(`${p}l`, [
          [0, mix(label, '#1a0500', 0.35)],
          [0.25, mix(label, '#ffffff', 0.25)],
          [0.5, label],
          [1, mix(label, '#1a0500', 0.4)],
        ]),
      under(p, wide * 0.75, 10, 187) +
        fill(body, `url(#${p}n)`) +
        fill(`M${left} ${top}h${wide}v${high}h-${wide}z`, `url(#${p}l)`) +
        stroke(
          `M${left + 8} ${top + high * 0.62}q${wide * 0.22} -26 ${wide * 0.42}-8t${wide * 0.42}-8`,
          '#fff',
          7,
          0.92,
        ) +
        stroke(`M${left + 4} ${top + 5}h${wide - 8}M${left + 4} ${top + high - 5}h${wide - 8}`, '#fff', 1.5, 0.6) +
        stroke(`M${left + 10} ${top + high + 8}v22M${left + 12} ${top - 10}q2-16 16-24`, '#fff', 5, 0.5) +
        stroke(
          spots(
            Array.from({ length: 18 }, (): Place => [
              Math.round(left + 8 + next() * (wide - 16)),
              Math.round(top + high + 4 + next() * 32),
            ]),
          ),
          '#fff',
          2.4,
          0.5,
        ) +
        fill(isBig ? 'M82 8q0-3 3-3h30q3 0 3 3v18H82z' : 'M84 14q0-3 3-3h26q3 0 3 3v19H84z', cap) +
        stroke(
          isBig ? 'M88 8v16M95 8v16M102 8v16M109 8v16' : 'M90 14v17M96 14v17M102 14v17M108 14v17',
          '#000',
          1.5,
          0.25,
        ) +
        stroke(isBig ? 'M86 9v14' : 'M88 15v14', '#fff', 3, 0.5),
    ];
  };
const carton: Drawing = (_, p) => [
  slope(`${p}n`, [
    [0, '#f9a824'],
    [0.7, '#f28c12'],
    [1, '#d9700a'],
  ]) + lit(`${p}m`, '#ffb728'),
  under(p, 58, 10, 187) +
    stroke('M126 44L144 6h14', '#d8372a', 7) +
    stroke('M125 42L142 5', '#ffb0a0', 2, 0.8) +
    fill('M52 52L68 34h70l12 18z', '#ffcf6b') +
    fill('M52 52h98v120q0 14-12 14H64q-12 0-12-14z', `url(#${p}n)`) +
    fill('M128 52h22v120q0 14-12 14h-10z', '#b8560a', 0.35) +
    fill('M58 62h66v112H66q-8 0-8-8z', '#fff', 0.12) +
    fill('M62 118C62 92 90 84 108 96s16 44-6 54-40-8-40-32z', `url(#${p}m)`) +
    stroke('M72 110q6-14 20-16', '#fff', 5, 0.7) +
    fill('M104 96c0-14 12-20 26-18-2 14-12 20-26 18z', '#4f9a35') +
    stroke('M104 96l22-16', '#2f6a1c', 1.5) +
    stroke('M60 60v100', '#fff', 4, 0.45),
];
const cup =
  (drink: string, top: string, isIced: boolean): Drawing =>
  (next, p) => [
    slope(`${p}n`, [
      [0, mix(drink, '#1a0500', 0.35)],
      [0.22, mix(drink, '#ffffff', 0.35)],
      [0.5, drink],
      [1, mix(drink, '#1a0500', 0.4)],
    ]),
    under(p, 52, 9, 187) +
      (isIced ? stroke('M112 40L128 4', '#3d7a2c', 8) + stroke('M110 40L126 4', '#8fc25a', 2.5) : '') +
      fill('M50 48h100l-11 128q-1 12-12 12H73q-11 0-12-12z', '#dfeaee', 0.75) +
      fill('M55 62h90l-9 112q-1 9-10 9H74q-9 0-10-9z', `url(#${p}n)`) +
      fill('M55 62q12-8 22-2t22-2 22 2 24 2l-2 26q-14 12-26 2t-24 4-20-4-18 2z', top) +
      (isIced
        ? stroke('M74 92l12-6 6 12M104 100l14 2-2 12', '#fff', 3, 0.55) +
          flecks(9, 18, next, '#3a1a0a', 3).replace('<path', '<path transform="translate(0-24)"')
        : flecks(9, 18, next, '#c98a12', 3.5).replace('<path', '<path transform="translate(0-24)"') +
          stroke('M84 70h5M108 74l5-2M96 82h4', '#7fb04a', 4)) +
      fill('M44 40q0-8 8-8h96q8 0 8 8v6q0 5-5 5H49q-5 0-5-5z', '#fff', 0.92) +
      stroke('M48 46h104', '#9fb4bd', 2, 0.7) +
      stroke('M66 70l6 96', '#fff', 6, 0.5),
  ];

type Row = readonly [words: string, drawing: Drawing];
const CHICKEN_BITS = topped('chunk', 'chunk', '#c99164', '#8a5a34', 6, 1.5);
/** By kind: the last row whose words all stand in the dish's name, also as parts of its words, is taken, else the first. */
const TABLE: Readonly<Record<string, readonly Row[]>> = {
  SIDE: [
    ['bread', stuffed('#ffe08a', '#f6c945')],
    ['stick', sticks],
    ['paneer', stuffed('#ffe6ae', '#e8934a')],
    ['chicken', stuffed('#ffe6ae', '#b5764a')],
    ['wedge', wedges],
    ['fries', fries],
    ['dip', dip('#f7cf5f', '#b9301f')],
    ['jalapeno', dip('#f3dc8a', '#5f9e33')],
    ['mint', dip('#cfe3ac', '#3f8a3a')],
    ['pops', heaped((p) => ball(p, '#e0a040', true), '#fbf3e6', 17)],
    ['parcel', parcel('#f3e6c4')],
    ['chicken parcel', parcel('#c07a48')],
    ['soup', soup],
    [
      'bites',
      heaped((p) => ball(p, '#d98a32', true), '#b8402c', 17, both(dotted(14, '#c62a1c', 4), withPot('#c6331f'))),
    ],
  ],
  CHICKEN: [
    ['wing', heaped((p) => wing(p, '#c4701f'), null, 9, withPot('#fbe9b8'))],
    ['peri', heaped((p) => wing(p, '#c4501c'), null, 9, both(dotted(18, '#8a1408', 2.4), withPot('#c6331f')))],
    ['drumstick', heaped((p) => drumstick(p, '#8f3d14'), null, 4, dotted(16, '#f6dfb0', 1.8))],
    [
      'meatball',
      heaped((p) => ball(p, '#8a4522', true), '#fbf3e6', 13, both(dotted(14, '#c6331f', 6), withPot('#c6331f'))),
    ],
    ['bites', heaped((p) => nugget(p, '#e0a040'), '#b8402c', 15, withPot('#fbe9b8'))],
    [
      'boneless',
      heaped(
        (p) => nugget(p, '#dba54a'),
        null,
        14,
        both(dotted(20, '#2b2730', 1.8), topped('jalapeno', 'ring', '#f6dc5a', '#d9a81c', 3, 1.9, 60)),
      ),
    ],
  ],
  BEVERAGE: [
    ['cola', bottle('#4a1a0a', '#d8372a', '#d8372a')],
    ['zero', bottle('#2e120a', '#26242a', '#26242a')],
    ['lemon', bottle('#b5d94a', '#2f8f2a', '#f2d21f')],
    ['1.25', bottle('#4a1a0a', '#d8372a', '#d8372a', true)],
    ['water', bottle('#bfe2f4', '#1f6fc4', '#1f6fc4')],
    ['mango', carton],
    ['coffee', cup('#a8714a', '#fbeedb', true)],
    ['ginger', bottle('#cf8a2c', '#2f6a3a', '#7a3d12')],
    ['lassi', cup('#fbf1d8', '#fffdf4', false)],
  ],
  DESSERT: [
    ['molten', molten('#4a2210', '#2e0f05')],
    ['caramel', molten('#b3702c', '#e8a030')],
    ['brownie', brownie],
    ['cinnamon', heaped(cinnamon, '#fbf3e6', 15, withPot('#8a4a1c'))],
    ['tiramisu', tiramisu],
    ['jamun', jamun],
    ['watalappan', custard('#8a4a1c', '#fffaf2', '#f4e2b4')],
    ['doi', custard('#f2d9b0', '#b8623c', '#7fb04a')],
  ],
  RICE_PASTA: [
    ['white', pasta('#f6e6bd', '#f3d58a', () => ['', ''])],
    ['red', pasta('#b5321c', '#e8803f', () => ['', ''])],
    ['chicken', pasta('#b5321c', '#e8803f', CHICKEN_BITS)],
    ['rice', rice(both(dotted(16, '#6fb04a', 5), dotted(14, '#f08a2c', 5)), '#f0d38a')],
    [
      'devilled',
      rice(
        both(
          topped('chunk', 'chunk', '#b5371f', '#7c1f0e', 9, 1.7),
          topped('capsicum', 'strip', '#4e9a3b', '#2c5a20', 5, 1.2),
        ),
        '#eec678',
      ),
    ],
    ['seafood', rice(both(topped('prawn', 'hook', '#f09a72', '#c4633b', 7, 1.7), dotted(10, '#6fb04a', 5)), '#efd08a')],
  ],
};

/** What a dish that is no pizza is drawn by. */
export interface DishIdentity {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

/** Anything that is no pizza and no combo, by what its kind and name say it is, in a square of 200 units; null for other kinds. */
export function dishArt({ id, kind, name }: DishIdentity, p = ''): string | null {
  const rows = TABLE[kind];
  if (!rows) return null;
  const lower = name.toLowerCase();
  const has = ([words]: Row) => words.split(' ').every((word) => lower.includes(word));
  const [, drawing] = [...rows].reverse().find(has) ?? rows[0]!;
  const [defs, body] = drawing(numbers(id), p);
  return `<defs>${ground(p)}${defs}</defs><g fill="none" stroke-linecap="round" stroke-linejoin="round">${body}</g>`;
}
