import { expect, test } from 'vitest';
import { allTitles, readRows, titlesIn } from './rows.ts';

const row = (change: object = {}) => ({
  id: 'CFG-01',
  area: 'CFG',
  capability: 'India',
  audit: { word: 'table', since: '2b572bc' },
  ...change,
});
const file = (...rows: object[]) => JSON.stringify({ rows });

test('the rows can be read, each has a word that is known, and what is wrong with the file is said', () => {
  expect(readRows()).toHaveLength(703);
  expect(readRows(file(row()))).toHaveLength(1);
  expect(() => readRows(`${file(row())},`)).toThrow(/^test\/requirements\.json is no JSON: /);
  expect(() => readRows(file(row({ audit: { word: 'sure', since: '2b572bc' } })))).toThrow(
    /^test\/requirements\.json: CFG-01: audit\.word: /,
  );
  expect(() => readRows(file(row({ audit: undefined })))).toThrow('CFG-01: audit: ');
  expect(() => readRows(file(row(), row()))).toThrow('has twice: CFG-01');
  expect(() => readRows('[]')).toThrow(/^test\/requirements\.json: /);
});

test('every row is named by a test of every run, and no test names a row that is none', () => {
  const known = new Set(readRows().map(({ id }) => id));
  const named = new Set(allTitles().flatMap(({ ids }) => ids));
  const always = new Set(allTitles().flatMap(({ title, ids }) => (title.endsWith('@all') ? [] : ids)));
  expect([...known].filter((id) => !always.has(id))).toEqual([]);
  expect([...named].filter((id) => !known.has(id))).toEqual([]);
});

test('a title has at most 120 characters beside its rows', () => {
  const bare = (title: string) => title.replace(/\s*(\[[A-Z]+-[^\]]*\]|@all)/g, '');
  expect(allTitles().filter(({ title }) => bare(title).length > 120)).toEqual([]);
});

test('a title names three rows at most, or its test goes through a table that has a case for each', () => {
  const found = allTitles().filter(({ isCrowded }) => isCrowded);
  expect(found.map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
  const crowded = (text: string, ...tables: string[]) =>
    titlesIn('x.ts', text, tables).map(({ isCrowded }) => isCrowded);
  const title = 'of %s [CFG-01] [CFG-02, CFG-03] [CFG-05]';
  const three = 'of one [CFG-01, CFG-02] [CFG-03]';
  const cases = ['CFG-01', 'CFG-02', 'CFG-03', 'CFG-05'].map((id) => `['${id}', 'in'],`);
  expect(crowded(`test('${title}', () => {});`)).toEqual([true]);
  expect(crowded(`test.each([${cases.slice(1).join('')}])('${title}', () => {});`)).toEqual([true]);
  expect(crowded(`test.each([${cases.join('')}])('${title}', () => {});`)).toEqual([false]);
  const table = `const TABLE = [${cases.join('')}];`;
  // A table that stands there, and that another test goes through.
  expect(crowded(`${table} test('${title}', () => {});`)).toEqual([true]);
  expect(crowded(`${table} test.each(TABLE)('of %s', () => {}); test('${title}', () => {});`)).toEqual([true]);
  expect(crowded(`test.each([${cases.join('')}])('of %s', () => {}); test('${title}', () => {});`)).toEqual([true]);
  expect(crowded(`test.each(TABLE)('${title}', () => {});`, table.replace('CFG-05', 'CFG-06'))).toEqual([true]);
  expect(crowded(`test('${three}', () => {});`)).toEqual([false]);
  expect(titlesIn('x.ts', `test.skip('${three}', () => {});`)).toEqual([]);
});
