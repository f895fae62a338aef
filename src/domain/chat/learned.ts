import { soundOf } from '../sound.ts';
import type { Intent } from './intents.ts';
import { ALONE, type Understood } from './understand.ts';
import type { MeaningName } from './words.ts';

/**
 * What questions are about, as it was learned from labelled ones (test/questions): several small nets of one hidden layer,
 * whose chances are averaged. A word of which no catalogue knows anything counts with its letters and its sound.
 */
export interface Knowledge {
  /** What is told apart; `beyond` is what this shop has no answer to. */
  readonly intents: readonly string[];
  /** The row of each feature, by its hash. */
  readonly rows: ReadonlyMap<number, number>;
  readonly nets: readonly Net[];
}
export interface Net {
  /** As many numbers for each row as the hidden layer has, in steps of that row. */
  readonly inner: Int8Array;
  readonly steps: Float32Array;
  /** For each unit of the hidden layer, how much it says for each intent. */
  readonly outer: Float32Array;
  readonly bias: Float32Array;
}
type Hash = number;

const LETTERS = [3, 4];
/** How much the kinds of features count beside a whole word. */
const OF_LETTERS = 0.5;
const OF_SOUND = 0.7;
const OF_PAIR = 0.7;
const LEAST_SOUND = 2;
/** Before the net: features of a long question count as much in all as those of a short one. */
export const GAIN = 3;

