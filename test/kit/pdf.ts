import { inflateSync } from 'node:zlib';

// Reads the text of a PDF as a reader's copying and searching do: by each font's table of what its signs stand for, and by
// the text that a stretch says of itself (ActualText).

const hexText = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

interface Reading {
  readonly pages: number;
  /** The stretches of text, one a line, in the order in which they are drawn. */
  readonly text: string;
  readonly fonts: readonly string[];
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

export function readPdf(bytes: Uint8Array): Reading {
  const objects = objectsOf(bytes);
  const tables = new Map<string, Map<number, string>>();
  const fonts = new Set<string>();
  for (const { head } of objects.values()) {
    const name = /\/BaseFont \/\w+\+([\w-]+)/.exec(head)?.[1];
    if (name) fonts.add(name);
    for (const [, list] of head.matchAll(/\/Font <<([\s\S]*?)>>/g))
      for (const [, font, id] of list!.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
        const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id))?.head ?? '')?.[1];
        if (map) tables.set(font!, tableOf(objects.get(Number(map))!.data!.toString('latin1')));
      }
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\n/.test(head));
  const lines: string[] = [];
  for (const { head } of pages) {
    const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)![1]))!.data!.toString('latin1');
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
  return { pages: pages.length, text: lines.join('\n'), fonts: [...fonts] };
}
