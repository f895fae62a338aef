import { expect, test, vi } from 'vitest';
import { drawPapers } from '../../src/server/rules/invoice/draw.ts';
import type { Paper } from '../../src/server/rules/invoice/paper.ts';
import { money } from '../../src/contract/price.ts';
import { runsOf } from '../../src/server/rules/invoice/fonts.ts';
import { pressed } from '../../src/server/rules/invoice/press.ts';
import { amountWords } from '../../src/server/rules/invoice/words.ts';
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

test('a sign that no font has is no box on an invoice: it is left out, and the rest of its line stays', async () => {
  const buyer = { name: 'Asha 🍕 Rao', lines: ['12, ထမင်း, MG Road', '🏠'] };
  const { drawn } = readPdf(await drawPapers([{ paper: paper(1), buyer }]));
  const lines = drawn.join('\n');
  expect(lines).toContain('Asha Rao');
  expect(lines).toContain('12, MG Road');
  expect(lines).not.toMatch(/[\p{Script=Myanmar}\p{Extended_Pictographic}]/u);
});

test('a name and a street in Urdu are drawn, and copied as they were written', async () => {
  const buyer = { name: 'محمد علی', lines: ['12, گلی نمبر ۵, MG Road'] };
  const { drawn, fonts, text } = readPdf(await drawPapers([{ paper: paper(1), buyer }]));
  expect(fonts.filter((font) => /Arabic/.test(font)).length).toBeGreaterThan(0);
  expect(text).toContain('محمد علی');
  // From left to right on the paper, the last letter comes first.
  expect(drawn.join('\n')).toContain(Array.from('محمد علی').reverse().join(''));
});

const whole: Paper = {
  ...paper(0),
  heading: ['Government of the people', 'Mushak-6.3'],
  rows: [
    {
      name: 'Farmhouse',
      details: ['Medium', 'No onion'],
      code: '996331',
      quantity: '2',
      price: '234.50',
      amount: '469',
    },
    {
      name: 'A dish whose name goes on for more than a line of this narrow column',
      details: [],
      code: '',
      quantity: '10',
      price: '₹1',
      amount: '₹10',
    },
  ],
  sums: [
    { label: 'Taxable value', value: '479', weight: 'small' },
    { label: 'Carry bag', value: '5' },
    { label: 'Total', value: '484', weight: 'strong' },
  ],
  paid: [
    { label: 'UPI', value: '400' },
    { label: 'Wallet', value: '84' },
  ],
  notes: ['Made by a computer', 'Keep it'],
};

/** Whom the law does not want named, what is longer on the other side, and nothing above it. */
const other: Paper = {
  ...whole,
  title: 'Credit note for an invoice',
  heading: [],
  number: 'C10101/26/000007',
  seller: {
    name: 'Golden Oven Foods of the Old and the New Town Limited',
    lines: [],
    facts: [{ label: 'A registration whose name takes lines', value: '07AA' }],
  },
  facts: [
    { label: 'Of', value: 'An invoice whose number takes more than one line' },
    { label: 'Date', value: '23 Nov 2026' },
  ],
  rows: [{ name: 'Amount back', details: [], code: '', quantity: '', price: '', amount: '9' }],
  sums: [{ label: 'A sum of which the name takes more than a line', value: '9' }],
  paid: [],
  notes: [],
};

