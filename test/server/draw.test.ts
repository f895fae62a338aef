import { expect, test } from 'vitest';
import { drawPapers } from '../../src/server/rules/invoice/draw.ts';
import type { Paper } from '../../src/server/rules/invoice/paper.ts';
import { runsOf } from '../../src/server/rules/invoice/fonts.ts';
import { readPdf } from '../kit/pdf.ts';

const paper = (lines: number, name = 'Farmhouse'): Paper => ({
  title: 'Tax invoice',
  heading: [],
  number: 'I10101/26/000123',
  issuedAt: Date.UTC(2026, 10, 22),
  language: 'en-IN',
  seller: { name: 'Golden Oven Foods', lines: ['Block F'], facts: [{ label: 'GSTIN', value: '07AAXCG0000K1ZM' }] },
  buyerTitle: 'Billed to',
  facts: [{ label: 'Date', value: '22 Nov 2026' }],
  columns: { name: 'Item', code: 'SAC', quantity: 'Qty', price: 'Rate', amount: 'Amount' },
  rows: Array.from({ length: lines }, (_, index) => ({
    name: `${name} ${index + 1}`,
    details: ['Medium', 'Cheese Burst', 'Extra cheese', 'Black olives on the left half', 'No onion', 'Jalapeños'],
    code: '996331',
    quantity: '2',
    price: '₹1,234.50',
    amount: '₹2,469',
  })),
  sums: [{ label: 'Invoice total', value: '₹998', weight: 'strong' }],
  words: { label: 'Amount in words', value: 'Rupees nine hundred ninety-eight only' },
  paidTitle: 'Paid with',
  paid: [{ label: 'UPI', value: '₹998' }],
  notes: ['Made by a computer'],
  footer: 'Page {page} of {pages}',
});

const NAMES = [
  'Priya Sharma',
  'Łucja Ångström-Nguyễn',
  'क्षितिज श्रीवास्तव',
  'ஸ்ரீனிவாசன் கௌதமன்',
  'ශ්‍රී ප්‍රියන්ත ක්‍රිස්ටෝපර්',
  'শ্রীকৃষ্ণ চট্টোপাধ্যায়',
  'శ్రీనివాస్ క్రిష్ణ',
  'ಶ್ರೀಕೃಷ್ಣ ಕ್ಷೇತ್ರ',
  'ശ്രീകുമാർ',
  'શ્રીકૃષ્ણ',
  'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  'ଶ୍ରୀକୃଷ୍ଣ',
];

test.each(NAMES)('%s is drawn with letters of its own script, and can be copied as it was written', async (name) => {
  // The first file has a sign for what no file has.
  for (const { text, file, isPlain } of runsOf(name)) expect([text, file > 1 || isPlain]).toEqual([text, true]);
  const lines = [`12/3, ${name}`];
  const { text, fonts } = readPdf(await drawPapers([{ paper: paper(1), buyer: { name, lines } }]));
  expect(text).toContain(name);
  expect(text).toContain(lines[0]);
  expect(fonts.length).toBeGreaterThan(0);
  expect(fonts.every((font) => font.startsWith('NotoSans'))).toBe(true);
});

test('thirty long lines take the pages that they need, each with its number and the head of the table', async () => {
  const bytes = await drawPapers([
    { paper: paper(30, 'A dish whose name goes on for more than a line of this narrow column'), buyer: null },
  ]);
  const { pages, text } = readPdf(bytes);
  expect(pages).toBeGreaterThan(1);
  expect(text.split('\n').filter((line) => line === 'Item')).toHaveLength(pages);
  for (let page = 1; page <= pages; page += 1) expect(text).toContain(`Page ${page} of ${pages}`);
  for (const sign of ['₹1,234.50', '₹2,469', 'Invoice total', 'Made by a computer']) expect(text).toContain(sign);
  expect(bytes.length).toBeLessThan(100_000);
});

test('a name without a space is cut where its column ends, and no text breaks the file', async () => {
  const name = 'x'.repeat(300);
  const hostile = ') Tj ET endstream \\ <</JS (app.alert(1))>> ((';
  const { text } = readPdf(await drawPapers([{ paper: paper(1), buyer: { name, lines: [hostile, '', '😀 \u202e'] } }]));
  expect(text.replaceAll('\n', '')).toContain(name);
  expect(text).toContain(hostile);
});
