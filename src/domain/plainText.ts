import { typedText } from './typedText.ts';

// What somebody wrote stands between other people's words, and must not change how those are read.

/** Letters that are written from right to left, which draw numbers and signs beside them along. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/**
 * Somebody's text as a part of another sentence: in one line, and shut in where its letters run the other way, so that
 * the sentence around it stays as it is (Unicode Bidirectional Algorithm, first strong isolate).
 */
export function quoted(text: string): string {
  const plain = typedText(text).replace(/\s+/g, ' ');
  return FROM_RIGHT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
