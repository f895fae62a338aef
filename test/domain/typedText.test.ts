import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { isEmail } from '../../src/domain/email.ts';
import { voucherNumber, voucherPin } from '../../src/domain/funds.ts';
import { groupCode, typedLimit } from '../../src/domain/group.ts';
import { memoryCode } from '../../src/domain/memory.ts';
import { nicknameText } from '../../src/domain/nickname.ts';
import { otpCode } from '../../src/domain/otp.ts';
import { phoneNumber } from '../../src/domain/phone.ts';
import { trimmed } from '../../src/domain/profile.ts';
import { pnrOf } from '../../src/domain/trains.ts';
import { cleaned, latinDigits, typedCode, typedNumber, typedText } from '../../src/domain/typedText.ts';
import { isVpa } from '../../src/domain/upi.ts';

const at = (...codes: number[]) => String.fromCodePoint(...codes);

describe('what nobody sees', () => {
  it.each([
    ['controls of direction', [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068]],
    ['blanks without width', [0x200b, 0x2060, 0xfeff, 0xad, 0x180e]],
    ['letters that are blanks', [0x115f, 0x1160, 0x3164, 0xffa0, 0x2800]],
    ['lines of their own', [0x2028, 0x2029, 0x85]],
    ['controls of terminals', [0x9b, 0x9d, 0x80]],
    ['tags', [0xe0001, 0xe0041, 0xe007f]],
  ] as const)('%s are left out of what somebody wrote', (_, codes) => {
    for (const code of codes) {
      expect(cleaned(`As${at(code)}ha${at(code)}`), code.toString(16)).toBe('Asha');
      expect(cleaned(at(code)), code.toString(16)).toBe('');
    }
  });

  it('what languages and emoji are written with stays', () => {
    for (const text of [
      ...['आशा पिज़्ज़ा', 'ශ්\u200dරී ලංකා', 'র\u200d্যাম', 'க்ஷ்மி', '👩‍🍳🏽 ❤️ 🇮🇳', 'José Zoë', 'അവന്\u200d'],
      ...['র\u200c্য', '☺\ufe0e', 'a\nb\tc'],
    ])
      expect(cleaned(text)).toBe(text);
  });

  it('joiners and signs of the look of an emoji are left out where nothing is joined', () => {
    for (const typed of ['A\u200dsh\u200ca', '\u200dAsha\u200c', 'Asha \ufe0f', 'As\u200d\ufe0fha'])
      expect(typedText(typed), JSON.stringify(typed)).toBe('Asha');
    expect(cleaned('\u200d\u200c\ufe0f')).toBe('');
    expect(cleaned(`क्${'\u200d'.repeat(40)}ष`)).toBe('क्\u200d\u200dष');
  });

  it('there is one form for each sign, and blanks are blanks', () => {
    expect(cleaned('Ａｓｈａ\u00a0Ｒａｏ　ﬁ № 5，')).toBe('Asha Rao fi No 5,');
    expect(cleaned('e\u200b\u0301')).toBe('é');
    expect(cleaned('O\u00b4Brien')).toBe("O'Brien");
    expect(cleaned('য\u09bc')).toBe(cleaned('\u09df'));
  });

  it.each([
    ['12½', '12 1/2'],
    ['½', '1/2'],
    ['12½, MG Road', '12 1/2, MG Road'],
    ['12⅓¼', '12 1/3 1/4'],
    ['12\u200b½ 12\u200d½', '12 1/2 12 1/2'],
    ['A½', 'A 1/2'],
    ['১২½', '১২ 1/2'],
    ['12⁄3, 4∕5', '12/3, 4/5'],
    ['Sector 5² 10²³', 'Sector 5 2 10 23'],
    ['H₂O, m²', 'H2O, m2'],
    ['12①②', '12 1 2'],
    ['№5 Flat№6', 'No 5 Flat No 6'],
    ['℅Sharma', 'c/o Sharma'],
    ['Prestige™ Towers℠', 'Prestige Towers'],
    ['1º, 5ª, 5ᵗʰ', '1, 5, 5th'],
    ['1️⃣2️⃣, Ⓜ️ ℹ️', '12, Ⓜ️ ℹ️'],
    ['12Ⓑ, Ⅳ', '12B, IV'],
    ['O¨Brien˜', 'O Brien '],
  ])('%s becomes no other number or word: %s', (typed, is) => expect(cleaned(typed)).toBe(is));

  it('heaps of marks are cut to as many as a language puts on a letter', () => {
    expect(cleaned(`Z${'\u0322'.repeat(60)}a`)).toBe(`Z${'\u0322'.repeat(4)}a`);
  });
});

