import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import bcd from '@mdn/browser-compat-data' with { type: 'json' };
import type {
  BrowserName,
  CompatStatement,
  Identifier as Entries,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data/types';
import type { Identifier, Node } from 'typescript/unstable/ast';
import { isIdentifier, isTypeNode, isVariableDeclaration } from 'typescript/unstable/ast/is';
import { API, type Project } from 'typescript/unstable/sync';
import { parseSync, Visitor, type Expression, type Super } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { root } from './sources.ts';

/** package.json says how old a browser may be: 'chrome >= 87'. */
const OLDEST = (
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { browserslist: string[] }
).browserslist.map((line) => {
  const [name = '', , version] = line.split(' ');
  return { browser: (name === 'ios_saf' ? 'safari_ios' : name) as BrowserName, version: Number(version) };
});

/** Newer, and used all the same: where, and why that is right. */
const NEWER: Readonly<Record<string, readonly [file: RegExp, why: string]>> = {
  'Navigator.vibrate': [/^src\/(bridge\/defaults|simulator\/PhoneFrame)\.tsx?$/, 'asked for first'],
  'Navigator.share': [/^hosts\/browser\/actions\.ts$/, 'asked for first'],
  'NavigatorCookies.cookieEnabled': [/^src\/shell\/watchers\.ts$/, 'only false counts'],
  'URL.canParse': [/^hosts\/gpay\/profile\.ts$/, 'asked for first, and only for browsers without ancestorOrigins'],
  reportError: [/^(src\/shell\/first\/App\.tsx|hosts\/browser\/(keepOffline\.ts|main\.tsx))$/, 'asked for first'],
  Notification: [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'Notification.permission': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'Notification.requestPermission': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'PushManager.getSubscription': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'PushManager.subscribe': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'PushSubscription.toJSON': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'PushSubscription.unsubscribe': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
  'PushSubscription.endpoint': [/^src\/state\/push\.ts$/, 'the push manager is asked for first'],
};
/** The same by the text of the built scripts, in which the packages are, too. */
const NEWER_IN_SCRIPTS: Readonly<Record<string, string>> = {
  'AbortSignal.any(': 'ky asks for it first',
  '.throwIfAborted(': 'ky, only where it has found AbortSignal.any',
  'Object.hasOwn(': 'ky; src/api/client.ts brings it',
  '.at(': 'ky, for two signals at once: we give it one',
};

type Described = Omit<Entries, '__compat'> & { readonly __compat?: CompatStatement };

/** TypeScript declares some members on interfaces of its own; MDN knows them where they are used. */
const OWNERS = ['Element', 'HTMLElement', 'Document', 'Window', 'Navigator', 'Node', 'Response', 'HTMLAnchorElement'];

const entry = (entries: Entries | undefined, name: string): Entries | undefined =>
  entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
const member = (owner: Entries | undefined, name: string) => entry(owner, name) ?? entry(owner, `${name}_static`);

function compatOf(owner: string, name: string, isDom: boolean): CompatStatement | undefined {
  const { api, javascript } = bcd;
  if (!isDom) {
    const { builtins } = javascript as unknown as { builtins: Entries };
    const plain = owner.replace(/Constructor$|^Readonly/g, '');
    return (
      owner === ''
        ? entry(builtins, name)
        : (member(entry(builtins, plain), name) ?? member(entry(builtins.Intl, plain), name))
    )?.__compat;
  }
  if (owner === '') return (entry(api, name) ?? entry(api.Window, name))?.__compat;
  return [owner, ...OWNERS].map((one) => member(entry(api, one), name)).find((one) => one?.__compat)?.__compat;
}

/** The browsers of the floor that do not have it as it is written, without a prefix or a switch. */
function missing({ support }: CompatStatement): string[] {
  return OLDEST.filter(({ browser, version }) => {
    const held = support[browser];
    const statements: readonly SimpleSupportStatement[] = held === undefined ? [] : Array.isArray(held) ? held : [held];
    return !statements.some(
      ({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }) =>
        typeof added === 'string' &&
        Number.parseFloat(added.replace('≤', '')) <= version &&
        !removed &&
        !flags &&
        !prefix &&
        !other,
    );
  }).map(({ browser, version }) => `${browser} ${version}`);
}

/** The name of the variable whose type this is written in: `declare var URL: { canParse(...) }`. */
function variableAround(node: Node | undefined): string {
  let at = node;
  while (at && !isVariableDeclaration(at)) at = at.parent;
  return at && isIdentifier(at.name) ? at.name.text : '';
}

/** Everything of the browser and of the language that the values of a file name. */
function* namedIn(project: Project, file: string): Generator<{ owner: string; name: string; isDom: boolean }> {
  const source = project.program.getSourceFile(file);
  const names: Identifier[] = [];
  const visit = (node: Node): void => {
    if (isTypeNode(node)) return;
    if (isIdentifier(node)) names.push(node);
    node.forEachChild(visit);
  };
  if (source) visit(source);
  for (const symbol of project.checker.getSymbolAtLocation(names)) {
    const place = symbol?.declarations[0];
    const library = /lib\.(dom|webworker|es\d)/.exec(place?.path ?? '')?.[1];
    if (!symbol || !place || !library) continue;
    const parent = symbol.getParent()?.name ?? '';
    const owner = parent === '__type' ? variableAround(place.resolve(project)) : parent;
    yield { owner, name: symbol.name, isDom: !library.startsWith('es') };
  }
}

/** All scripts of India's bundles. */
function builtScripts(): { name: string; text: string }[] {
  const folder = path.join(root, 'dist/in');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(names.length).toBeGreaterThan(3);
  return names.map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
}

/** Optional calls with an argument behind a spread one (crbug.com/42201552). */
function spreadsIn(name: string, text: string): string[] {
  const found: string[] = [];
  new Visitor({
    ChainExpression({ expression }) {
      for (let link: Expression | Super = expression; ;) {
        if (link.type === 'CallExpression') {
          const { arguments: given, start, end } = link;
          if (given.slice(0, -1).some(({ type }) => type === 'SpreadElement')) found.push(text.slice(start, end));
          link = link.callee;
        } else if (link.type === 'MemberExpression') link = link.object;
        else return;
      }
    },
  }).visit(parseSync(name, text).program);
  return found;
}

describe('the oldest browsers', () => {
  it.each(['src/tsconfig.json', 'hosts/browser/tsconfig.worker.json'])('%s names nothing newer', (config) => {
    const api = new API({ cwd: root });
    const [project] = api.updateSnapshot({ openProjects: [path.join(root, config)] }).getProjects();
    const found = new Set<string>();
    let known = 0;
    for (const file of project!.program.getSourceFileNames()) {
      const own = path.relative(root, file);
      if (own.startsWith('..') || own.startsWith('node_modules') || file.startsWith('bundled')) continue;
      for (const { owner, name, isDom } of namedIn(project!, file)) {
        const compat = compatOf(owner, name, isDom);
        if (!compat) continue;
        known += 1;
        const full = owner === '' ? name : `${owner}.${name}`;
        const without = missing(compat);
        if (without.length > 0 && !NEWER[full]?.[0].test(own))
          found.add(`${own}: ${full} is not in ${without.join(', ')}`);
      }
    }
    api.close();
    expect([...found]).toEqual([]);
    expect(known).toBeGreaterThan(50);
  });

  it('nothing newer is called in the built scripts, packages included', () => {
    const { builtins } = bcd.javascript as unknown as { builtins: Entries };
    const owners = { ...builtins, AbortSignal: bcd.api.AbortSignal, URL: bcd.api.URL } as unknown as Record<
      string,
      Described
    >;
    const known = Object.entries(owners).flatMap(([owner, entries]) => {
      const here = (globalThis as unknown as Record<string, { prototype?: object } | undefined>)[owner];
      if (!here || !entries.__compat || missing(entries.__compat).length > 0) return [];
      return Object.entries(entries as Record<string, Described>).flatMap(([key, { __compat: compat }]) => {
        const name = key.replace('_static', '');
        if (!compat) return [];
        const isNewer = missing(compat).length > 0;
        // MDN does not say of the language's own functions whether an object has them or its maker.
        return [
          ...(name in here ? [{ call: `${owner}.${name}(`, isNewer }] : []),
          ...(here.prototype && name in here.prototype ? [{ call: `.${name}(`, isNewer }] : []),
        ];
      });
    });
    // Of methods only those that no older object has by the same name.
    const older = new Set(known.filter(({ isNewer }) => !isNewer).map(({ call }) => call));
    const newer = new Set(known.filter(({ isNewer }) => isNewer).map(({ call }) => call));
    const wanted = [...newer].filter((call) => !older.has(call) && !(call in NEWER_IN_SCRIPTS));
    expect(wanted).toEqual(expect.arrayContaining(['.toSorted(', 'Object.groupBy(', 'AbortSignal.timeout(']));
    expect(
      builtScripts().flatMap(({ name, text }) =>
        wanted.filter((call) => text.includes(call)).map((call) => `${name}: ${call}`),
      ),
    ).toEqual([]);
  });

  it('nothing follows a spread in an optional call, where Chrome fails up to 90', () => {
    expect(spreadsIn('a.js', 'a?.(...b, c); a?.b.c(...d, ...e).f;')).toHaveLength(2);
    expect(spreadsIn('a.js', 'a?.(b, ...c); a.b(...c, d); a?.b(() => c(...d, e)); d(...a?.b, c);')).toEqual([]);
    expect(builtScripts().flatMap(({ name, text }) => spreadsIn(name, text))).toEqual([]);
  });
});