test('what is drawn again years later has everything at the same place, in the same size and colour', async () => {
  const buyer = { name: 'Asha Rao', lines: ['12, Barakhamba Road', 'Delhi'] };
  const { drawn, about } = readPdf(
    await drawPapers([
      { paper: whole, buyer },
      { paper: other, buyer: null },
    ]),
  );
  expect(drawn).toEqual([
    '1: 40 47.5 7.5 #5f5f5f Government of the people',
    '1: 40 58.7 7.5 #5f5f5f Mushak-6.3',
    '1: 40 83.4 15 bold #1c1c1c Golden Oven Foods',
    '1: 472.9 83.4 15 bold #3f6f00 Tax invoice',
    '1: line 40 92.8 555.3 92.8 1.2 #3f6f00',
    '1: 40 110.8 9 #1c1c1c Block F',
    '1: 40 125.7 8 #5f5f5f GSTIN',
    '1: 143.2 126 9 #1c1c1c 07AAXCG0000K1ZM',
    '1: 309.6 110.5 8 #5f5f5f Date',
    '1: 412.8 110.8 9 #1c1c1c 22 Nov 2026',
    '1: line 40 138.8 555.3 138.8 0.6 #d9d9d9',
    '1: 40 153.3 7.5 #5f5f5f Billed to',
    '1: 40 166 9 bold #1c1c1c Asha Rao',
    '1: 40 178.2 9 #1c1c1c 12, Barakhamba Road',
    '1: 40 190.5 9 #1c1c1c Delhi',
    '1: box 34 201.7 527.3 18 #f1f4ec',
    '1: 40 212.7 7.5 bold #5f5f5f Item',
    '1: 310 212.7 7.5 bold #5f5f5f SAC',
    '1: 384.5 212.7 7.5 bold #5f5f5f Qty',
    '1: 456.9 212.7 7.5 bold #5f5f5f Rate',
    '1: 525.1 212.7 7.5 bold #5f5f5f Amount',
    '1: 40 233.7 9 #1c1c1c Farmhouse',
    '1: 40 244.4 7.5 #5f5f5f Medium · No onion',
    '1: 310 233.7 9 #1c1c1c 996331',
    '1: 392.9 233.7 9 #1c1c1c 2',
    '1: 445.8 233.7 9 #1c1c1c 234.50',
    '1: 539.8 233.7 9 #1c1c1c 469',
    '1: line 40 251.1 555.3 251.1 0.6 #d9d9d9',
    '1: 40 264.1 9 #1c1c1c A dish whose name goes on for more than a line of this',
    '1: 40 276.4 9 #1c1c1c narrow column',
    '1: 387.7 264.1 9 #1c1c1c 10',
    '1: 463.7 264.1 9 #1c1c1c ₹',
    '1: 468.9 264.1 9 #1c1c1c 1',
    '1: 539.8 264.1 9 #1c1c1c ₹',
    '1: 545 264.1 9 #1c1c1c 10',
    '1: line 40 283.6 555.3 283.6 0.6 #d9d9d9',
    '1: 300 300.6 9 #5f5f5f Taxable value',
    '1: 539.8 300.6 9 #5f5f5f 479',
    '1: 300 315.4 9 #1c1c1c Carry bag',
    '1: 550.1 315.4 9 #1c1c1c 5',
    '1: line 300 322.1 555.3 322.1 0.8 #1c1c1c',
    '1: 300 337.1 11 bold #1c1c1c Total',
    '1: 536.4 337.1 11 bold #1c1c1c 484',
    '1: 40 357.1 7.5 #5f5f5f Amount in words',
    '1: 40 368.8 9 bold #1c1c1c Rupees nine hundred ninety-eight only',
    '1: 40 387.5 7.5 #5f5f5f Paid with',
    '1: 40 400.2 9 #1c1c1c UPI',
    '1: 539.8 400.2 9 #1c1c1c 400',
    '1: 40 413.9 9 #1c1c1c Wallet',
    '1: 545 413.9 9 #1c1c1c 84',
    '1: 40 434.2 7.5 #5f5f5f Made by a computer',
    '1: 40 446.4 7.5 #5f5f5f Keep it',
    '1: line 40 804 555.3 804 0.6 #d9d9d9',
    '1: 40 816.5 7.5 #5f5f5f Golden Oven Foods · I10101/26/000123',
    '1: 516.1 816.5 7.5 #5f5f5f Page 1 of 1',
    '2: 40 55 15 bold #1c1c1c Golden Oven Foods of the Old and the',
    '2: 40 75.4 15 bold #1c1c1c New Town Limited',
    '2: 365.7 55 15 bold #3f6f00 Credit note for an invoice',
    '2: line 40 84.8 555.3 84.8 1.2 #3f6f00',
    '2: 40 105.5 8 #5f5f5f A registration whose',
    '2: 40 116.4 8 #5f5f5f name takes lines',
    '2: 143.2 105.8 9 #1c1c1c 07AA',
    '2: 309.6 102.5 8 #5f5f5f Of',
    '2: 412.8 102.8 9 #1c1c1c An invoice whose number takes',
    '2: 412.8 115 9 #1c1c1c more than one line',
    '2: 309.6 128.5 8 #5f5f5f Date',
    '2: 412.8 128.8 9 #1c1c1c 23 Nov 2026',
    '2: box 34 141.5 527.3 18 #f1f4ec',
    '2: 40 152.5 7.5 bold #5f5f5f Item',
    '2: 310 152.5 7.5 bold #5f5f5f SAC',
    '2: 384.5 152.5 7.5 bold #5f5f5f Qty',
    '2: 456.9 152.5 7.5 bold #5f5f5f Rate',
    '2: 525.1 152.5 7.5 bold #5f5f5f Amount',
    '2: 40 173.5 9 #1c1c1c Amount back',
    '2: 550.1 173.5 9 #1c1c1c 9',
    '2: line 40 180.8 555.3 180.8 0.6 #d9d9d9',
    '2: 300 197.8 9 #1c1c1c A sum of which the name takes more',
    '2: 300 210 9 #1c1c1c than a line',
    '2: 550.1 197.8 9 #1c1c1c 9',
    '2: 40 229.2 7.5 #5f5f5f Amount in words',
    '2: 40 240.9 9 bold #1c1c1c Rupees nine hundred ninety-eight only',
    '2: line 40 804 555.3 804 0.6 #d9d9d9',
    '2: 40 816.5 7.5 #5f5f5f Golden Oven Foods of the Old and the New Town Limited · C10101/26/000007',
    '2: 516.1 816.5 7.5 #5f5f5f Page 1 of 1',
  ]);
  expect(about).toEqual({
    title: 'Tax invoice I10101/26/000123',
    author: 'Golden Oven Foods',
    made: 'D:20261122000000Z',
    language: 'en-IN',
  });
});

