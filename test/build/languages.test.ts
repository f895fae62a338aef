import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Meta } from '../../src/build/meta.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { copyWithLanguage, strange } from '../kit/languages.ts';
import { runIn } from '../kit/newcomers.ts';

/** In a folder that India's configuration names already; nothing else is changed. */
const copy = temporaryFolder('pizza-language');
const dist = path.join(copy, 'dist');
const ADDED = 'hi';
/** Where India's pages ask in one of its environments. */
const UAT = 'https://uat.golden-oven.example';

beforeAll(() => {
  copyWithLanguage(copy, ADDED, ['src', 'hosts', 'country', 'build.mjs']);
  const config = path.join(copy, 'country/in/config.ts');
  const own = `environments({ uat: { API_HOST: '${UAT}' } })`;
  writeFileSync(config, readFileSync(config, 'utf8').replace('environments()', own));
});

const metaOf = (bundle: string) => JSON.parse(readFileSync(path.join(dist, bundle, 'meta.json'), 'utf8')) as Meta;

/** What a reader sees or hears of a page, with script or without, and without what is written in the invented letters. */
function lettersOf(html: string): string[] {
  const body = html.slice(html.indexOf('<body')).replace(/<(script|style)[^]*?<\/\1>/g, '');
  const attributes = [...body.matchAll(/\s(?:aria-label|alt|placeholder|title)="([^"]*)"/g)].map(
    (match) => match[1] ?? '',
  );
  return [...attributes, ...body.split(/<[^>]*>/)]
    .map((text) => text.replace(/[\u24d0-\u24e9]+/g, '').replaceAll('&amp;', '&'))
    .map((text) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})%]+$/gu, ''))
    .filter((text) => /[a-z]{2}/i.test(text));
}

/** Words of the data: dishes, categories, allergens, the shop. */
function dataOf(bundle: string): string {
  const { menu } = metaOf(bundle);
  // The brand is a name, too.
  return `${readFileSync(path.join(dist, bundle, menu), 'utf8')} ${countryConfig('in').appName}`.toLowerCase();
}

const scriptsOf = (bundle: string) =>
  Object.keys(metaOf(bundle).files)
    .filter((name) => name.endsWith('.js') && name !== metaOf(bundle).fake)
    .map((name) => readFileSync(path.join(dist, bundle, name), 'utf8'))
    .join('\n');

const WAYS: readonly (readonly [string, readonly string[], string, string, string, string])[] = [
  ['that the build is told to speak', ['--language', ADDED], 'in/gpay', 'in/gpay.en', '/in/gpay', 'en/'],
  [
    'beside the first one of its country',
    ['--base', '/pizza/', '--environment', 'uat'],
    'in/gpay.hi',
    'in/gpay',
    '/in/gpay/hi',
    '../',
  ],
];
test.each(WAYS)(
  'a language %s is on its pages and in its scripts, and in no other; pages ask the server of their environment [CFG-42]',
  (_, flags, own, english, mount, place) => {
    runIn(copy, 'build.mjs', '--country', 'in', '--host', 'gpay', ...flags);
    expect(metaOf(own)).toMatchObject({ language: ADDED, mount });
    expect(metaOf(english).language).toBe('en');
    const data = dataOf(own);
    for (const page of ['index.html', 'menu.html', 'app.html']) {
      const html = readFileSync(path.join(dist, own, page), 'utf8');
      expect(html, page).toContain('lang="hi-IN"');
      if (page !== 'app.html') expect(html, page).toContain(strange('Skip to the content'));
      expect(html, page).toContain(
        `"languages":[{"language":"en","name":"English","place":"${place}","offer":"Read this in English?"}]`,
      );
      if (flags.includes('--base')) expect(html, page).toContain('<base href="/pizza/hi/">');
      expect(
        lettersOf(html).filter((text) => !text.split(', ').every((one) => data.includes(one.toLowerCase()))),
        page,
      ).toEqual([]);
    }
    const [said, others] = [strange('Goes well with it'), 'Goes well with it'];
    expect(scriptsOf(own)).toContain(said);
    expect(scriptsOf(own)).not.toContain(others);
    expect(scriptsOf(english)).toContain(others);
    expect(scriptsOf(english)).not.toMatch(/[\u24d0-\u24e9]/);
    // Each environment asks its own server, and no page may call that of another.
    const isUat = flags.includes('uat');
    for (const bundle of [own, english]) {
      expect(scriptsOf(bundle)).toContain(`.ENVIRONMENTS.${isUat ? 'uat' : 'production'}.API_HOST`);
      expect(metaOf(bundle).policy['connect-src']?.includes(UAT) ?? false).toBe(isUat);
    }
  },
);
