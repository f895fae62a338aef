import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import { compileTexts, languagesIn, REFERENCE } from '../../src/build/texts.ts';
import { root, sources, type Source } from './sources.ts';
import { isTalking, sentencesIn } from './sentences.ts';
import { placeOf, visit, type Node } from './syntax.ts';

/** What stands in for a catalogue in a file: `import * as t from '#text/cart.ts'`, or the server's of src/server/call/language.ts. */
const SPOKEN = /(?:^|\/)call\/language\.ts$/;
const SERVER_NAMES: Readonly<Record<string, string>> = { t: 'server' };

/** What a rule that is given its sentences calls them: `import type * as sentences from '#text/build.ts'` says which these are. */
const GIVEN = 't';

interface Reading {
  readonly name: string;
  readonly key: string;
  /** In the language of whoever asks the server, or the rule; else in that of the bundle, and of a server English. */
  readonly isAsked: boolean;
  readonly node: Node;
  readonly above: readonly Node[];
}

/** Every `t.key` of a file: the catalogue, the key, and where it stands. */
function readingsOf(source: Source): Reading[] {
  const catalogues = new Map<string, string>();
  const asked = new Set<string>();
  const found: Reading[] = [];
  visit(source, (node, above) => {
    if (node.type === 'ImportDeclaration') {
      const from = (node['source'] as { value: string }).value;
      for (const specifier of node['specifiers'] as {
        type: string;
        local: { name: string };
        imported?: { name: string };
      }[]) {
        const name = /^#text\/(\w+)\.ts$/.exec(from)?.[1];
        if (name && specifier.type === 'ImportNamespaceSpecifier') {
          const isGiven = node['importKind'] === 'type';
          if (isGiven) asked.add(GIVEN);
          catalogues.set(isGiven ? GIVEN : specifier.local.name, name);
        } else if (name && node['importKind'] !== 'type')
          throw new Error(`${source.file}: import * as t from '${from}', so that a reader sees what is a sentence`);
        else if (SPOKEN.test(from) && specifier.imported) {
          asked.add(specifier.local.name);
          catalogues.set(specifier.local.name, SERVER_NAMES[specifier.imported.name] ?? specifier.imported.name);
        }
      }
    }
    if (node.type !== 'MemberExpression') return;
    const [object, property] = [node['object'] as Node, node['property'] as Node];
    const local = object.type === 'Identifier' ? (object['name'] as string) : '';
    const name = catalogues.get(local);
    const key = node['computed'] ? '[...]' : (property['name'] as string);
    if (name !== undefined) found.push({ name, key, isAsked: asked.has(local), node, above });
  });
  return found;
}

const isFunction = ({ type }: Node) => /Function/.test(type);
const readings = sources.flatMap((source) => readingsOf(source).map((reading) => ({ source, ...reading })));

/** Sentences of the specification whose screens come later; test/text/errors.test.ts holds them to its wording. */
const AWAITED = new Set(['errors.alreadyRated']);
/** The build writes them into a bundle's service worker, in the bundle's language (src/build/bundle.ts). */
const BUILT = new Set(['page.newsTitle', 'page.news', 'page.languageOffer']);

describe('catalogues', () => {
  it('every language that a country speaks says everything, and each fills its sentences as English does', async () => {
    const spoken = new Set(countries.flatMap((country) => country.languages));
    for (const language of await languagesIn(root))
      await compileTexts(root, { language, isDraft: !spoken.has(language) });
  });

  it('every key is said somewhere', async () => {
    const said = new Set(readings.map(({ name, key }) => `${name}.${key}`));
    const folder = path.join(root, 'src/text', REFERENCE);
    const keys = readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) =>
        Object.keys(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as object).map(
          (key) => `${file.replace('.json', '')}.${key}`,
        ),
      );
    expect(keys.filter((key) => !said.has(key) && !AWAITED.has(key) && !BUILT.has(key))).toEqual([]);
  });

  it('a sentence is read by its name when it is said: not while a file loads, when another language may not be here yet', () => {
    expect(readings.filter(({ key }) => key === '[...]').map(({ source, node }) => placeOf(source, node))).toEqual([]);
    expect(
      readings.filter(({ above }) => !above.some(isFunction)).map(({ source, node }) => placeOf(source, node)),
    ).toEqual([]);
  });

  it('no rule that the server follows takes a sentence by itself: it would be English for everybody', () => {
    const byFile = new Map(sources.map((source) => [source.file, source]));
    const seen = new Set<string>();
    const reach = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const to of byFile.get(file)?.imports ?? []) if (to.file !== null && !to.isType) reach(to.file);
    };
    for (const { file } of sources) if (/^src\/server\/|^hosts\/\w+\/server\.ts$/.test(file)) reach(file);
    const bySelf = readings.filter(({ source, isAsked }) => seen.has(source.file) && !isAsked);
    expect(bySelf.map(({ source, node }) => placeOf(source, node))).toEqual([]);
  });
});

describe('sentences', () => {
  it('no sentence that a customer reads stands outside of the catalogues', () => {
    expect(sources.filter((source) => isTalking(source)).flatMap((source) => sentencesIn(source))).toEqual([]);
  });
});