/** FNV-1a. */
function hashOf(feature: string): Hash {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** What a question has that tells what it asks: its words, their letters, sounds and meanings, and the rules that they fit. */
export function featuresOf({ words, spelt, said, fits }: Understood): Map<Hash, number> {
  const found = new Map<Hash, number>();
  const add = (feature: string, value: number) => found.set(hashOf(feature), value);
  const sounds = words.map((word) => soundOf(word).exact);
  for (const [at, word] of spelt.entries()) {
    add(`w:${word}`, 1);
    if (at > 0) add(`b:${spelt[at - 1]!} ${word}`, 1);
    const closed = `^${word}$`;
    for (const many of LETTERS)
      for (let from = 0; from + many <= closed.length; from += 1)
        add(`c:${closed.slice(from, from + many)}`, OF_LETTERS);
    if (sounds[at]!.length >= LEAST_SOUND) add(`k:${sounds[at]!}`, OF_SOUND);
    if (at > 0) add(`kb:${sounds[at - 1]!} ${sounds[at]!}`, OF_SOUND);
  }
  const names = [...said.keys()].sort();
  for (const [name, sure] of said) add(`m:${name}`, sure);
  for (const [at, name] of names.entries()) for (const other of names.slice(at + 1)) add(`p:${name}+${other}`, OF_PAIR);
  const most = Math.max(1, ...fits.values());
  for (const [intent, score] of fits) add(`s:${intent}`, score / most);
  return found;
}
/** The same in their rows, with all of a question's features one long. */
function rowsOf(features: ReadonlyMap<Hash, number>, rows: ReadonlyMap<Hash, number>): (readonly [number, number])[] {
  const known = [...features].flatMap(([hash, value]) => {
    const row = rows.get(hash);
    return row === undefined ? [] : [[row, value] as const];
  });
  const length = Math.sqrt(known.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
  return known.map(([row, value]) => [row, (value * GAIN) / length]);
}

/** How likely each intent is, 0 to 1, the likeliest first. */
function chancesOf({ intents, rows, nets }: Knowledge, understood: Understood): [intent: string, chance: number][] {
  const known = rowsOf(featuresOf(understood), rows);
  const sum = intents.map(() => 0);
  for (const net of nets)
    for (const [at, chance] of chancesIn(net, known, intents.length).entries()) sum[at]! += chance;
  return intents
    .map((intent, at): [string, number] => [intent, sum[at]! / nets.length])
    .sort(([, one], [, other]) => other - one);
}
function chancesIn({ inner, steps, outer, bias }: Net, known: readonly (readonly [number, number])[], many: number) {
  const units = outer.length / many;
  const hidden = new Float64Array(units);
  for (const [row, value] of known)
    for (let unit = 0; unit < units; unit += 1) hidden[unit]! += inner[row * units + unit]! * steps[row]! * value;
  const told = Float64Array.from(bias);
  for (let unit = 0; unit < units; unit += 1)
    if (hidden[unit]! > 0) for (let at = 0; at < many; at += 1) told[at]! += outer[unit * many + at]! * hidden[unit]!;
  return shares(told);
}
/** Numbers as shares of one (softmax). */
export function shares(told: Float64Array): Float64Array {
  const most = Math.max(...told);
  const grown = told.map((one) => Math.exp(one - most));
  const sum = grown.reduce((all, one) => all + one, 0);
  return grown.map((one) => one / sum);
}

/** The file of what was learned: a line of JSON, and then numbers, each kind after the other (test/questions/learn.ts). */
export function readLearned(file: Uint8Array): Knowledge {
  const end = file.indexOf(0x0a);
  const head = JSON.parse(new TextDecoder().decode(file.subarray(0, end))) as {
    intents: string[];
    rows: number;
    nets: number;
    units: number;
  };
  const many = head.intents.length;
  let at = end + 1;
  const next = (bytes: number) => file.buffer.slice(file.byteOffset + at, file.byteOffset + (at += bytes));
  const hashes = new Uint32Array(next(head.rows * Uint32Array.BYTES_PER_ELEMENT));
  const floats = (count: number) => new Float32Array(next(count * Float32Array.BYTES_PER_ELEMENT));
  const nets = Array.from({ length: head.nets }, (): Net => {
    const [steps, outer, bias] = [floats(head.rows), floats(head.units * many), floats(many)];
    return { steps, outer, bias, inner: new Int8Array(next(head.rows * head.units)) };
  });
  return { intents: head.intents, rows: new Map([...hashes].map((hash, row) => [hash, row])), nets };
}

/** Below this chance nothing is answered: the customer is asked what is meant. Letters alone have to be surer. */
const LEAST_CHANCE = 0.35;
const LEAST_OF_LETTERS = 0.7;
const LIKELY = 0.05;
/** What is said by no word that is known. */
const WORDLESS: ReadonlySet<MeaningName> = new Set(['unknown', 'sum', 'clock']);
/** Which of these it is depends on the dish and the things that the menu knows, and those the rules read. */
const OF_DISHES: ReadonlySet<string> = new Set(['free', 'find', 'contains']);
const DENIED: ReadonlySet<string> = new Set([
  'cancel',
  'cold',
  'damaged',
  'late',
  'missing',
  'taste',
  'wrong',
  'rider',
]);
/** Whoever must not eat something is answered by what the menu says of it, and by no dish that may have it. */
const CAREFUL: ReadonlySet<Intent> = new Set(['free', 'find', 'contains', 'allergens', 'kitchen', 'halal']);
const CARELESS: ReadonlySet<string> = new Set([
  'dish',
  'made',
  'cheap',
  'popular',
  'serves',
  'recipe',
  'half',
  'spicy',
]);

/** Whether the rules decide, whatever the nets say (`learned`). */
function isRuled(ruled: Intent, said: Understood['said'], learned: string): boolean {
  // Whoever is ill comes first, and a word that stands alone needs no guess.
  if (ruled === 'harm' || ALONE.has(ruled)) return true;
  if (OF_DISHES.has(ruled) && OF_DISHES.has(learned)) return true;
  // Whoever says that the train is late, or wants the code for its coach, has ordered to it.
  if (learned === 'train' && ((ruled === 'where' && said.has('late')) || ruled === 'code')) return true;
  return (said.has('diet') || said.has('untold')) && CAREFUL.has(ruled) && CARELESS.has(learned);
}

/** What a question asks; null where nothing is answered. `likely`: what it may be about then, the likeliest first. */
export function decided(
  learned: Knowledge,
  understood: Understood,
): { readonly intent: Intent | null; readonly likely: readonly Intent[] } {
  const { intent: ruled, said } = understood;
  const chances = chancesOf(learned, understood);
  const [first, chance] = chances[0]!;
  if (ruled !== null && isRuled(ruled, said, first)) return { intent: ruled, likely: [] };
  // What is said not to be so is no complaint.
  if (ruled === null && said.has('denied') && DENIED.has(first)) return { intent: null, likely: [] };
  const isKnown = [...said.keys()].some((name) => !WORDLESS.has(name));
  // What is no business of a pizza shop asks for nothing.
  const likely = chances.flatMap(([intent, one]) =>
    isKnown && !said.has('work') && one >= LIKELY && intent !== 'beyond' && !ALONE.has(intent as Intent)
      ? [intent as Intent]
      : [],
  );
  if (first === 'beyond') return { intent: null, likely };
  if (chance >= (isKnown ? LEAST_CHANCE : LEAST_OF_LETTERS)) return { intent: first as Intent, likely: [] };
  // Several may be right, as where an order is and when it comes: then it is what the rules say.
  return ruled !== null && likely.includes(ruled) ? { intent: ruled, likely: [] } : { intent: null, likely };
}
