import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const TEXTS = path.resolve(import.meta.dirname, '../../src/text');
const languages = readdirSync(TEXTS, { withFileTypes: true })
  .filter((one) => one.isDirectory() && one.name !== 'made')
  .map(({ name }) => name);

/** Words on a button, and the name that a screen reader says, by their keys: `add` and `addItem`. */
function pairsOf(file: string): readonly (readonly [key: string, label: string, name: string])[] {
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  return Object.entries(texts).flatMap(([key, label]) => {
    const name = texts[`${key}Item`] ?? (key.startsWith('choose') ? texts[`${key}Of`] : undefined);
    return typeof label === 'string' && typeof name === 'string' && !label.includes('{') ? [[key, label, name]] : [];
  });
}

const pairsIn = (language: string) =>
  readdirSync(path.join(TEXTS, language))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => pairsOf(path.join(TEXTS, language, file)));

// Whoever speaks to a phone says what stands on the button (WCAG 2.5.3).
test('there are such buttons', () => expect(pairsIn('en').length).toBeGreaterThan(5));
test.each(languages)('in %s the name of a button that says its dish holds the words that stand on it', (language) => {
  expect(pairsIn(language).filter(([, label, name]) => !name.toLowerCase().includes(label.toLowerCase()))).toEqual([]);
});