/** The digits of each script of these countries, of Urdu, and of wide keyboards, for 0 to 9. */
const ZEROS = [0x30, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0x660, 0x6f0, 0xff10];
const inScript = (text: string, zero: number) => text.replace(/\d/g, (digit) => at(zero + Number(digit)));
/** What comes along when a text is copied from a message, a page or a chat. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `  ${text}\n`,
  (text) => `\u00a0${text}\u3000`,
  (text) => `\u202a${text}\u202c`,
  (text) => `\u2068${text}\u2069`,
  (text) => `\ufeff${text}\u200b`,
  (text) => [...text].join('\u200b'),
  (text) => [...text].join('\u00ad'),
  (text) => `\u200e${text}\u200f\u2060`,
  (text) => text.replace(/[!-~]/g, (sign) => at((sign.codePointAt(0) ?? 0) + 0xfee0)),
];
const DASHES = ['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\uff0d', '\ufe63'];
const india = countryConfig('in');

type Field = readonly [field: string, read: (typed: string) => unknown, typed: string, is: unknown];
const FIELDS: readonly Field[] = [
  ['a phone number', (typed) => phoneNumber(typed, india), '+91 98765-43210', '9876543210'],
  ['a phone number with zeros', (typed) => phoneNumber(typed, india), '0091 98765 43210', '9876543210'],
  ['a phone number of Bangladesh', (typed) => phoneNumber(typed, countryConfig('bg')), '008801712345678', '1712345678'],
  ['a phone number of Sri Lanka', (typed) => phoneNumber(typed, countryConfig('lk')), '0094712345678', '712345678'],
  ['a code of an SMS', otpCode, '123 456', '123456'],
  ['a voucher', voucherNumber, '6011 2222-3333 4444', '6011222233334444'],
  ['a PIN', voucherPin, '12 34 56', '123456'],
  ['a PNR', pnrOf, '261-2345601', '2612345601'],
  ['a PNR with its name', pnrOf, 'PNR:2612345601', '2612345601'],
  ['a coupon', typedCode, 'welcome50', 'WELCOME50'],
  ['a hand-over code', typedCode, 'ab2-9xz', 'AB2-9XZ'],
  ['a code of a phone', memoryCode, 'ABCD-efg2', 'abcd-efg2'],
  ['a group', groupCode, 'https://pizza.example/in/group/abcd-efgh-jkmn-p2r3/?x=1', 'abcd-efgh-jkmn-p2r3'],
  ['a limit', typedLimit, '1,250', 125_000],
  ['a number plate', (typed) => latinDigits(typed), 'KA-4821', '4821'],
  ['a table', typedNumber, '12', '12'],
  ['a berth', typedNumber, 'S4-21', 'S4-21'],
  ['an email', (typed) => isEmail(typed) && typedText(typed), 'asha.rao@example.com', 'asha.rao@example.com'],
  ['a UPI id', (typed) => isVpa(typed) && typedNumber(typed), 'asha-1@okaxis', 'asha-1@okaxis'],
  ['a first name', (firstName) => trimmed({ firstName, lastName: '', email: '' }).firstName, 'Asha', 'Asha'],
  ['a nickname', nicknameText, 'Asha', 'Asha'],
  ['a note', typedText, 'No onion, please', 'No onion, please'],
];

describe.each(FIELDS)('%s', (_, read, typed, is) => {
  it('is the same however it was copied', () => {
    for (const around of AROUND) expect(read(around(typed)), JSON.stringify(around(typed))).toEqual(is);
  });
});

const TEXTS = ['an email', 'a first name', 'a nickname', 'a note'];
describe.each(FIELDS.filter(([field]) => !TEXTS.includes(field)))('%s', (_, read, typed, is) => {
  it('is the same in the digits of every script, and with every dash', () => {
    for (const zero of ZEROS) expect(read(inScript(typed, zero)), inScript(typed, zero)).toEqual(is);
    for (const dash of DASHES) {
      const text = typed.replaceAll('-', dash);
      expect(read(text), text).toEqual(is);
    }
  });
});

test.each([
  ['WEL COME 50', 'WELCOME50'],
  ['"welcome50"', 'WELCOME50'],
  ['“Welcome50”.', 'WELCOME50'],
  ["'welcome50'", 'WELCOME50'],
  ['«welcome50»', 'WELCOME50'],
  ['welcome50.', 'WELCOME50'],
  ['Use code: welcome50', 'WELCOME50'],
  ['कोड: welcome50', 'WELCOME50'],
  ['welcome50:', 'WELCOME50'],
  ['(welcome50)!', 'WELCOME50'],
  ['WELCOME৫০', 'WELCOME50'],
  ['ＷＥＬＣＯＭＥ５０', 'WELCOME50'],
  ['पिज़्ज़ा50', 'पिज़्ज़ा50'],
  ['a-b c\td\ne--f  ', 'A-BCDE--F'],
  ['23a_9.', '23A_9'],
  ['-', ''],
  ['', ''],
])('the code of %j is %j', (typed, code) => expect(typedCode(typed)).toBe(typedText(code)));

test.each([
  [
    'PNR:2612345601,TRN:12951,DOJ:28-11-26,3A,NDLS-MMCT,DP:16:55,ASHA RAO+1,B4 21 22,Fare:3055,SC:11.8,Chart 4hrs before dep. Helpline 139. -IRCTC',
    '2612345601',
  ],
  ['PNR No. 261 234 5601 is confirmed. Call 9876543210.', '2612345601'],
  ['Train 12951, 2612345601, coach B4', '2612345601'],
  ['पीएनआर २६१२३४५६०१', '2612345601'],
  ['Your PNR\n2612345601 12951', '2612345601'],
  ['2612345601 or 2612345602', null],
  ['Call 139', null],
  ['26123456o1', null],
  ['+912612345601', null],
  ['PNR 26123456011', null],
])('the PNR in %j is %j', (typed, pnr) => expect(pnrOf(typed)).toBe(pnr));

test('a text is cleaned once: cleaning what is clean changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (typed) => {
      for (const clean of [cleaned, typedText, typedNumber, typedCode]) expect(clean(clean(typed))).toBe(clean(typed));
    }),
  );
});
