import { expect, test } from 'vitest';
import { classEdits, classNamesOf, withShortClasses } from '../../src/build/classNames.ts';
import { edited } from '../../src/build/rewrite/edits.ts';

const CSS =
  '.Card_card{animation:Card_rise 1s}.Card_card:hover .Price_sum{color:red}.late{top:0}@keyframes Card_rise{to{top:0}}';

test('a class has the same two letters in stylesheets and scripts, and what no module declares keeps its name', () => {
  const names = classNamesOf(CSS);
  const [card, rise, sum] = ['Card_card', 'Card_rise', 'Price_sum'].map((long) => names.get(long)!);
  for (const short of [card, rise, sum]) expect(short).toMatch(/^[a-zA-Z]\w$/);
  expect(withShortClasses(CSS, names)).toBe(
    `.${card}{animation:${rise} 1s}.${card}:hover .${sum}{color:red}.late{top:0}@keyframes ${rise}{to{top:0}}`,
  );
  const script = 'var a="Card_card",b="NOT_A_CLASS",c="of Card_card";';
  expect(edited(script, classEdits(script, names))).toBe(`var a="${card}",b="NOT_A_CLASS",c="of Card_card";`);
});

test('a thousand classes differ, none is called like an advertisement, and one more renames hardly any other', () => {
  const css = (count: number) => Array.from({ length: count }, (_, at) => `.File_name${at}{top:0}`).join('');
  const [before, after] = [classNamesOf(css(1_000)), classNamesOf(css(1_001))];
  expect(new Set(before.values()).size).toBe(1_000);
  expect([...before.values()].filter((short) => /^ad/i.test(short))).toEqual([]);
  expect([...before].filter(([long, short]) => after.get(long) !== short).length).toBeLessThan(3);
});
