import { describe, expect, it } from 'vitest';
import { nicknameFault, nicknameKey, nicknameText } from '../../src/domain/nickname.ts';

describe('a nickname', () => {
  it.each([
    ['Asha', null],
    ['आशा', null],
    ["Mr. O'Neil-2_x", null],
    ['a'.repeat(20), null],
    ['a'.repeat(21), 'length'],
    ['ab', 'length'],
    ['a.-b', 'length'],
    ['abc', null],
    [' Asha', 'signs'],
    ['-Asha', 'signs'],
    ['Asha!', 'signs'],
    ['Asha 12345', null],
    ['Asha 123456', 'contact'],
    ['98 76 54 3', 'contact'],
    ['www asha', 'contact'],
    ['asha.com', 'contact'],
    ['httpasha', 'contact'],
    ['HTTPasha', 'contact'],
    ['asha.www', 'contact'],
    ['wwwasha', null],
    ['asha.c', null],
    ['asha.com x', null],
    ['अ.आइ', 'contact'],
    ['12345abc', null],
    ['a-1-2-3-4-5-6', 'contact'],
    ['', 'length'],
    ['asha\n', 'signs'],
    ['😀asha', 'signs'],
    // Letters of another script among those of the first, and whole words of one that nobody here writes.
    ['Аdmin', 'script'],
    ['Αdmin', 'script'],
    ['аԁтіп', 'script'],
    ['Ravi राम', 'script'],
    ['a०min', 'script'],
    ['ᎪᎠᎷᏆΝ', 'script'],
    // Letters that nobody types: small capitals, phonetics.
    ['ᴀᴅᴍɪɴ', 'script'],
    ['ɑdmin', 'script'],
    ['ǃǃǃadmin', 'script'],
    // Marks that Unicode has no letter for, and heaps of them.
    ['fu\u0301ck', 'script'],
    ['Z\u0322\u0321algo', 'script'],
    ['क\u093c\u093c\u093c\u093cमल', 'script'],
    ['Asha\u20dd', 'script'],
    // What is seen by nobody, and what turns the others round.
    ['As\u200bha', 'signs'],
    ['As\u200dha', 'signs'],
    ['Asha\u202e', 'signs'],
    ['As\u00adha', 'signs'],
    ['ⓐdmin', 'signs'],
    // Numbers in the digits of every script.
    ['राम ९८७६५४', 'contact'],
    // Conjuncts are written with joiners, which count as no letter.
    ['ශ්\u200dරී ලංකා', null],
    ['র\u200d্যাম', null],
    ['தமிழ்', null],
    ['Zoë', null],
    ['José Łukasz', null],
    ['علی خان', null],
  ] as const)('%s: %s', (nickname, fault) => {
    expect(nicknameFault(nickname)).toBe(fault);
  });
});

it('two nicknames are the same without case, signs and forms of letters', () => {
  expect(nicknameKey("Mr. O'Neil-2_x")).toBe('mroneii2x');
  expect(nicknameKey('Ａｓｈａ')).toBe('asha');
  expect(nicknameKey('आशा !')).toBe('आशा');
  for (const other of ['Asha Slice', 'ASHA SLICE', 'Asha SIice', 'Asha S1ice', 'Áshá Šlice', 'a.s.h.a slice'])
    expect(nicknameKey(other), other).toBe('ashasiice');
  expect([nicknameKey('R0han'), nicknameKey('Rohan')]).toEqual(['rohan', 'rohan']);
});

it('a nickname is kept in one form of its letters', () => {
  expect(nicknameText('  Ａｓｈａ   Rao ')).toBe('Asha Rao');
  expect(nicknameText('Jose\u0301')).toBe('José');
  expect(nicknameKey('José')).toBe(nicknameKey('Jose'));
});
