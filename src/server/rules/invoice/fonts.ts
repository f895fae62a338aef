import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';
import * as harfbuzz from 'harfbuzzjs';

// Noto Sans (SIL Open Font License), one file for each script, read when its first letter comes. HarfBuzz puts letters
// together as their script wants them, as it does in browsers: fontkit, which writes the letters into the file, stumbles
// over some of these scripts.

const { resolve } = createRequire(import.meta.url);

export type Weight = 400 | 700;
/** In the order in which they are asked whether they have a letter. */
const FILES = [
  'noto-sans/files/noto-sans-latin',
  'noto-sans/files/noto-sans-latin-ext',
  'noto-sans/files/noto-sans-devanagari',
  'noto-sans-bengali/files/noto-sans-bengali-bengali',
  'noto-sans-tamil/files/noto-sans-tamil-tamil',
  'noto-sans-sinhala/files/noto-sans-sinhala-sinhala',
  'noto-sans-telugu/files/noto-sans-telugu-telugu',
  'noto-sans-kannada/files/noto-sans-kannada-kannada',
  'noto-sans-malayalam/files/noto-sans-malayalam-malayalam',
  'noto-sans-gujarati/files/noto-sans-gujarati-gujarati',
  'noto-sans-gurmukhi/files/noto-sans-gurmukhi-gurmukhi',
  'noto-sans-oriya/files/noto-sans-oriya-oriya',
  'noto-sans/files/noto-sans-greek',
  'noto-sans/files/noto-sans-cyrillic',
  'noto-sans/files/noto-sans-vietnamese',
  'noto-sans-arabic/files/noto-sans-arabic-arabic',
] as const;
/** Files of scripts whose letters stand as they were written; the others join them, turn them around or change them. */
const PLAIN = new Set([0, 1, 12, 13, 14]);
/** Written from right to left. */
const ARABIC = FILES.indexOf('noto-sans-arabic/files/noto-sans-arabic-arabic');

const HEAD = 12;
const ENTRY = 16;

/** The font in a WOFF file (W3C WOFF 1.0): the same tables, unpacked. */
function unpacked(woff: Buffer): Uint8Array<ArrayBuffer> {
  const count = woff.readUInt16BE(12);
  const font = new Uint8Array(woff.readUInt32BE(16));
  const view = new DataView(font.buffer);
  view.setUint32(0, woff.readUInt32BE(4));
  view.setUint16(4, count);
  let at = HEAD + ENTRY * count;
  for (let table = 0; table < count; table += 1) {
    const entry = 44 + 20 * table;
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ];
    const data = woff.subarray(offset, offset + packed);
    font.set(packed < length ? inflateSync(data) : data, at);
    const to = HEAD + ENTRY * table;
    view.setUint32(to, woff.readUInt32BE(entry));
    view.setUint32(to + 4, woff.readUInt32BE(entry + 16));
    view.setUint32(to + 8, at);
    view.setUint32(to + 12, length);
    at += (length + 3) & ~3;
  }
  return font;
}

/** What pdfkit asks of a font for the signs of a text. */
function shaper(bytes: Uint8Array<ArrayBuffer>, font: Font) {
  const shaping = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes.buffer)));
  return (text: string) => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(shaping, buffer);
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions().map((one) => ({ ...one }));
    const starts = [...new Set(infos.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
    const glyphs = infos.map(({ codepoint: id, cluster }, index) => {
      const end = starts[starts.indexOf(cluster) + 1] ?? text.length;
      const written = infos[index - 1]?.cluster === cluster ? '' : text.slice(cluster, end);
      return {
        id,
        advanceWidth: font.getGlyph(id).advanceWidth,
        codePoints: [...written].map((letter) => letter.codePointAt(0)!),
      };
    });
    return {
      glyphs,
      positions,
      // pdfkit scales the positions that it is given.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

const read = new Map<string, Font>();
/** The font of a file, parsed once for all papers. */
export function fontOf(index: number, weight: Weight): Font {
  const name = `${FILES[index]}-${weight}-normal.woff`;
  let font = read.get(name);
  if (font === undefined) {
    const bytes = unpacked(readFileSync(resolve(`@fontsource/${name}`)));
    font = create(Buffer.from(bytes.buffer)) as Font;
    Object.assign(font, { layout: shaper(bytes, font) });
    read.set(name, font);
  }
  return font;
}

/** A stretch of text that one file draws. */
export interface Run {
  readonly text: string;
  readonly file: number;
  readonly isPlain: boolean;
}

const INVISIBLE = /^[\u200c\u200d\p{M}]$/u;

/** Which file has a letter; null where none has. */
function fileOf(letter: string, before: number | undefined): number | null {
  const code = letter.codePointAt(0)!;
  // What all scripts share goes on in the file of the letters before it: joiners and marks must, spaces may.
  if (before !== undefined && (INVISIBLE.test(letter) || /^\p{Script=Common}$/u.test(letter)))
    if (fontOf(before, 400).hasGlyphForCodePoint(code)) return before;
  const found = FILES.findIndex((_, index) => fontOf(index, 400).hasGlyphForCodePoint(code));
  return found === -1 ? null : found;
}

/** The text without emoji and letters that no file has, which would be drawn as boxes. */
export function drawable(text: string): string {
  let isLeft = false;
  const kept = [...text].filter((letter) => {
    if (!INVISIBLE.test(letter)) isLeft = fileOf(letter, undefined) === null;
    return !isLeft;
  });
  return kept.length === [...text].length
    ? text
    : kept
        .join('')
        .replace(/\s{2,}/g, ' ')
        .replace(/(?: ?,){2,}/g, ',')
        .replace(/^[\s,]+/, '')
        .trimEnd();
}

/** @param text without line breaks */
export function runsOf(text: string): Run[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [{ text, file: 0, isPlain: true }];
  const runs: { text: string; file: number; isPlain: boolean }[] = [];
  for (const letter of drawable(text.normalize('NFC'))) {
    const last = runs.at(-1);
    const file = fileOf(letter, last?.file) ?? 0;
    if (last?.file === file) {
      last.text += letter;
      continue;
    }
    // The blank at the end of words that run to the left would be drawn before them.
    const words = last?.file === ARABIC ? last.text.trimEnd() : undefined;
    const blank = words === undefined ? '' : last!.text.slice(words.length);
    if (words !== undefined) last!.text = words;
    runs.push({ text: blank + letter, file, isPlain: PLAIN.has(file) });
  }
  return runs;
}
