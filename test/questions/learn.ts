import { GAIN, shares, type Knowledge, type Net } from '../../src/domain/chat/learned.ts';

/** A question, and what it may be about: each of these is right. */
export interface Example {
  readonly features: ReadonlyMap<number, number>;
  readonly about: readonly string[];
}

const NETS = 3;
const UNITS = 32;
const ROUNDS = 12;
const RATE = 0.1;
/** Features that fewer examples have tell nothing. */
const LEAST_SEEN = 4;
/** So much is left out at random, so that no single word decides. */
const [LESS_FEATURES, LESS_UNITS] = [0.2, 0.2];
/** A question that is as surely right teaches nothing more. */
const SURE = 0.995;

/** Random numbers from 0 to 1, the same ones each time. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

interface Lesson {
  readonly known: readonly (readonly [row: number, value: number])[];
  readonly right: readonly number[];
}

/** Learns nets from examples (AdaGrad): what they say of one is right if it is any of what the example may be about. */
export function learn(examples: readonly Example[]): Knowledge {
  const intents = [...new Set(examples.flatMap(({ about }) => about))].sort();
  const seen = new Map<number, number>();
  for (const { features } of examples) for (const hash of features.keys()) seen.set(hash, (seen.get(hash) ?? 0) + 1);
  const kept = [...seen]
    .flatMap(([hash, many]) => (many >= LEAST_SEEN ? [hash] : []))
    .sort((one, other) => one - other);
  const rows = new Map(kept.map((hash, row) => [hash, row]));
  const lessons = examples.map(({ features, about }): Lesson => ({
    known: [...features].flatMap(([hash, value]) => {
      const row = rows.get(hash);
      return row === undefined ? [] : [[row, value] as const];
    }),
    right: about.map((intent) => intents.indexOf(intent)),
  }));
  const nets = Array.from({ length: NETS }, (_, at) => netOf(lessons, rows.size, intents.length, numbersFrom(at + 1)));
  return leaner({ intents, rows, nets });
}

/** Without the rows that say least: the last third of them changes one answer in three hundred. */
const MOST_ROWS = 50_000;
function leaner({ intents, rows, nets }: Knowledge): Knowledge {
  const most = (row: number) => Math.max(...nets.map(({ steps }) => steps[row]!));
  const kept = [...rows]
    .sort(([, one], [, other]) => most(other) - most(one))
    .slice(0, MOST_ROWS)
    .sort(([one], [other]) => one - other);
  return {
    intents,
    rows: new Map(kept.map(([hash], row) => [hash, row])),
    nets: nets.map(({ inner, steps, ...rest }) => ({
      ...rest,
      inner: Int8Array.from(kept.flatMap(([, row]) => [...inner.subarray(row * UNITS, (row + 1) * UNITS)])),
      steps: Float32Array.from(kept.map(([, row]) => steps[row]!)),
    })),
  };
}

/** Weights, and how far each has moved: AdaGrad moves them less each time. */
class Weights {
  readonly values: Float32Array;
  private readonly moved: Float32Array;
  constructor(length: number, start: () => number) {
    this.values = Float32Array.from({ length }, start);
    this.moved = new Float32Array(length).fill(1e-3);
  }
  move(at: number, slope: number): void {
    this.moved[at]! += slope * slope;
    this.values[at]! -= (RATE * slope) / Math.sqrt(this.moved[at]!);
  }
}

function netOf(lessons: readonly Lesson[], rows: number, many: number, random: () => number): Net {
  const inner = new Weights(rows * UNITS, () => (random() - 0.5) * 0.2);
  const outer = new Weights(UNITS * many, () => (random() - 0.5) * 0.3);
  const bias = new Weights(many, () => 0);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const lesson of shuffled(lessons, random)) teach(lesson, { inner, outer, bias, many }, random);
  return { ...inSteps(inner.values, rows), outer: outer.values, bias: bias.values };
}
function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const mixed = [...all];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

interface Layers {
  readonly inner: Weights;
  readonly outer: Weights;
  readonly bias: Weights;
  readonly many: number;
}
function teach({ known: all, right }: Lesson, { inner, outer, bias, many }: Layers, random: () => number): void {
  const known = all.filter(() => random() >= LESS_FEATURES);
  const length = Math.sqrt(known.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
  const hidden = new Float64Array(UNITS);
  for (const [row, value] of known)
    for (let unit = 0; unit < UNITS; unit += 1)
      hidden[unit]! += (inner.values[row * UNITS + unit]! * value * GAIN) / length;
  const open = hidden.map((one) => (one > 0 && random() >= LESS_UNITS ? 1 / (1 - LESS_UNITS) : 0));
  for (let unit = 0; unit < UNITS; unit += 1) hidden[unit]! *= open[unit]!;
  const told = Float64Array.from(bias.values);
  for (let unit = 0; unit < UNITS; unit += 1)
    if (hidden[unit]! > 0)
      for (let at = 0; at < many; at += 1) told[at]! += outer.values[unit * many + at]! * hidden[unit]!;
  const slopes = shares(told);
  const sure = right.reduce((sum, at) => sum + slopes[at]!, 0);
  if (sure > SURE) return;
  for (const at of right) slopes[at]! -= slopes[at]! / sure;
  const back = new Float64Array(UNITS);
  for (let unit = 0; unit < UNITS; unit += 1) {
    if (open[unit] === 0) continue;
    for (let at = 0; at < many; at += 1) {
      back[unit]! += outer.values[unit * many + at]! * slopes[at]! * open[unit]!;
      outer.move(unit * many + at, slopes[at]! * hidden[unit]!);
    }
  }
  for (const [row, value] of known)
    for (let unit = 0; unit < UNITS; unit += 1)
      if (back[unit] !== 0) inner.move(row * UNITS + unit, (back[unit]! * value * GAIN) / length);
  for (let at = 0; at < many; at += 1) bias.move(at, slopes[at]!);
}

/** Each row's numbers in 127 steps of its own. */
function inSteps(values: Float32Array, rows: number): Pick<Net, 'inner' | 'steps'> {
  const inner = new Int8Array(values.length);
  const steps = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const own = values.subarray(row * UNITS, (row + 1) * UNITS);
    steps[row] = Math.max(...own.map(Math.abs)) / 127;
    for (const [at, value] of own.entries()) inner[row * UNITS + at] = Math.round(value / steps[row]!);
  }
  return { inner, steps };
}

/** As readLearned (src/domain/chat/learned.ts) reads it. */
export function written({ intents, rows, nets }: Knowledge): Uint8Array {
  const head = new TextEncoder().encode(
    `${JSON.stringify({ intents, rows: rows.size, nets: nets.length, units: nets[0]!.outer.length / intents.length })}\n`,
  );
  const hashes = new Uint32Array(rows.size);
  for (const [hash, row] of rows) hashes[row] = hash;
  const parts = [hashes, ...nets.flatMap(({ steps, outer, bias, inner }) => [steps, outer, bias, inner])];
  const bytes = [head, ...parts.map(({ buffer }) => new Uint8Array(buffer))];
  const all = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of bytes) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}
