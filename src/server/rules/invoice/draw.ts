import Pdf from 'pdfkit';
import { drawable, fontOf, runsOf, type Run, type Weight } from './fonts.ts';
import type { Buyer, Fact, Paper, PaperRow, Sheaf } from './paper.ts';

// Draws a paper as PDF on A4; lengths are points. What is drawn depends on the paper alone, so that it comes out the same
// each time.

const PAGE = { width: 595.28, height: 841.89, left: 40, right: 555.28, top: 40, bottom: 792 } as const;
const WIDTH = PAGE.right - PAGE.left;
const INK = '#1c1c1c';
const GREY = '#5f5f5f';
const LINE = '#d9d9d9';
const GREEN = '#3f6f00';
const FULL: Style = { size: 9, weight: 400, colour: INK };
const BOLD: Style = { ...FULL, weight: 700 };
const SMALL: Style = { size: 7.5, weight: 400, colour: GREY };
/** Of the height of its letters. */
const LEADING = 1.36;

/** With a list of features, pdfkit has a stretch laid out as one: by itself it lays out each word, from left to right. */
const layoutOf = ({ isPlain }: Run) => (isPlain ? {} : { features: [] });

interface Style {
  readonly size: number;
  readonly weight: Weight;
  readonly colour: string;
}

interface Column {
  readonly x: number;
  readonly width: number;
  /** Where its texts end; they begin at its left edge unless told. */
  readonly side?: 'right';
}
const COLUMNS = {
  name: { x: PAGE.left, width: 262 },
  code: { x: 310, width: 48 },
  quantity: { x: 362, width: 36, side: 'right' },
  price: { x: 402, width: 72, side: 'right' },
  amount: { x: 478, width: PAGE.right - 478, side: 'right' },
} as const satisfies Partial<Record<keyof Paper['columns'], Column>>;
/** The same where something was taken off. */
const WITH_DISCOUNT = {
  name: { x: PAGE.left, width: 206 },
  code: { x: 254, width: 48 },
  quantity: { x: 302, width: 32, side: 'right' },
  price: { x: 338, width: 64, side: 'right' },
  discount: { x: 406, width: 68, side: 'right' },
  amount: COLUMNS.amount,
} as const satisfies Record<keyof Paper['columns'], Column>;
/** The columns of a paper with their places, the dish's name first. */
const columnsOf = ({ columns }: Paper) =>
  Object.entries(columns.discount === undefined ? COLUMNS : WITH_DISCOUNT) as [keyof Paper['columns'], Column][];

class Sheet {
  readonly doc: PDFKit.PDFDocument;
  y: number = PAGE.top;
  readonly #names = new Map<string, string>();
  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc;
  }

  #font(file: number, { weight, size }: Style): PDFKit.PDFDocument {
    const key = `${file}-${weight}`;
    if (!this.#names.has(key)) {
      this.#names.set(key, key);
      // pdfkit takes fonts that are parsed already, but its types do not say so.
      this.doc.registerFont(key, fontOf(file, weight) as unknown as string);
    }
    return this.doc.font(key, size);
  }

  widthOf(text: string, style: Style): number {
    return runsOf(text).reduce(
      (sum, run) => sum + this.#font(run.file, style).widthOfString(run.text, layoutOf(run)),
      0,
    );
  }

  /** Draws one line. Where its signs are not the letters that were written, those go with it, for copying and searching. */
  #draw(text: string, x: number, y: number, style: Style): void {
    const runs = runsOf(text);
    const isPlain = runs.length === 1 && runs[0]!.isPlain;
    if (!isPlain) this.doc.markContent('Span', { actual: drawable(text) });
    let at = x;
    for (const run of runs) {
      const doc = this.#font(run.file, style).fillColor(style.colour);
      doc.text(run.text, at, y, { ...layoutOf(run), lineBreak: false, baseline: 'alphabetic' });
      at += doc.widthOfString(run.text, layoutOf(run));
    }
    if (!isPlain) this.doc.endMarkedContent();
  }

  /** The lines that a text takes; a word that is wider than the column is cut where it must be. */
  linesOf(text: string, style: Style, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.widthOf(longer, style) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (this.widthOf(line, style) > width) {
        const letters = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment);
        let fit = letters.length - 1;
        while (fit > 1 && this.widthOf(letters.slice(0, fit).join(''), style) > width) fit -= 1;
        lines.push(letters.slice(0, fit).join(''));
        line = letters.slice(fit).join('');
      }
    }
    return [...lines, line];
  }

  /** @returns the height that it took */
  text(text: string, style: Style, { x, width, side }: Column, y = this.y): number {
    const height = style.size * LEADING;
    const lines = this.linesOf(text, style, width);
    lines.forEach((line, index) => {
      const left = side === 'right' ? x + width - this.widthOf(line, style) : x;
      this.#draw(line, left, y + height * index + style.size, style);
    });
    return lines.length * height;
  }

  rule(y: number, colour = LINE, thickness = 0.6): void {
    this.doc.moveTo(PAGE.left, y).lineTo(PAGE.right, y).lineWidth(thickness).strokeColor(colour).stroke();
  }

  /** @returns whether a new page was begun, for there was no room for so much */
  need(height: number): boolean {
    if (this.y + height <= PAGE.bottom) return false;
    this.turn();
    return true;
  }

  turn(): void {
    this.doc.addPage();
    this.y = PAGE.top;
  }
}

