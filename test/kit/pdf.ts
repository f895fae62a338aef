import { inflateSync } from 'node:zlib';

// Reads the text of a PDF as a reader's copying and searching do: by each font's table of what its signs stand for, and by
// the text that a stretch says of itself (ActualText).

const hexText = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

interface Reading {
  readonly pages: number;
  /** The stretches of text, one a line, in the order in which they are drawn. */
  readonly text: string;
  readonly fonts: readonly string[];
  /** All that is drawn, in order: the page, the place in points from the top left, how it looks, and what it says. */
  readonly drawn: readonly string[];
  /** What the file says of itself. */
  readonly about: { readonly title: string; readonly author: string; readonly made: string; readonly language: string };
}

function objectsOf(bytes: Uint8Array): Map<number, { head: string; data: Buffer | null }> {
  const raw = Buffer.from(bytes);
  const all = raw.toString('latin1');
  const objects = new Map<number, { head: string; data: Buffer | null }>();
  for (const match of all.matchAll(/(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const end = all.indexOf('endobj', start);
    const stream = all.slice(start, end).indexOf('stream\n');
    const head = all.slice(start, stream === -1 ? end : start + stream);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const from = start + stream + 'stream\n'.length;
    const packed = raw.subarray(from, from + length);
    const data = stream === -1 ? null : head.includes('/FlateDecode') ? inflateSync(packed) : packed;
    objects.set(Number(match[1]), { head, data });
  }
  return objects;
}

/** What the signs of a font stand for. */
function tableOf(map: string): Map<number, string> {
  const table = new Map<number, string>();
  for (const [, block] of map.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
    for (const [, from, , list] of block!.matchAll(/<(\w+)> <(\w+)> \[([^\]]*)\]/g))
      [...list!.matchAll(/<(\w*)>/g)].forEach(([, hex], index) =>
        table.set(parseInt(from!, 16) + index, hexText(hex!)),
      );
  return table;
}

/** A string as PDF writes it: (...) with escapes, UTF-16 after its mark. */
function said(literal: string): string {
  const plain = literal.replace(/\\([nrtbf()\\]|\d{1,3})/g, (_, code: string) => {
    const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
    return named[code] ?? (/\d/.test(code) ? String.fromCharCode(parseInt(code, 8)) : code);
  });
  const bytes = Buffer.from(plain, 'latin1');
  return bytes[0] === 0xfe && bytes[1] === 0xff ? Buffer.from(bytes.subarray(2)).swap16().toString('utf16le') : plain;
}

const round = (points: number | string) => String(Math.round(Number(points) * 10) / 10);
const colourOf = (parts: string) =>
  `#${parts
    .trim()
    .split(' ')
    .map((part) =>
      Math.round(Number(part) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
const HEIGHT = 841.89;

/** What a page's content draws: texts, lines and filled boxes. */
function drawingsIn(
  content: string,
  page: number,
  fonts: ReadonlyMap<string, { readonly name: string; readonly signs: ReadonlyMap<number, string> }>,
): string[] {
  const found: string[] = [];
  let colour = '';
  let place = '';
  let font = '';
  let size = '';
  const N = String.raw`(-?[\d.]+)`;
  const pattern = new RegExp(
    [
      String.raw`((?:[\d.]+ ){3})scn`,
      `1 0 0 1 ${N} ${N} Tm`,
      String.raw`/(F\d+) ([\d.]+) Tf`,
      String.raw`\[([^\]]*)\] TJ`,
      String.raw`${N} ${N} m\n${N} ${N} l\n${N} w\n/DeviceRGB CS\n((?:[\d.]+ ){3})SCN\nS`,
      String.raw`${N} ${N} ${N} ${N} re\n/DeviceRGB cs\n((?:[\d.]+ ){3})scn\nf`,
    ].join('|'),
    'g',
  );
  for (const match of content.matchAll(pattern)) {
    const [, fill, x, y, name, points, signs, ...shape] = match;
    if (fill) colour = colourOf(fill);
    else if (x) place = `${round(x)} ${round(HEIGHT - Number(y))}`;
    else if (name) {
      font = name;
      size = points!;
    } else if (signs !== undefined) {
      const { name: face = '', signs: table } = fonts.get(font) ?? {};
      const text = [...signs.matchAll(/<(\w+)>/g)]
        .flatMap(([, hex]) => hex!.match(/.{4}/g) ?? [])
        .map((sign) => table?.get(parseInt(sign, 16)) ?? '')
        .join('');
      found.push(`${page}: ${place} ${size} ${face.endsWith('Bold') ? 'bold ' : ''}${colour} ${text}`);
    } else if (shape[0]) {
      const [fromX, fromY, toX, toY, width, stroke] = shape;
      found.push(
        `${page}: line ${[fromX, fromY, toX, toY, width].map((one) => round(one!)).join(' ')} ${colourOf(stroke!)}`,
      );
    } else {
      const [left, top, wide, high, filled] = shape.slice(6);
      found.push(`${page}: box ${[left, top, wide, high].map((one) => round(one!)).join(' ')} ${colourOf(filled!)}`);
      colour = colourOf(filled!);
    }
  }
  return found;
}

export function readPdf(bytes: Uint8Array): Reading {
  const objects = objectsOf(bytes);
  const tables = new Map<string, Map<number, string>>();
  const faces = new Map<string, { name: string; signs: Map<number, string> }>();
  const fonts = new Set<string>();
  for (const { head } of objects.values()) {
    const name = /\/BaseFont \/\w+\+([\w-]+)/.exec(head)?.[1];
    if (name) fonts.add(name);
    for (const [, list] of head.matchAll(/\/Font <<([\s\S]*?)>>/g))
      for (const [, font, id] of list!.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
        const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id))?.head ?? '')?.[1];
        if (!map) continue;
        tables.set(font!, tableOf(objects.get(Number(map))!.data!.toString('latin1')));
        const face = /\/BaseFont \/\w+\+([\w-]+)/.exec(objects.get(Number(id))?.head ?? '')?.[1] ?? '';
        faces.set(font!, { name: face, signs: tables.get(font!)! });
      }
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\n/.test(head));
  const lines: string[] = [];
  const drawn: string[] = [];
  for (const [index, { head }] of pages.entries()) {
    const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)![1]))!.data!.toString('latin1');
    drawn.push(...drawingsIn(content, index + 1, faces));
    let table = new Map<number, string>();
    let actual: string | null = null;
    const pattern = /\/(F\d+) [\d.]+ Tf|\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)|(EMC)|\[([^\]]*)\] TJ/g;
    for (const [, font, text, end, signs] of content.matchAll(pattern)) {
      if (font) table = tables.get(font) ?? new Map();
      else if (text !== undefined) {
        actual = said(text);
        lines.push(actual);
      } else if (end) actual = null;
      else if (actual === null && signs)
        lines.push(
          [...signs.matchAll(/<(\w+)>/g)]
            .flatMap(([, hex]) => hex!.match(/.{4}/g) ?? [])
            .map((sign) => table.get(parseInt(sign, 16)) ?? '')
            .join(''),
        );
    }
  }
  const heads = [...objects.values()].map(({ head }) => head);
  const named = (name: string) => {
    const id = new RegExp(`/${name} (\\d+) 0 R`).exec(heads.find((head) => head.includes('/CreationDate ')) ?? '')?.[1];
    return said(/\(([\s\S]*)\)/.exec(objects.get(Number(id))?.head ?? '')?.[1] ?? '');
  };
  const language = heads.map((head) => /\/Lang \(([\w-]+)\)/.exec(head)?.[1]).find((one) => one !== undefined) ?? '';
  return {
    pages: pages.length,
    text: lines.join('\n'),
    fonts: [...fonts],
    drawn,
    about: { title: named('Title'), author: named('Author'), made: named('CreationDate'), language },
  };
}
