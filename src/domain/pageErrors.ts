/** Takes out of a text what may be about a person: query strings, addresses, long numbers, tokens, quoted input. */
export function impersonal(text: string): string {
  return text
    .replace(/(https?:\/\/[^\s?#"')]+)[?#][^\s"')]*/g, '$1')
    .replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, '[email]')
    .replace(/\b(?=[\w-]*\d)[\w-]{16,}\b/g, '[id]')
    .replace(/\+?\d[\d\s().-]{5,}\d/g, '[number]')
    .replace(/(["'`“])(?:(?!\1).){24,}?\1/g, '$1[text]$1');
}

/** A screen's path with `…` for each part that names one thing: an order, a link, a person. */
export function screenOf(path: string): string {
  return path
    .split(/[?#]/)[0]!
    .split('/')
    .map((part) => (/\d{3}|[A-Z_]|^.{25}|%/.test(part) ? '…' : part))
    .join('/')
    .slice(0, 80);
}

/** A place in a stack, as the browsers write it: Chromium's `at name (file:1:2)`, Safari's and Firefox's `name@file:1:2`. */
export interface Frame {
  readonly name: string;
  /** The last part of its address. */
  readonly file: string;
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

const FRAME = /^\s*(?:at\s+)?(?:async\s+)?(?:(.*?)\s*[(@])?(?:[^\s()]*\/)?([^/\s():]*):(\d+):(\d+)\)?\s*$/;
const FRAMES_READ = 20;

export function framesOf(stack: string): Frame[] {
  return stack
    .split('\n')
    .flatMap((text) => {
      const [, name = '', file = '', line, column] = FRAME.exec(text) ?? [];
      return line === undefined || column === undefined
        ? []
        : [
            {
              name: name.trim().slice(0, 60),
              file: file.split(/[?#]/)[0]!,
              line: Number(line),
              column: Number(column),
            },
          ];
    })
    .slice(0, FRAMES_READ);
}