const LEFT_HALF: Column = { x: PAGE.left, width: WIDTH / 2 - 12 };
const RIGHT_HALF: Column = { x: PAGE.left + WIDTH / 2 + 12, width: WIDTH / 2 - 12 };

/** Names on the left, what they say beside them. @returns the y below */
function facts(sheet: Sheet, list: readonly Fact[], { x, width }: Column, y: number): number {
  let at = y;
  const names = width * 0.42;
  for (const { label, value } of list) {
    const left = sheet.text(label, { ...SMALL, size: 8 }, { x, width: names - 6 }, at + 0.7);
    const right = sheet.text(value, FULL, { x: x + names, width: width - names }, at);
    at += Math.max(left, right) + 1.5;
  }
  return at;
}

function head(sheet: Sheet, paper: Paper, buyer: Buyer | null): void {
  for (const line of paper.heading) sheet.y += sheet.text(line, SMALL, { x: PAGE.left, width: WIDTH }) + 1;
  if (paper.heading.length > 0) sheet.y += 6;
  const name = sheet.text(paper.seller.name, { size: 15, weight: 700, colour: INK }, { ...LEFT_HALF, width: 300 });
  const title = sheet.text(
    paper.title,
    { size: 15, weight: 700, colour: GREEN },
    { x: PAGE.right - 200, width: 200, side: 'right' },
  );
  sheet.y += Math.max(name, title) + 4;
  sheet.rule(sheet.y, GREEN, 1.2);
  sheet.y += 9;
  let left = sheet.y;
  for (const line of paper.seller.lines) left += sheet.text(line, FULL, LEFT_HALF, left);
  left = facts(sheet, paper.seller.facts, LEFT_HALF, left + 3);
  const right = facts(sheet, paper.facts, RIGHT_HALF, sheet.y);
  sheet.y = Math.max(left, right) + 8;
  if (buyer !== null) {
    sheet.rule(sheet.y);
    sheet.y += 7;
    sheet.y += sheet.text(paper.buyerTitle, SMALL, LEFT_HALF) + 1;
    sheet.y += sheet.text(buyer.name, BOLD, { ...LEFT_HALF, width: WIDTH });
    for (const line of buyer.lines) sheet.y += sheet.text(line, FULL, { ...LEFT_HALF, width: WIDTH });
    sheet.y += 8;
  }
}

function tableHead(sheet: Sheet, paper: Paper): void {
  sheet.doc.rect(PAGE.left - 6, sheet.y, WIDTH + 12, 18).fill('#f1f4ec');
  for (const [name, place] of columnsOf(paper))
    sheet.text(paper.columns[name] ?? '', { ...SMALL, weight: 700 }, place, sheet.y + 3.5);
  sheet.y += 23;
}

