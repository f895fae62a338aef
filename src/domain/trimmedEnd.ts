/** A text without such letters at its end. A pattern would begin at each of them anew and read to where they end. */
export function trimmedEnd(text: string, letter: RegExp): string {
  let end = text.length;
  while (end > 0 && letter.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
