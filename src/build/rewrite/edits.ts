/** A piece of a text and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, by } of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}

/** As many lines and letters with nothing in them, so that what follows stays where it is. */
export const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ');
