import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { expect, test } from 'vitest';

const TEXTS = path.resolve(import.meta.dirname, '../../src/text');

/** What the sentences of a language are written in. */
const scriptOf = (language: string) => new RegExp(`\\p{Script=${new Intl.Locale(language).maximize().script}}`, 'u');

/** What may be in Latin letters in any language, and why. */
const LATIN: Readonly<Record<string, string>> = {
  'first.clock': 'AM and PM',
  'orders.clock': 'AM and PM',
  'history.fileName': 'the name of a file',
  'payment.pin': 'what is printed on vouchers',
  'server.fieldsCvv': 'what is printed on cards',
  'server.fieldsExpiryHint': 'how cards write it',
  'server.cardName': 'names of companies',
  'trains.pnr': 'what tickets call it',
};

/** What stands in a sentence by itself, in each of its cases; what fills it does not. */
function writtenIn(elements: readonly MessageFormatElement[]): string {
  return elements
    .map((element) => {
      if (element.type === TYPE.literal) return element.value;
      if (element.type === TYPE.tag) return writtenIn(element.children);
      if (element.type === TYPE.plural || element.type === TYPE.select)
        return Object.values(element.options)
          .map(({ value }) => writtenIn(value))
          .join(' ');
      return '';
    })
    .join(' ');
}

const files = (language: string) => readdirSync(path.join(TEXTS, language)).filter((name) => name.endsWith('.json'));
const others = readdirSync(TEXTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['en', 'made'].includes(entry.name))
  .map(({ name }) => name);

function latinIn(language: string) {
  const script = scriptOf(language);
  return files(language).flatMap((file) => {
    const sentences = JSON.parse(readFileSync(path.join(TEXTS, language, file), 'utf8')) as Record<string, string>;
    return Object.entries(sentences).flatMap(([key, text]) => {
      const written = writtenIn(parse(text));
      const isForeign = /\p{L}/u.test(written) && !script.test(written);
      return isForeign ? [{ key: `${file.replace('.json', '')}.${key}`, text }] : [];
    });
  });
}

test.each(others)('every sentence in src/text/%s is written in its script [QUAL-X03]', (language) => {
  expect(latinIn(language).filter(({ key }) => LATIN[key] === undefined)).toEqual([]);
});

test('nothing is excused that every language writes in its own script', () => {
  const latin = new Set(others.flatMap((language) => latinIn(language).map(({ key }) => key)));
  expect(Object.keys(LATIN).filter((key) => !latin.has(key))).toEqual([]);
});