function tableRow(sheet: Sheet, paper: Paper, row: PaperRow): void {
  const [[, name], ...others] = columnsOf(paper) as [[string, Column], ...[keyof Paper['columns'], Column][]];
  const detail = row.details.join(' · ');
  const lines = sheet.linesOf(row.name, FULL, name.width).length;
  const small = detail === '' ? 0 : sheet.linesOf(detail, SMALL, name.width).length;
  const height = (lines * FULL.size + small * SMALL.size) * LEADING + 7;
  if (sheet.need(height)) tableHead(sheet, paper);
  const first = sheet.text(row.name, FULL, name);
  if (small > 0) sheet.text(detail, SMALL, name, sheet.y + first);
  for (const [column, place] of others) sheet.text(row[column] ?? '', FULL, place);
  sheet.y += height - 3;
  sheet.rule(sheet.y);
  sheet.y += 4;
}

function sums(sheet: Sheet, { sums: list }: Paper): void {
  for (const { label, value, weight } of list) {
    const style = weight === 'strong' ? { ...BOLD, size: 11 } : weight === 'small' ? { ...FULL, colour: GREY } : FULL;
    sheet.need(style.size * LEADING + 8);
    if (weight === 'strong') {
      sheet.doc
        .moveTo(300, sheet.y + 1)
        .lineTo(PAGE.right, sheet.y + 1)
        .lineWidth(0.8)
        .strokeColor(INK)
        .stroke();
      sheet.y += 5;
    }
    const left = sheet.text(label, style, { x: 300, width: 166 });
    sheet.text(value, style, COLUMNS.amount);
    sheet.y += left + 2.5;
  }
}

function foot(sheet: Sheet, paper: Paper): void {
  const { words, paidTitle, paid, notes } = paper;
  sheet.y += 6;
  sheet.need(60);
  sheet.y += sheet.text(words.label, SMALL, LEFT_HALF);
  sheet.y += sheet.text(words.value, BOLD, { ...LEFT_HALF, width: WIDTH }) + 8;
  if (paid.length > 0) {
    sheet.need(20 + paid.length * 15);
    sheet.y += sheet.text(paidTitle, SMALL, LEFT_HALF) + 1;
    for (const { label, value } of paid) {
      const left = sheet.text(label, FULL, { ...LEFT_HALF, width: 250 });
      sheet.text(value, FULL, COLUMNS.amount);
      sheet.y += left + 1.5;
    }
    sheet.y += 8;
  }
  for (const note of notes) {
    sheet.need(24);
    sheet.y += sheet.text(note, SMALL, { x: PAGE.left, width: WIDTH }) + 2;
  }
}

/** Below each page of a paper, counted within the paper. */
function pageNumbers(sheet: Sheet, { footer, number, seller }: Paper, from: number, to: number): void {
  for (let page = from; page < to; page += 1) {
    sheet.doc.switchToPage(page);
    sheet.rule(804);
    sheet.text(`${seller.name} · ${number}`, SMALL, { x: PAGE.left, width: 380 }, 809);
    const text = footer.replace('{page}', String(page - from + 1)).replace('{pages}', String(to - from));
    sheet.text(text, SMALL, { x: 420, width: PAGE.right - 420, side: 'right' }, 809);
  }
}

/** The papers as one PDF, each from a new page on, with the letters that are used of their fonts in it. */
export async function drawPapers(sheaf: Sheaf): Promise<Uint8Array<ArrayBuffer>> {
  const [first] = sheaf;
  if (first === undefined) throw new Error('nothing to draw');
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    // Without one, a font of the library's own is read.
    font: null as unknown as string,
    lang: first.paper.language,
    displayTitle: true,
    info: {
      Title: `${first.paper.title} ${first.paper.number}`,
      Author: first.paper.seller.name,
      CreationDate: new Date(first.paper.issuedAt),
    },
  });
  const parts: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    doc.on('data', (part: Uint8Array) => parts.push(part));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const sheet = new Sheet(doc);
  for (const [index, { paper, buyer }] of sheaf.entries()) {
    if (index > 0) sheet.turn();
    const from = doc.bufferedPageRange().count - 1;
    head(sheet, paper, buyer);
    tableHead(sheet, paper);
    for (const row of paper.rows) tableRow(sheet, paper, row);
    sheet.y += 4;
    sums(sheet, paper);
    foot(sheet, paper);
    pageNumbers(sheet, paper, from, doc.bufferedPageRange().count);
    doc.switchToPage(doc.bufferedPageRange().count - 1);
  }
  doc.end();
  await done;
  return new Uint8Array(Buffer.concat(parts));
}
