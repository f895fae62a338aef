// What somebody wrote stands between other people's words, and must not change how those are read.

/**
 * What nobody sees and no keyboard types: controls of direction, which turn round all that follows; controls of terminals;
 * blanks without width, and letters that are blanks. Joiners stay: conjuncts and emoji are written with them.
 */
const HIDDEN =
  /[\u0080-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Letters that are written from right to left, which draw numbers and signs beside them along. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** More marks on one letter than any language puts there; they run over the lines around. */
const HEAP = /(\p{M}{4})\p{M}+/gu;

/** Without what nobody sees. */
export const visible = (text: string): string => text.replace(HIDDEN, '').replace(HEAP, '$1');

/**
 * Somebody's text as a part of another sentence: in one line, and shut in where its letters run the other way, so that
 * the sentence around it stays as it is (Unicode Bidirectional Algorithm, first strong isolate).
 */
export function quoted(text: string): string {
  const plain = visible(text).replace(/\s+/g, ' ').trim();
  return FROM_RIGHT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** A text without such letters at its end. A pattern would begin at each of them anew and read to where they end. */
export function trimmedEnd(text: string, letter: RegExp): string {
  let end = text.length;
  while (end > 0 && letter.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