test('what does not fit on a page goes on to the next one, with all that belongs together', async () => {
  // Of each part the page, and how far from its top.
  const places: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    // Each a few points further down than the one before.
    const rows = 18 + Math.floor(step / 4);
    const many: Paper = {
      ...whole,
      heading: Array(step % 4).fill('Above it'),
      rows: Array.from({ length: rows }, (_, index) => ({ ...whole.rows[index % 2]!, name: `Dish ${index}` })),
    };
    const { drawn } = readPdf(await drawPapers([{ paper: many, buyer: null }]));
    const at = (end: string) => drawn.find((one) => one.endsWith(` ${end}`))!.replace(/^(\d+): \S+ (\S+).*$/, '$1:$2');
    const marks = [
      `Dish ${rows - 1}`,
      'Taxable value',
      'Carry bag',
      '484',
      'Amount in words',
      'Paid with',
      '84',
      'Made by a computer',
      'Keep it',
    ];
    places.push(marks.map(at).join(' '));
    // Each page says which it is, and on itself.
    const pages = Number(drawn.at(-1)!.split(':')[0]);
    expect(drawn.filter((one) => one.includes(' Page ')).map((one) => one.replace(/:.* Page/, ':'))).toEqual(
      Array.from({ length: pages }, (_, index) => `${index + 1}: ${index + 1} of ${pages}`),
    );
  }
  expect(places).toEqual([
    '1:578.3 1:602.5 1:617.2 1:639 1:658.9 1:689.4 1:715.8 1:736.1 1:748.3',
    '1:595.5 1:619.7 1:634.4 1:656.2 1:676.1 1:706.6 1:733 1:753.3 1:765.5',
    '1:606.7 1:630.9 1:645.6 1:667.4 1:687.3 1:717.8 1:744.2 1:764.5 2:47.5',
    '1:617.9 1:642.1 1:656.8 1:678.6 1:698.5 1:729 1:755.4 2:47.5 2:59.7',
    '1:598.5 1:632.9 1:647.7 1:669.4 1:689.4 1:719.8 1:746.3 1:766.5 2:47.5',
    '1:615.7 1:650.1 1:664.9 1:686.6 1:706.6 1:737 1:763.5 2:47.5 2:59.7',
    '1:626.9 1:661.3 1:676.1 1:697.8 1:717.8 1:748.2 1:774.7 2:47.5 2:59.7',
    '1:638.1 1:672.5 1:687.3 1:709 1:729 2:47.5 2:73.9 2:94.2 2:106.4',
    '1:628.9 1:653.2 1:667.9 1:689.7 1:709.6 1:740.1 1:766.5 2:47.5 2:59.7',
    '1:646.1 1:670.4 1:685.1 1:706.9 1:726.8 2:47.5 2:73.9 2:94.2 2:106.4',
    '1:657.3 1:681.6 1:696.3 1:718.1 1:738 2:47.5 2:73.9 2:94.2 2:106.4',
    '1:668.5 1:692.8 1:707.5 1:729.3 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:649.2 1:683.6 1:698.4 1:720.1 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:666.4 1:700.8 1:715.6 1:737.3 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:677.6 1:712 1:726.8 1:748.5 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:688.8 1:723.2 1:738 1:759.7 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:679.6 1:703.9 1:718.6 1:740.3 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:696.8 1:721.1 1:735.8 1:757.5 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:708 1:732.3 1:747 1:768.7 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:719.2 1:743.5 1:758.2 1:779.9 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:699.9 1:734.3 1:749 1:770.8 2:47.5 2:77.9 2:104.4 2:124.6 2:136.8',
    '1:717.1 1:751.5 1:766.2 2:56 2:76 2:106.4 2:132.8 2:153.1 2:165.3',
    '1:728.3 1:762.7 1:777.4 2:56 2:76 2:106.4 2:132.8 2:153.1 2:165.3',
    '1:739.5 1:773.9 2:49 2:70.7 2:90.7 2:121.1 2:147.6 2:167.8 2:180',
    '1:730.3 1:754.5 1:769.3 2:56 2:76 2:106.4 2:132.8 2:153.1 2:165.3',
    '1:747.5 1:771.7 2:49 2:70.7 2:90.7 2:121.1 2:147.6 2:167.8 2:180',
    '1:758.7 2:49 2:63.7 2:85.5 2:105.4 2:135.9 2:162.3 2:182.6 2:194.8',
    '1:769.9 2:49 2:63.7 2:85.5 2:105.4 2:135.9 2:162.3 2:182.6 2:194.8',
    '1:750.5 2:49 2:63.7 2:85.5 2:105.4 2:135.9 2:162.3 2:182.6 2:194.8',
    '1:767.7 2:49 2:63.7 2:85.5 2:105.4 2:135.9 2:162.3 2:182.6 2:194.8',
    '2:72 2:106.4 2:121.2 2:142.9 2:162.9 2:193.3 2:219.8 2:240 2:252.2',
    '2:72 2:106.4 2:121.2 2:142.9 2:162.9 2:193.3 2:219.8 2:240 2:252.2',
    '1:781 2:49 2:63.7 2:85.5 2:105.4 2:135.9 2:162.3 2:182.6 2:194.8',
    '2:72 2:96.2 2:111 2:132.7 2:152.7 2:183.1 2:209.6 2:229.8 2:242',
    '2:102.4 2:126.7 2:141.4 2:163.2 2:183.1 2:213.6 2:240 2:260.2 2:272.4',
    '2:102.4 2:126.7 2:141.4 2:163.2 2:183.1 2:213.6 2:240 2:260.2 2:272.4',
    '2:72 2:106.4 2:121.2 2:142.9 2:162.9 2:193.3 2:219.8 2:240 2:252.2',
    '2:92.2 2:126.7 2:141.4 2:163.2 2:183.1 2:213.6 2:240 2:260.2 2:272.4',
    '2:122.7 2:157.1 2:171.9 2:193.6 2:213.6 2:244 2:270.4 2:290.7 2:302.9',
    '2:122.7 2:157.1 2:171.9 2:193.6 2:213.6 2:244 2:270.4 2:290.7 2:302.9',
  ]);
});

