import { withShortClasses, type ClassNames } from './classNames.ts';
import { shortHash } from './hash.ts';
import type { Output } from './graph.ts';

/** The top-level rules of a stylesheet as [prelude, body]; the body is null for a statement such as @import. Takes minified text, which has no comments. */
function rulesOf(css: string): [string, string | null][] {
  const rules: [string, string | null][] = [];
  let start = 0;
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === ';') {
      rules.push([css.slice(start, at), null]);
      start = at + 1;
    } else if (css[at] === '"' || css[at] === "'") {
      at = endOfString(css, at);
    } else if (css[at] === '{') {
      const open = at;
      at = endOfBlock(css, at);
      rules.push([css.slice(start, open).trim(), css.slice(open + 1, at)]);
      start = at + 1;
    }
  }
  return rules;
}

function endOfBlock(css: string, open: number): number {
  let at = open;
  for (let depth = 1; depth > 0;) {
    at += 1;
    if (at >= css.length) throw new Error('A stylesheet ends inside a rule.');
    if (css[at] === '"' || css[at] === "'") at = endOfString(css, at);
    else if (css[at] === '{') depth += 1;
    else if (css[at] === '}') depth -= 1;
  }
  return at;
}

function endOfString(css: string, at: number): number {
  let end = at + 1;
  while (css[end] !== css[at]) end += css[end] === '\\' ? 2 : 1;
  return end;
}

const classesOf = (selector: string) =>
  [...selector.replace(/:not\([^)]*\)/g, '').matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map((match) => match[1] as string);

/** The rules that a page needs for its first paint, in their order: those whose classes all occur in its HTML. */
export function criticalCss(css: string, html: string): string {
  const used = new Set([...html.matchAll(/\sclass="([^"]*)"/g)].flatMap((match) => (match[1] as string).split(/\s+/)));
  const applies = (selector: string) => classesOf(selector).every((name) => used.has(name));
  const keep = (text: string): string =>
    rulesOf(text)
      .map(([prelude, body]) => {
        if (body === null) return `${prelude};`;
        if (/^@(media|supports|layer|container|scope)\b/.test(prelude)) {
          const inner = keep(body);
          return inner === '' ? '' : `${prelude}{${inner}}`;
        }
        const isNeeded = prelude.startsWith('@') || applies(prelude) || prelude.split(',').some(applies);
        return isNeeded ? `${prelude}{${body}}` : '';
      })
      .join('');
  const kept = keep(css);
  // Keyframes of animations that the page does not use.
  return kept.replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g, (whole, name: string) =>
    new RegExp(`animation[^;}]*\\b${name}\\b`).test(kept) ? whole : '',
  );
}

export interface Stylesheet {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Cuts the stylesheet in three: what the first pages can show; what else the way to an order can, which comes with the second
 * load; and the rest, which comes with the first unit that needs it. esbuild writes the files' rules one after the other and
 * reports the length of each. `early` and `onTheWay`: sources of the first two.
 * @throws Error when the lengths do not add up to the stylesheet
 */
export function cutStyles(
  name: string,
  whole: Buffer,
  output: Output,
  early: ReadonlySet<string>,
  onTheWay: ReadonlySet<string>,
  classes: ClassNames,
): { now: Stylesheet; later: Stylesheet; rest: Stylesheet } {
  const parts: Record<'now' | 'later' | 'rest', Buffer[]> = { now: [], later: [], rest: [] };
  let at = 0;
  for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
    const isEarly = !file.endsWith('.module.css') || early.has(file);
    const part = isEarly ? 'now' : onTheWay.has(file) ? 'later' : 'rest';
    parts[part].push(whole.subarray(at, at + bytesInOutput));
    at += bytesInOutput;
  }
  if (whole.subarray(at).toString().trim() !== '')
    throw new Error(`${name} has ${whole.length - at} bytes that no file gave it.`);
  const sheet = (label: string, texts: readonly Buffer[]) => {
    const content = Buffer.from(withShortClasses(Buffer.concat(texts).toString(), classes));
    return { name: `${label}-${shortHash(content)}.css`, content };
  };
  return { now: sheet('first', parts.now), later: sheet('later', parts.later), rest: sheet('rest', parts.rest) };
}
