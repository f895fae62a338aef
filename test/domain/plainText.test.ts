import { describe, expect, it } from 'vitest';
import { quoted } from '../../src/domain/plainText.ts';

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