test.each([
  [0, 'Rupees zero only', 'Taka zero only'],
  [5, 'Rupees zero and five paise only', 'Taka zero and five poisha only'],
  [1_00, 'Rupees one only', 'Taka one only'],
  [19_99, 'Rupees nineteen and ninety-nine paise only', 'Taka nineteen and ninety-nine poisha only'],
  [20_00, 'Rupees twenty only', 'Taka twenty only'],
  [21_10, 'Rupees twenty-one and ten paise only', 'Taka twenty-one and ten poisha only'],
  [100_00, 'Rupees one hundred only', 'Taka one hundred only'],
  [
    998_50,
    'Rupees nine hundred ninety-eight and fifty paise only',
    'Taka nine hundred ninety-eight and fifty poisha only',
  ],
  [1_000_00, 'Rupees one thousand only', 'Taka one thousand only'],
  [
    12_345_00,
    'Rupees twelve thousand three hundred forty-five only',
    'Taka twelve thousand three hundred forty-five only',
  ],
  [
    99_999_00,
    'Rupees ninety-nine thousand nine hundred ninety-nine only',
    'Taka ninety-nine thousand nine hundred ninety-nine only',
  ],
  [100_000_00, 'Rupees one lakh only', 'Taka one hundred thousand only'],
  [1_000_000_01, 'Rupees ten lakh and one paise only', 'Taka one million and one poisha only'],
  [10_000_000_00, 'Rupees one crore only', 'Taka ten million only'],
  [
    1_234_567_890_00,
    'Rupees one hundred twenty-three crore forty-five lakh sixty-seven thousand eight hundred ninety only',
    'Taka one billion two hundred thirty-four million five hundred sixty-seven thousand eight hundred ninety only',
  ],
])('%i is written in words as both ways of counting have it', (minor, indian, international) => {
  expect(amountWords(money(minor), { numerals: 'indian', unit: 'Rupees', subunit: 'paise' })).toBe(indian);
  expect(amountWords(money(minor), { numerals: 'international', unit: 'Taka', subunit: 'poisha' })).toBe(international);
});

