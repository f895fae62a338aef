import { describe, expect, it } from 'vitest';
import { quoted, visible } from '../../src/domain/plainText.ts';

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
      expect(visible(`As${at(code)}ha${at(code)}`), code.toString(16)).toBe('Asha');
      expect(visible(at(code)), code.toString(16)).toBe('');
    }
  });

  it('what languages and emoji are written with stays', () => {
    for (const text of [
      'आशा पिज़्ज़ा',
      'ශ්\u200dරී ලංකා',
      'র\u200d্যাম',
      'க்ஷ்மி',
      '👩‍🍳🏽 ❤️ 🇮🇳',
      'José Zoë',
      'Rs 1\u00a0000, 2\u202fkm',
      'a\nb\tc',
    ])
      expect(visible(text)).toBe(text);
  });

  it('heaps of marks are cut to as many as a language puts on a letter', () => {
    expect(visible(`Z${'\u0322'.repeat(60)}a`)).toBe(`Z${'\u0322'.repeat(4)}a`);
  });
});

describe('somebody’s text in another sentence', () => {
  it('is shut in where its letters run from right to left, and as it is where they do not', () => {
    expect(quoted('علی')).toBe('\u2068علی\u2069');
    expect(quoted('עשה 7')).toBe('\u2068עשה 7\u2069');
    for (const name of ['Asha', 'आशा', 'Zoë 2']) expect(quoted(name)).toBe(name);
  });
  it('cannot leave where it is shut in, nor begin a line', () => {
    expect(quoted('علی\u2069\u202e')).toBe('\u2068علی\u2069');
    expect(quoted(' Asha\n\n@evil.example #123456 ')).toBe('Asha @evil.example #123456');
  });
});
