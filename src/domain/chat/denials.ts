import { wordsOf } from '../slips.ts';
import { phrasesOf, type Catalogue, type MeaningName, type WordKey } from './words.ts';

/** A word of a question, with what it may mean and how surely. */
export interface Token {
  readonly word: string;
  readonly meanings: ReadonlyMap<MeaningName, number>;
  readonly isFiller: boolean;
  readonly isNumber: boolean;
  /** Whether it is within a phrase, whose "not" is its own: not hot. */
  readonly isWithin?: boolean;
}

/** What is another thing when it is denied. Not so the rest: "not refunded" still asks for the refund. */
const TURNED: ReadonlySet<MeaningName> = new Set([
  'cancel',
  'change',
  'cold',
  'damaged',
  'late',
  'missing',
  'wrong',
  'rude',
]);
/** Who cannot do these asks for them: "it does not let me cancel". */
const DONE: ReadonlySet<MeaningName> = new Set(['cancel', 'change']);
/** Also denied over the word for arriving: "it did not arrive cold"; "not arrived, cancel it" asks for it. */
const ARRIVED: ReadonlySet<MeaningName> = new Set(['cold', 'damaged']);

/** What denies, longest first, by where what is denied stands and whether it asks that something is not done. */
interface Denial {
  readonly words: readonly string[];
  readonly isBefore: boolean;
  readonly isRequest: boolean;
}
interface Denials {
  readonly denials: readonly Denial[];
  readonly unable: ReadonlySet<string>;
}
const known = new Map<Catalogue, Denials>();
function denialsOf(own: Catalogue): Denials {
  const held = known.get(own);
  if (held) return held;
  const rows = (key: WordKey, isBefore: boolean, isRequest: boolean): Denial[] =>
    phrasesOf(key, own).map((phrase) => ({ words: wordsOf(phrase), isBefore, isRequest }));
  const made = {
    denials: [
      ...rows('dontNext', true, true),
      ...rows('dontLast', false, true),
      ...rows('isntNext', true, false),
      ...rows('isntLast', false, false),
    ].sort((a, b) => b.words.length - a.words.length),
    unable: new Set(phrasesOf('unable', own).flatMap(wordsOf)),
  };
  known.set(own, made);
  return made;
}

const DENIED: ReadonlyMap<MeaningName, number> = new Map([['denied', 1]]);
const KEEP: ReadonlyMap<MeaningName, number> = new Map([['keep', 1]]);
const means = (token: Token | undefined, some: ReadonlySet<MeaningName>): boolean =>
  token !== undefined && [...token.meanings.keys()].some((name) => some.has(name));
const isOrder = (token: Token | undefined) => token?.meanings.has('order') === true;

const canTurn = (token: Token | undefined) => means(token, TURNED);
/** "I did not get my coke" and "not hot" ask for no dish; "which ones dont have onion" does. */
const canBeNot = (token: Token | undefined, isRequest: boolean) =>
  canTurn(token) || (!isRequest && token?.meanings.size === 1 && token.meanings.has('ours'));
const isUnable = (tokens: readonly Token[], unable: ReadonlySet<string>) => tokens.some(({ word }) => unable.has(word));

/** What stands after the "not", over words that say nothing. */
function nextOf(
  tokens: readonly Token[],
  { end, isRequest }: { readonly end: number; readonly isRequest: boolean },
  unable: ReadonlySet<string>,
): number | undefined {
  let at = end;
  while (tokens[at]?.isFiller && !canBeNot(tokens[at], isRequest)) at += 1;
  const token = tokens[at];
  if (canBeNot(token, isRequest)) return means(token, DONE) && isUnable(tokens.slice(end, at), unable) ? undefined : at;
  return token?.meanings.has('arrive') && means(tokens[at + 1], ARRIVED) ? at + 1 : undefined;
}

/** How many words after a "not" may say that something could not be done. */
const UNABLE_WITHIN = 2;
/** What stands before the "not": one word may be between, if nothing follows that the "not" belongs to. */
function lastOf(tokens: readonly Token[], begin: number, end: number, unable: ReadonlySet<string>): number | undefined {
  const between = tokens[begin - 1];
  const isApart = !canTurn(between);
  if (isApart && !between?.isFiller && !isOrder(between)) return undefined;
  if (isApart && tokens.slice(end).some((token) => !token.isFiller)) return undefined;
  const at = isApart ? begin - 2 : begin - 1;
  const token = tokens[at];
  if (!canTurn(token)) return undefined;
  return means(token, DONE) && isUnable(tokens.slice(at + 1, end + UNABLE_WITHIN), unable) ? undefined : at;
}

/**
 * A part of a question, up to its comma, with what is denied in it taken as that: "not cold" is no complaint, "do not
 * cancel" a no.
 */
export function withDenials(tokens: readonly Token[], own: Catalogue): Token[] {
  const { denials, unable } = denialsOf(own);
  const turned = [...tokens];
  const turn = (at: number, meanings: Token['meanings']) => {
    turned[at] = { ...tokens[at]!, meanings };
  };
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.isWithin === true) continue;
    const said = denials
      .filter(({ words }) => words.every((word, index) => tokens[at + index]?.word === word))
      .map((denial) => {
        const end = at + denial.words.length;
        return {
          ...denial,
          end,
          found: denial.isBefore
            ? nextOf(tokens, { end, isRequest: denial.isRequest }, unable)
            : lastOf(tokens, at, end, unable),
        };
      });
    // "Please don't" denies whatever was just asked.
    const distance = ({ found = Infinity }: { found: number | undefined }) => Math.abs(found - at);
    const denial =
      said.filter(({ found }) => found !== undefined).sort((a, b) => distance(a) - distance(b))[0] ??
      said.find(({ isBefore, isRequest, end }) => isBefore && isRequest && tokens.slice(end).every(saysNothing));
    if (!denial) continue;
    const { found, end, isRequest } = denial;
    // "Cancel it, I don't need it any more" keeps nothing.
    const isKept = found === undefined && !turned.slice(0, at).some(({ meanings }) => meanings.has('cancel'));
    for (let one = at; one < end; one += 1) turn(one, isKept ? KEEP : DENIED);
    if (found !== undefined) turn(found, isRequest && tokens[found]!.meanings.has('cancel') ? KEEP : DENIED);
    at = end - 1;
  }
  return turned;
}
const saysNothing = ({ isFiller, meanings }: Token) => isFiller && meanings.size === 0;
