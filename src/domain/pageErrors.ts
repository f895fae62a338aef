/** A word without the query of an address in it. */
function withoutQuery(word: string): string {
  const from = word.search(/https?:\/\//);
  const end = from < 0 ? -1 : word.slice(from).search(/[?#]/);
  return end < 0 ? word : word.slice(0, from + end);
}
function isEmail(word: string): boolean {
  const [name = '', host = ''] = word.split('@');
  return name !== '' && host.slice(1, -1).includes('.');
}

/** A long text between two of these marks: a customer's own words may be in it. */
function withoutQuoted(text: string, mark: string): string {
  const parts = text.split(mark);
  for (let at = 1; at < parts.length - 1; at += 1) {
    if (parts[at]!.length < 24 || parts[at]!.includes('\n')) continue;
    parts[at] = '[text]';
    // The mark at its end begins nothing.
    at += 1;
  }
  return parts.join(mark);
}

/**
 * Takes out of a text what may be about a person: query strings, addresses, long numbers, tokens, quoted input. Whole
 * words are found first and judged then: a pattern that looks for the end of each from every letter takes hours for a
 * long one.
 */
export function impersonal(text: string): string {
  const plain = text
    .replace(/[^\s"')]+/g, withoutQuery)
    .replace(/[\w.+@-]+/g, (word) => (isEmail(word) ? '[email]' : word))
    .replace(/[\w-]+/g, (word) => (word.length >= 16 && /\d/.test(word) ? '[id]' : word))
    .replace(/\+?\d[\d\s().-]{5,}\d/g, '[number]');
  return ['"', "'", '`', '“'].reduce(withoutQuoted, plain);
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

const FRAMES_READ = 20;
/** Longer than any line of a stack that a browser writes. */
const LINE_AT_MOST = 1_000;

/** One line of a stack; null for any other text. It is read from its end, so that no line takes long. */
function frameOf(text: string): Frame | null {
  const line = text.slice(0, LINE_AT_MOST).trim();
  const place = /:(\d+):(\d+)\)?$/.exec(line);
  if (place === null) return null;
  const head = line
    .slice(0, place.index)
    .replace(/^at\s/, '')
    .trimStart()
    .replace(/^async\s/, '')
    .trimStart();
  // The address has neither blanks nor parentheses: the name ends behind the last of them, or at the first @.
  const inside = Math.max(...[...head].map((letter, at) => (/[\s()]/.test(letter) ? at : -1)), -1);
  const cut = inside < 0 ? head.indexOf('@') : ['(', '@'].includes(head[inside]!) ? inside : head.indexOf('@', inside);
  if (inside >= 0 && cut < 0) return null;
  const address = head.slice(cut + 1);
  const file = address.slice(address.lastIndexOf('/') + 1);
  if (file.includes(':')) return null;
  return {
    name: head.slice(0, Math.max(0, cut)).trim().slice(0, 60),
    file: file.split(/[?#]/)[0]!,
    line: Number(place[1]),
    column: Number(place[2]),
  };
}

export function framesOf(stack: string): Frame[] {
  return stack
    .split('\n')
    .map(frameOf)
    .filter((frame) => frame !== null)
    .slice(0, FRAMES_READ);
}
