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
import { root, sources } from './sources.ts';

/** package.json says how old a browser may be: 'chrome >= 87'. */
const OLDEST = (
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { browserslist: string[] }
).browserslist.map((line) => {
  const [name = '', , version] = line.split(' ');
  return { browser: (name === 'ios_saf' ? 'safari_ios' : name) as BrowserName, version: Number(version) };
});

/** Newer, and used all the same: where, and why that is right. */
const NEWER: Readonly<Record<string, readonly [file: RegExp, why: string]>> = {
  'Navigator.vibrate': [/^src\/bridge\/defaults\.ts$/, 'asked for first'],
  'Navigator.share': [/^hosts\/browser\/(actions|host)\.ts$/, 'asked for first'],
  'NavigatorCookies.cookieEnabled': [
    /^src\/(shell\/watchers\/page|state\/consent\/deviceId)\.ts$/,
    'only false counts',
  ],
  'Navigator.permissions': [/^src\/bridge\/browserTraits\.ts$/, 'asked for first'],
  'Permissions.query': [/^src\/bridge\/browserTraits\.ts$/, 'only where there are permissions'],
  'PermissionStatus.state': [/^src\/bridge\/browserTraits\.ts$/, 'only where there are permissions'],
  requestIdleCallback: [/^src\/state\/consent\/botSignals\.ts$/, 'asked for first'],
  'UserActivation.isActive': [/^src\/ui\/UpiWays\.tsx$/, 'asked for first'],
  'URL.canParse': [/^hosts\/gpay\/profile\.ts$/, 'asked for first, and only for browsers without ancestorOrigins'],
  reportError: [
    /^(src\/shell\/first\/ScreenGuard\.tsx|hosts\/browser\/(keepOffline\.ts|main\.tsx))$/,
    'asked for first',
  ],
  Notification: [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'Notification.permission': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'Notification.requestPermission': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'PushManager.getSubscription': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'PushManager.subscribe': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'PushSubscription.toJSON': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'PushSubscription.unsubscribe': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
  'PushSubscription.endpoint': [/^src\/state\/consent\/push\.ts$/, 'the push manager is asked for first'],
};
/** The same by the text of the built scripts, in which the packages are, too. */
const NEWER_IN_SCRIPTS: Readonly<Record<string, string>> = {
  'AbortSignal.any(': 'ky asks for it first',
  '.throwIfAborted(': 'ky, only where it has found AbortSignal.any',
  'Object.hasOwn(': '@noble/hashes; src/domain/hasOwn.ts brings it',
  '.toHex(': '@noble/hashes, only where it has found Uint8Array.fromHex, too',
  '.at(': 'web-vitals, for entries that such a browser does not observe',
};

/** Newer in the stylesheets: what is seen without it. */
const NEWER_STYLES: Readonly<Record<string, string>> = {
  'accent-color': "a check box has the browser's own colour",
  'aspect-ratio': 'a picture is as high as it is drawn, which is square',
  '@container': 'on a narrow page with large letters two dishes stay side by side',
  'contain-intrinsic-size': 'see content-visibility',
  'container-type': 'see @container',
  'content-visibility': 'a long list of orders is drawn whole at once',
  'flex-basis:min-content': 'the basis in `flex` holds, and a long word may be broken',
  'forced-color-adjust': 'such engines have no forced colours, or colour pictures, too',
  outline: 'its corners are not round',
  'overflow-clip-margin': 'a tap after a scroll draws all pictures of the page anew, as nothing is contained there',
  'overscroll-behavior': 'the page behind a sheet scrolls on',
  'scrollbar-color': "a scrollbar has the browser's own colour",
  'scrollbar-width': 'a scrollbar is seen while one scrolls',
  'text-wrap': 'the lines of a heading differ more in length',
  ':has': 'a card that is tapped keeps its outline until something else is',
  ':details-content': 'a fold opens at once',
  ':is': 'paper has the bars and buttons of the page, too',
  '@page': "paper has the browser's own margins",
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

/** All files of India's bundles that end so. */
function builtFiles(end: string): { name: string; text: string }[] {
  const folder = path.join(root, 'dist/in');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  expect(names.length).toBeGreaterThan(1);
  return names.map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
}

const { css } = bcd as unknown as { css: Record<'properties' | 'selectors' | 'at-rules' | 'types', Entries> };

/** Whether an oldest browser does not have it. What a phone has no use for, as a cursor, is asked of Safari's engine elsewhere. */
const isNew = (compat: CompatStatement | undefined): boolean =>
  compat !== undefined && missing(compat).some((one) => !one.startsWith('safari_ios'));

/** A type of CSS by its name, or one within another: clamp, color-mix. */
const typeOf = (name: string): Entries | undefined =>
  [css.types, ...(Object.values(css.types) as Entries[])].map((type) => entry(type, name)).find(Boolean);

function unitOf(unit: string): Entries | undefined {
  const { length } = css.types;
  if (unit.startsWith('cq')) return length?.['container_query_length_units'];
  const [, size] = /^([dsl])v/.exec(unit) ?? [];
  const names = { d: 'dynamic', s: 'small', l: 'large' } as const;
  return length?.[size ? `viewport_percentage_units_${names[size as 'd']}` : unit];
}

/** Whether the oldest browsers understand all of a value: its words, functions and units. */
function isOldValue(property: string, value: string): boolean {
  const own = css.properties[property];
  const used = [
    ...[...value.matchAll(/[a-z][a-z-]+\b(?!\()/g)].map(([word]) => own?.[word]),
    ...[...value.matchAll(/[a-z][a-z-]+(?=\()/g)].map(([name]) => typeOf(name)),
    ...[...value.matchAll(/\d([a-z]+)/g)].map(([, unit = '']) => unitOf(unit)),
    ...(property === 'content' && value.includes(' / ') ? [own?.['alt_text']] : []),
  ];
  return !used.some((one) => isNew(one?.__compat));
}

/** What of a rule's declarations an old browser does not know, and has nothing older for before it. */
function newInRule(body: string): string[] {
  const known = new Set<string>();
  return body.split(/;(?![^(]*\))/).flatMap((declaration) => {
    const at = declaration.indexOf(':');
    const [property, value] = [declaration.slice(0, at).trim(), declaration.slice(at + 1)];
    const compat = css.properties[property]?.__compat;
    const isOld = !isNew(compat);
    // A variable stands for what it is used in.
    if (at < 0 || property.startsWith('--')) return [];
    if (isOld && isOldValue(property, value)) known.add(property.replace(/^-webkit-/, ''));
    if (known.has(property) || property.startsWith('-')) return [];
    return [isOld ? `${property}:${value}` : property];
  });
}

/** What of a stylesheet an old browser would not read. */
function newInStyles(text: string): string[] {
  const rules = [...text.matchAll(/([^{};]+)\{([^{}]*)\}/g)];
  const selectors = rules.flatMap(([, selector = '']) => [
    ...[...selector.matchAll(/::?([a-z][a-z-]+)/g)].map(([, name = '']) => [`:${name}`, css.selectors[name]] as const),
    ...(/:not\([^()]*,/.test(selector) ? [[':not(a, b)', css.selectors['not']?.['selector_list']] as const] : []),
  ]);
  const atRules = [...text.matchAll(/@([a-z][a-z-]+)/g)].map(
    ([, name = '']) => [`@${name}`, css['at-rules'][name]] as const,
  );
  const ranges = /@media[^{]*[<>]/.test(text) ? ['@media (width > 1px)'] : [];
  const named = [...selectors, ...atRules].filter(([, one]) => isNew(one?.__compat));
  return [...ranges, ...named.map(([name]) => name), ...rules.flatMap(([, , body = '']) => newInRule(body))];
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
      builtFiles('.js').flatMap(({ name, text }) =>
        wanted.filter((call) => text.includes(call)).map((call) => `${name}: ${call}`),
      ),
    ).toEqual([]);
  });

  it('every style that is newer has an older one before it, or is no loss', () => {
    const styles = [
      'a{height:90vh;height:90dvh}',
      'b{color:red;color:oklch(1 2 3)}',
      'c{-webkit-mask:none;mask:none}',
      '@media (min-width: 771px){d:not(.e):not(.f){inset:0}}',
    ];
    expect(newInStyles(styles.join(''))).toEqual([]);
    expect(
      newInStyles(
        'a{height:90dvh;translate:1px}b:has(c){color:color-mix(in srgb,red,blue)}:is(a,b):not(a,b){}@layer d{}@media (width>1px){}',
      ),
    ).toEqual([
      ...['@media (width > 1px)', ':has', ':is', ':not(a, b)', '@layer', 'height:90dvh', 'translate'],
      'color:color-mix(in srgb,red,blue)',
    ]);
    const found = builtFiles('.css').flatMap(({ name, text }) => newInStyles(text).map((one) => [name, one] as const));
    expect(found.filter(([, one]) => !(one in NEWER_STYLES)).map((one) => one.join(': '))).toEqual([]);
    const all = new Set(found.map(([, one]) => one));
    expect(Object.keys(NEWER_STYLES).filter((one) => !all.has(one))).toEqual([]);
  });

  it('no element is given a style that is newer', () => {
    const given = sources.flatMap(({ file, text }) =>
      file.startsWith('src/simulator/')
        ? []
        : [...text.matchAll(/style=\{\{([^}]*)\}/g)].flatMap(([, styles = '']) =>
            [...styles.matchAll(/([a-zA-Z]+)(?=[:,]| *$)/g)].map(([name]) => ({
              file,
              name: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
            })),
          ),
    );
    expect(given.map(({ name }) => name)).toEqual(expect.arrayContaining(['width', 'transform', 'bottom']));
    expect(given.filter(({ name }) => isNew(css.properties[name]?.__compat))).toEqual([]);
  });

  it('nothing follows a spread in an optional call, where Chrome fails up to 90', () => {
    expect(spreadsIn('a.js', 'a?.(...b, c); a?.b.c(...d, ...e).f;')).toHaveLength(2);
    expect(spreadsIn('a.js', 'a?.(b, ...c); a.b(...c, d); a?.b(() => c(...d, e)); d(...a?.b, c);')).toEqual([]);
    expect(builtFiles('.js').flatMap(({ name, text }) => spreadsIn(name, text))).toEqual([]);
  });
});

/** Syntax of after 2019: browsers of before then are too old for the app. */
const isLater = ({ type, operator = '' }: { type: string; operator?: string }): boolean =>
  ['ChainExpression', 'StaticBlock', 'PropertyDefinition', 'PrivateIdentifier'].includes(type) ||
  /^(\?\?|&&=|\|\|=)/.test(operator);

it('a browser that is too old for the app reads the script at the end of a page, which says so at once', () => {
  for (const page of ['index.html', 'menu.html', 'app.html']) {
    const html = readFileSync(path.join(root, 'dist/in/browser', page), 'utf8');
    const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text!);
    const text = scripts.at(-1)!;
    expect(text, page).toContain('unhandledrejection');
    const found: string[] = [];
    const walk = (node: unknown): void => {
      if (Array.isArray(node)) return node.forEach(walk);
      if (typeof node !== 'object' || node === null) return;
      const one = node as { type?: string; start: number; end: number };
      if (one.type !== undefined && isLater(one as { type: string })) found.push(text.slice(one.start, one.end));
      Object.values(node).forEach(walk);
    };
    walk(parseSync('page.js', text).program);
    expect(found, page).toEqual([]);
  }
});
