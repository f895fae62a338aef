import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = path.resolve(import.meta.dirname, '../../src');
const read = (file: string) => readFileSync(path.join(SOURCES, file), 'utf8');
const languages = readdirSync(path.join(SOURCES, 'text'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(SOURCES, 'text', entry.name, 'words')))
  .map(({ name }) => name);

// Nobody hears of words that are only written down: search and assistant would not know them.
test.each([
  ['dishes', 'domain/dishwords.ts'],
  ['numbers', 'domain/numberWords.ts'],
  ['questions', 'domain/chat/words.ts'],
])('the %s in words of every language are read by %s', (name, file) => {
  const source = read(file);
  expect(languages.filter((language) => !source.includes(`text/${language}/words/${name}.json'`))).toEqual([]);
});