test('there are no words for less than nothing', () => {
  expect(() => amountWords(money(-1), { numerals: 'indian', unit: 'Rupees', subunit: 'paise' })).toThrow(RangeError);
});

test('forty invoices wait to be drawn at a time, one more is sent away, and what cannot be drawn holds up none', async () => {
  const sheaf = [{ paper: paper(1), buyer: null }];
  const drawn = await drawPapers(sheaf);
  expect(Buffer.compare(await pressed(sheaf), drawn)).toBe(0);
  const all = await Promise.allSettled(Array.from({ length: 41 }, (_, n) => pressed(n === 39 ? sheaf : [])));
  const [whole] = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(Buffer.compare(whole!, drawn)).toBe(0);
  const reasons = all.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
  expect(reasons.slice(0, 39).every((reason) => reason.includes('nothing to draw'))).toBe(true);
  expect(all[40]).toMatchObject({ reason: { httpStatus: 503, errors: [{ code: 'BUSY' }] } });
  // There is room again.
  expect(Buffer.compare(await pressed(sheaf), drawn)).toBe(0);
});

test('what takes too long ends with all that wait beside it, and the next one is drawn all the same', async () => {
  const sheaf = [{ paper: paper(1), buyer: null }];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const both = Promise.allSettled([pressed(sheaf), pressed(sheaf)]);
  vi.advanceTimersByTime(15_000);
  vi.useRealTimers();
  const late = { status: 'rejected', reason: new Error('an invoice took too long to draw') };
  const next = pressed(sheaf);
  expect(await both).toEqual([late, late]);
  expect(Buffer.compare(await next, await drawPapers(sheaf))).toBe(0);
});

test.each([
  ['plain letters are of one file', 'Asha 12, Main Road', [['Asha 12, Main Road', 0, true]]],
  ['nothing is nothing', '', [['', 0, true]]],
  ['a blank goes on in the script before it', 'क ख', [['क ख', 2, false]]],
  ['a mark stays with its letter', 'कि', [['कि', 2, false]]],
  ['a joiner stays with its letters', 'ක්\u200dර', [['ක්\u200dර', 5, false]]],
  ['what no file has is left out', 'a😀', [['a', 0, true]]],
  ['what no file has leaves no gap', 'Asha 👩🏽‍🍳❤️ Rao 🍕', [['Asha Rao', 0, true]]],
  ['a part that no file has is left out with its comma', 'ထမင်း, MG Road', [['MG Road', 0, true]]],
  [
    'words in Urdu are one stretch, from right to left, without the blank behind them',
    'Flat 3 محمد علی 2nd',
    [
      ['Flat 3 ', 0, true],
      ['محمد علی', 15, false],
      [' 2nd', 0, true],
    ],
  ],
  ['of emoji nothing is left', '😀🍕', []],
  ['a letter and its mark are one, where there is one', 'A\u030a', [['\u00c5', 0, true]]],
  [
    'scripts are drawn each by its own',
    'Ab क Cd',
    [
      ['Ab ', 0, true],
      ['क ', 2, false],
      ['Cd', 0, true],
    ],
  ],
])('%s', (_, text, runs) => {
  expect(runsOf(text).map((run) => [run.text, run.file, run.isPlain])).toEqual(runs);
});
