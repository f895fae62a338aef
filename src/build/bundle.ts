import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import type { Metafile } from 'esbuild';
import type { Bundle } from './bundles.ts';
import { localeOf, mountOf, namedIn, nameOf, othersOf, root } from './bundles.ts';
import { classNamesOf, withShortClasses, type ClassNames } from './classNames.ts';
import { byFile, fileOfPart } from './rewrite/declarations.ts';
import { differences, saidUpon } from './differences.ts';
import { sum, withCompressed, writeFolder, type Content } from './files.ts';
import { keepMaps } from './pictures/maps.ts';
import { clientOptions, closure, outputsOf, TARGET, type Outputs } from './graph.ts';
import { policyHash, shortHash } from './hash.ts';
import { icon, iconPng, iconSvg } from './pictures/icons.ts';
import {
  BASE_TOKEN,
  manifest,
  page,
  PAGES,
  skeleton,
  styleHashes,
  templateOf,
  type PageDrawing,
  type PageKind,
  type PageWords,
} from './pages.ts';
import { lateNotice, listPage, noScriptNotice, WITHOUT_MODULES } from './noScriptNotice.ts';
import { pathsOf } from './paths.ts';
import { logoFolder, logosOf } from './pictures/logos.ts';
import { picturesOf } from './pictures/pictures.ts';
import { prerendered } from './prerendered.ts';
import { script, TOO_OLD_TARGET } from './script.ts';
import { criticalCss, cutStyles } from './styles.ts';
import { compileTexts, spokenIn } from './texts.ts';
import { manifestWords, SCREENSHOTS, screenshotOf, seoOf } from './seo.ts';
import {
  buildUnits,
  FIRST,
  linkUnits,
  unitsOf,
  type BuiltUnit,
  type LinkedUnits,
  type Step,
  type Unit,
} from './units.ts';
import type { Meta, MetaPage } from './meta.ts';
import { librariesAlone } from './weights.ts';

export interface Options {
  readonly dist: string;
  /** Digest of all files that the bundle is built from. */
  readonly inputs: string;
  /** A mount point to write into the pages, for a static file host. */
  readonly base?: string | undefined;
}

export const folderOf = (dist: string, bundle: Bundle): string => path.join(dist, bundle.cc, nameOf(bundle));
const fromRoot = (file: string) => path.relative(root, file).split(path.sep).join('/');
export const entryOf = ({ host }: Bundle): string => fromRoot(path.join(host.folder, 'main.tsx'));

/** The sources that `file` imports dynamically, according to esbuild. */
function lazyImportsOf(metafile: Metafile, file: string): string[] {
  const input = metafile.inputs[file];
  if (!input) throw new Error(`${file} is in no bundle.`);
  return input.imports.filter((one) => one.kind === 'dynamic-import').map((one) => one.path);
}

const FIRST_ROUTES = 'src/shell/first/routes.ts';
/** Sources below a folder. One that is nowhere would silently lie in another script than the one that it is named for. */
const below =
  (folder: string) =>
  (...files: readonly string[]) =>
    files.map((file) => {
      if (!existsSync(path.join(root, folder, file)))
        throw new Error(`There is no ${folder}/${file} (src/build/bundle.ts).`);
      return `${folder}/${file}`;
    });
const [shell, screens] = [below('src/shell'), below('src/screens')];
const START = 'src/shell/first/start.tsx';
/** Comes with the second load: as a file of its own it would be a quarter headers. */
const ENTERED = shell('Entered.tsx');
/** What may stand around every screen. What these share with others comes with the second load, too. */
const AROUND = [
  ...shell('around/HomeParty.tsx', 'around/HomeTrain.tsx', 'around/LanguageOffer.tsx', 'around/Popups.tsx'),
  // It is little, and else lies with all that draws dishes, for which somebody who orders again would wait.
  'src/ui/overlays/Sheet.tsx',
];
interface WayStep extends Step {
  /** What is asked for beside in a payment app. */
  readonly inHost?: readonly string[];
}
/** The way to an order, as a newcomer comes along it (src/decisions/2026-11-28-way-to-an-order.md). */
const WAY: readonly WayStep[] = [
  { name: 'cart', sources: shell('journeys/cart.ts'), isWhole: true },
  { name: 'places', sources: shell('journeys/places.ts'), isWhole: true },
  { name: 'pay', sources: shell('journeys/pay.ts'), isWhole: true },
  {
    name: 'follow',
    sources: shell('journeys/follow.ts', 'around/ActiveOrder.tsx', 'around/OrderWait.tsx'),
    inHost: screens('order/PendingOrder.tsx'),
    isWhole: true,
  },
  // The next order is one tap on home and one in its sheet.
  { name: 'usual', sources: [...shell('usual.ts'), ...screens('usual/UsualSheet.tsx')], isWhole: true },
];
/** Beside it: what only those need who choose more than a dish of the list, pay otherwise than at the door, or order to a train. */
const BESIDE: readonly Step[] = [
  { name: 'dishes', sources: shell('journeys/dishes.ts') },
  { name: 'paying', sources: screens('payment/BelowMode.tsx', 'funds/FundsInside.tsx', 'order/PendingOrder.tsx') },
  {
    name: 'trains',
    sources: [
      ...screens('trains/TrainPlace.tsx', 'trains/TrainProgress.tsx', 'payment/TrainCode.tsx'),
      ...shell('journeys/trains.ts'),
    ],
  },
];

/** What the languages of a host in a country have in common, which a thread builds one after the other. */
interface Split {
  readonly metafile: Metafile;
  readonly outputs: Outputs;
  readonly linked: LinkedUnits;
  /** The stylesheet, and pictures. */
  readonly others: ReadonlyMap<string, Buffer>;
  readonly classes: ClassNames;
  readonly screens: readonly string[];
  /** Sources of the second load. */
  readonly alive: readonly string[];
  readonly way: readonly Step[];
}

interface Scripts extends Split {
  readonly units: readonly Unit[];
  readonly built: ReadonlyMap<string, BuiltUnit>;
  /** The unit of a first screen, by the screen's source. */
  readonly screenUnit: (source: string) => BuiltUnit;
}

let lastSplit: { readonly family: string; readonly made: Promise<Split> } | undefined;

/** The folders of a family's languages lie beside one another, so that the maps lead to the sources from each. */
function splitOf(bundle: Bundle, folder: string, pictures: string): Promise<Split> {
  const family = `${bundle.cc}/${bundle.host.name}`;
  if (lastSplit?.family !== family) lastSplit = { family, made: split(bundle, folder, pictures) };
  return lastSplit.made;
}

/** Bundles a host's entry into chunks, and says which of them are loaded together. */
async function split(bundle: Bundle, folder: string, pictures: string): Promise<Split> {
  const entry = entryOf(bundle);
  const options = clientOptions(bundle, folder, pictures);
  // What a language says stays open until buildUnits.
  const { COUNTRY_NAME: _, ...define } = options.define;
  const { metafile, outputFiles } = await esbuild.build({
    ...options,
    define,
    splitting: true,
    entryPoints: [{ in: path.join(root, entry), out: 'main' }],
    sourcemap: 'external',
    sourcesContent: false,
    // Sentences are left for buildUnits, which puts each into the units that say it.
    external: ['#text/*'],
  });
  const outputs = outputsOf(metafile);
  const screens = lazyImportsOf(metafile, FIRST_ROUTES);
  const alive = [...lazyImportsOf(metafile, START), ...lazyImportsOf(metafile, entry), ...ENTERED];
  // One pays in a payment app, so that every order is pending there at first.
  const way = WAY.map(({ inHost = [], ...step }) => ({
    ...step,
    sources: bundle.host.isFull ? step.sources : [...step.sources, ...inHost],
  }));
  const units = unitsOf(outputs, { entry, screens, alive, around: AROUND, way: [...way, ...BESIDE] });
  const contents = new Map(outputFiles.map((file) => [path.basename(file.path), file]));
  const texts = new Map([...contents].map(([name, file]) => [name, file.text]));
  // Stylesheets of lazy chunks are left out: the entry's stylesheet holds them all (esbuild issue 1590).
  const css = path.basename([...outputs.values()].find((one) => one.entryPoint === entry)?.cssBundle ?? '');
  const classes = classNamesOf(texts.get(css) ?? '');
  const others = new Map(
    [...contents]
      .filter(([name]) => !/\.(js|map)$/.test(name) && (!name.endsWith('.css') || name === css))
      .map(([name, file]) => [name, Buffer.from(file.contents)]),
  );
  const linked = linkUnits(units, texts, outputs, entry, classes);
  return { metafile, outputs, linked, others, classes, screens, alive, way };
}

/** All of a bundle's script as load units, and the stylesheet and pictures beside it. */
async function scriptsOf(bundle: Bundle, folder: string, pictures: string): Promise<Scripts> {
  const shared = await splitOf(bundle, folder, pictures);
  const { linked, outputs } = shared;
  const { units } = linked;
  const spoken = {
    sentences: await compileTexts(root, bundle),
    define: { COUNTRY_NAME: clientOptions(bundle, folder).define.COUNTRY_NAME },
  };
  const built = new Map((await buildUnits(linked, folder, spoken)).map((unit) => [unit.name, unit]));
  const screenUnit = (source: string) => {
    const unit = units.find(({ roots }) => roots.some((chunk) => outputs.get(chunk)?.entryPoint === source));
    const found = built.get(unit?.name ?? '');
    if (!found) throw new Error(`${source} is no first screen.`);
    return found;
  };
  return { ...shared, units, built, screenUnit };
}

/** The part of meta.json about load units. */
const sourcesByUnit = ({ units, built, outputs }: Scripts): Meta['units'] =>
  Object.fromEntries(
    units.map(({ name, chunks }) => {
      const bytes = new Map<string, number>();
      for (const [source, { bytesInOutput }] of chunks.flatMap((one) => Object.entries(outputs.get(one)?.inputs ?? {})))
        if (bytesInOutput > 0) bytes.set(fileOfPart(source), (bytes.get(fileOfPart(source)) ?? 0) + bytesInOutput);
      const { file = '', needs = [] } = built.get(name) ?? {};
      return [name, { file, sources: [...bytes.keys()], bytes: [...bytes.values()], needs }];
    }),
  );

/** For the page's boot data: each later unit's file, and the units it needs, without those that another of them brings. */
function unitTable({ built }: Scripts, { rest, needRest }: Styles): Readonly<Record<string, readonly string[]>> {
  const needsOf = (unit: string) => [...(built.get(unit)?.needs ?? []), ...(needRest.has(unit) ? [REST] : [])];
  const brought = new Map<string, ReadonlySet<string>>();
  const broughtBy = (unit: string): ReadonlySet<string> => {
    const all = brought.get(unit) ?? new Set(needsOf(unit).flatMap((one) => [one, ...broughtBy(one)]));
    brought.set(unit, all);
    return all;
  };
  const own = (unit: string) => {
    const needs = needsOf(unit);
    return needs.filter((one) => !needs.some((other) => broughtBy(other).has(one)));
  };
  return {
    ...Object.fromEntries(
      [...built.values()].filter(({ name }) => name !== FIRST).map(({ name, file }) => [name, [file, ...own(name)]]),
    ),
    [REST]: [rest.name],
  };
}

/** In the table of units, the stylesheet of what is not on the way to an order. */
const REST = 'rest';

type Styles = ReturnType<typeof stylesOf>;

/** The whole stylesheet, its three parts (cutStyles), and the units that need the third. */
function stylesOf({ host }: Bundle, { outputs, others, classes, units, screens, alive, way }: Scripts) {
  const [name = '', whole = Buffer.alloc(0)] = [...others].find(([file]) => file.endsWith('.css')) ?? [];
  const output = outputs.get(name);
  if (!output) throw new Error(`${host.name} has no stylesheet.`);
  const inputsOf = (chunks: readonly string[]) =>
    chunks.flatMap((chunk) => Object.keys(outputs.get(chunk)?.inputs ?? {}));
  const chunksOf = (sources: readonly string[]) =>
    [...outputs].filter(([, { entryPoint }]) => sources.includes(entryPoint ?? '')).map(([chunk]) => chunk);
  const first = units.find((unit) => unit.name === FIRST)?.chunks ?? [];
  const early = new Set(inputsOf(closure(outputs, ...chunksOf(screens), ...first)));
  const wayChunks = chunksOf([...alive, ...AROUND, ...way.flatMap(({ sources }) => sources)]);
  const onTheWay = new Set(inputsOf(closure(outputs, ...wayChunks)));
  const isRest = (file: string) => file.endsWith('.module.css') && !early.has(file) && !onTheWay.has(file);
  const needRest = new Set(units.filter(({ chunks }) => inputsOf(chunks).some(isRest)).map((unit) => unit.name));
  return {
    whole: withShortClasses(whole.toString(), classes),
    needRest,
    ...cutStyles(name, whole, output, early, onTheWay, classes),
  };
}

/** For each script on the way to an order, the one of which it is said: the second load is there by the time of all later ones. */
function uponOf({ built, way }: Scripts): Map<string, string> {
  const fileOf = (name: string) => built.get(name)?.file ?? [];
  const [first, alive] = [built.get(FIRST)!.file, built.get('alive')!.file];
  const later = [...way.map(({ name }) => name), 'actions'].flatMap(fileOf);
  return new Map([[alive, first], ...later.map((file) => [file, alive] as const)]);
}

interface PagesOf {
  readonly drawn: Awaited<ReturnType<typeof prerendered>>;
  readonly template: string;
  readonly scripts: Scripts;
  readonly styles: Styles;
  readonly menuFile: string;
  readonly version: string;
  readonly words: PageWords;
  readonly noScript: string;
  readonly late: string;
}

/** The inline script that leads to the chosen language (shell/language.ts); '' if the bundle has only one language. */
async function leadOn(bundle: Bundle, key: string): Promise<string> {
  const places = Object.fromEntries(othersOf(bundle).map(({ language, place }) => [language, place]));
  if (Object.keys(places).length === 0) return '';
  const constants = { KEY: key, PLACES: places };
  return (await script(path.join(root, 'src/shell/language.ts'), bundle, constants)).trim();
}

type BuiltPage = Omit<MetaPage, 'firstLoad'> & { readonly html: string };

/** All pages of a bundle by name: those with a prerendered screen, and one for every other path. */
async function pagesOf(bundle: Bundle, parts: PagesOf): Promise<ReadonlyMap<string, BuiltPage>> {
  const { drawn, template, styles, menuFile, version, words, noScript, late } = parts;
  const { built, screenUnit } = parts.scripts;
  const { country, host, cc } = bundle;
  const [any] = drawn.values();
  const keys = { LOOK_KEY: any?.page.lookKey ?? '' };
  const inline = async (name: string, target = TARGET) =>
    (await script(path.join(root, 'src/shell', name), bundle, keys, target)).trim();
  const chosen = await leadOn(bundle, any?.page.languageKey ?? '');
  const [slowly, hold] = [await inline('loading/slowly.ts'), await inline('loading/hold.ts')];
  const [taps, deepLink] = [
    await inline('loading/early.ts', TOO_OLD_TARGET),
    await inline('deepLink.ts', TOO_OLD_TARGET),
  ];
  const [pwa, { fallback }] = [await country.pwa(), await seoOf(bundle)];
  const unfilled: PageDrawing = {
    html: skeleton(words),
    samples: '<template id="early"></template>',
    title: fallback.title,
    description: fallback.description,
  };
  const entry = built.get(FIRST)?.file ?? '';
  const pageOf = (kind: PageKind): BuiltPage => {
    const shown = drawn.get(kind.name);
    const one = shown?.page ?? unfilled;
    const scripts = shown ? [entry, screenUnit(shown.screen).file] : [entry];
    const all = styles.now.content.toString().trim();
    const critical = criticalCss(all, one.samples + one.html + late);
    const firstRules = shown ? all : '';
    const early = shown ? ([chosen + hold, taps] as const) : ([chosen + slowly, deepLink] as const);
    const html = page({
      template,
      bundle,
      drawn: one,
      kind,
      early,
      critical,
      firstRules,
      stylesheets: shown ? [] : [styles.now.name, styles.later.name],
      scripts,
      preloads: shown ? [] : [built.get('alive')?.file ?? ''],
      boot: {
        base: BASE_TOKEN,
        menu: menuFile,
        version,
        country: cc,
        host: host.name,
        path: kind.path,
        styles: styles.later.name,
        units: unitTable(parts.scripts, styles),
        ...namedIn(bundle),
      },
      menuFile,
      pwa,
      noScript,
      late,
    });
    return {
      html,
      path: kind.path,
      scripts,
      inline: [critical, ...(shown ? [firstRules] : [])].map(policyHash),
      early: [...early, WITHOUT_MODULES].map(policyHash),
      styles: styleHashes(html),
    };
  };
  return new Map(PAGES.map((kind) => [kind.name, pageOf(kind)]));
}

/** Icons and web manifest, for a host whose pages can be installed. */
async function standaloneFiles(bundle: Bundle): Promise<[string, Content][]> {
  const { country, host } = bundle;
  const pwa = await country.pwa();
  const sizes = [192, 512];
  const plain = icon(false, pwa.theme_color);
  const maskable = icon(true, pwa.theme_color);
  const common = JSON.parse(await readFile(path.join(host.folder, 'manifest.webmanifest'), 'utf8')) as object;
  const { title: orders } = await spokenIn<{ readonly title: string }>(await compileTexts(root, bundle), 'history');
  const { labels, ...words } = await manifestWords(bundle);
  // A country or language of which nobody has taken pictures yet has none.
  const shown = SCREENSHOTS.map((one) => ({
    ...one,
    name: `screenshot-${one.form}.webp`,
    file: screenshotOf(host.folder, bundle.cc, bundle.language, one.form),
  })).filter(({ file }) => existsSync(file));
  const screenshots = shown.map(({ name, form, width, height }) => ({
    src: name,
    sizes: `${width}x${height}`,
    type: 'image/webp',
    form_factor: form,
    label: labels[form],
  }));
  const shortcuts = [{ name: orders, url: '/postorder-ui/orderHistory' }, ...words.shortcuts];
  return [
    ...sizes.flatMap((size): [string, Content][] => [
      [`icon-${size}.png`, iconPng(plain, size)],
      [`icon-maskable-${size}.png`, iconPng(maskable, size)],
    ]),
    ['icon-maskable.svg', iconSvg(maskable)],
    ['apple-touch-icon.png', iconPng(maskable, 180)],
    ...(await Promise.all(
      shown.map(async ({ name, file }): Promise<[string, Content]> => [name, await readFile(file)]),
    )),
    [
      'manifest.webmanifest',
      JSON.stringify(
        manifest(
          { ...common, ...words, lang: localeOf(bundle), ...(shown.length > 0 ? { screenshots } : {}) },
          pwa,
          shortcuts,
          sizes,
        ),
      ),
    ],
  ];
}

/** The script that imitates the host in the simulator, loaded before the page's own; null for a host without one. */
async function fakeOf(bundle: Bundle): Promise<[name: string, text: string] | null> {
  const source = path.join(bundle.host.folder, 'fake.ts');
  if (!existsSync(source)) return null;
  const text = await script(source, bundle);
  return [`fake-${shortHash(text)}.js`, text];
}

/** The script for pages that show the bundle in a frame, 'embed.js'; null for a host without one. */
async function embedOf(bundle: Bundle): Promise<string | null> {
  const source = path.join(bundle.host.folder, 'embed.ts');
  return existsSync(source) ? await script(source, bundle) : null;
}

/** The service worker with the list of the bundle's files in it, so that it fetches only changed ones; null for a host without one. */
async function workerOf(
  bundle: Bundle,
  version: string,
  words: PageWords,
  files: { readonly first: readonly string[]; readonly later: readonly string[] },
): Promise<string | null> {
  const source = path.join(bundle.host.folder, 'sw.ts');
  if (!existsSync(source)) return null;
  return await script(source, bundle, {
    VERSION: version,
    FIRST: files.first,
    LATER: files.later,
    BELOW: [...bundle.hostNames.filter((name) => name !== bundle.host.name), ...bundle.languages.slice(1)],
    NEWS: { title: words.newsTitle, body: words.news },
  });
}

/** The mount point on a static file host: other languages are mounted below the first one. */
const baseOf = ({ isDefault, language }: Bundle, base: string): string =>
  `${base.replace(/\/+$/, '')}${isDefault ? '' : `/${language}`}`;

/** Builds one bundle into its folder. */
export async function buildBundle(bundle: Bundle, { dist, inputs, base }: Options): Promise<Meta> {
  const { country, host, cc } = bundle;
  const folder = folderOf(dist, bundle);
  const { defaultMenu } = await import('../server/rules/catalogue/menu.ts');
  const menu = defaultMenu(country, bundle.language);
  const menuJson = JSON.stringify(menu);
  const menuFile = `menu-${shortHash(menuJson)}.json`;

  const food = await picturesOf(country);
  const scripts = await scriptsOf(bundle, folder, food.version);
  const scriptFiles = [...scripts.built.values()].map(({ file }) => file);
  const styles = stylesOf(bundle, scripts);
  const { now, later, rest } = styles;
  const version = shortHash([...scriptFiles, now.name, later.name, rest.name, menuFile].sort().join());
  const drawn = await prerendered(bundle, menu, dist, food.version, scripts.classes);
  checkClasses(
    styles.whole,
    [...drawn.values()].map(({ page: { samples, html } }) => samples + html),
  );
  const { template, policy } = await templateOf(bundle);
  const words = await spokenIn<PageWords>(await compileTexts(root, bundle), 'page');
  const isStandalone = template.includes('manifest.webmanifest');
  const without = { bundle, isStandalone, words };
  const list = listPage(without, menu, now.name);
  const listFile = `list-${shortHash(list)}.html`;
  const [noScript, late] = [noScriptNotice(without, listFile), lateNotice(without, listFile)];
  const pages = await pagesOf(bundle, {
    drawn,
    template,
    scripts,
    styles,
    menuFile,
    version,
    words,
    noScript,
    late,
  });
  const fake = await fakeOf(bundle);

  const files = new Map<string, Content>([...scripts.others].filter(([name]) => !name.endsWith('.css')));
  for (const { file, text } of scripts.built.values()) files.set(file, text);
  for (const [name, svg] of food.files) files.set(name, svg);
  for (const { name, content } of logosOf(logoFolder(cc))) files.set(name, content);
  for (const { name, content } of [now, later, rest]) files.set(name, content);
  files.set(menuFile, menuJson).set(listFile, list);
  files.set('icon.svg', iconSvg(icon(false, (await country.pwa()).theme_color)));
  for (const [name, { html }] of pages)
    files.set(`${name}.html`, base === undefined ? html : html.replaceAll(BASE_TOKEN, baseOf(bundle, base)));
  if (isStandalone) for (const [name, content] of await standaloneFiles(bundle)) files.set(name, content);
  if (fake) files.set(...fake);
  files.set('proof.js', await script(path.join(root, 'src/bridge/proofWorker.ts'), bundle));
  const embed = await embedOf(bundle);
  if (embed !== null) files.set('embed.js', embed);
  const atOnce = [...new Set([...pages.values()].flatMap((one) => one.scripts))];
  const worker = await workerOf(bundle, version, words, {
    first: [...atOnce, now.name, menuFile, 'icon.svg'],
    later: [...scriptFiles.filter((name) => !atOnce.includes(name)), later.name, rest.name, ...food.files.keys()],
  });
  if (worker !== null) files.set('sw.js', worker);

  const { sizes, all } = await withCompressed(files);
  const held = await differences(path.join(dist, '.held', cc, nameOf(bundle)), files);
  for (const [name, body] of [...held, ...(await saidUpon(files, uponOf(scripts)))]) all.set(name, body);
  const metaPages = Object.fromEntries(
    [...pages].map(([name, { html: _, ...one }]) => [name, { ...one, firstLoad: sum(sizes, one.scripts) }]),
  );
  const units = sourcesByUnit(scripts);
  const meta: Meta = {
    country: cc,
    host: host.name,
    language: bundle.language,
    mount: mountOf(bundle),
    version,
    inputs,
    entry: scripts.built.get(FIRST)?.file ?? '',
    css: now.name,
    laterCss: later.name,
    restCss: rest.name,
    menu: menuFile,
    fake: fake?.[0] ?? null,
    policy,
    pages: metaPages,
    ...(isStandalone ? { seo: (await seoOf(bundle)).paths, paths: await pathsOf(bundle) } : {}),
    files: sizes,
    units,
    firstLoad: metaPages['index']?.firstLoad ?? sum(sizes, []),
    total: sum(sizes, scriptFiles),
    styles: sum(sizes, [now.name]),
    libraries: await librariesAlone(bundle, units),
  };
  all.set('meta.json', JSON.stringify(meta, null, 1));
  all.set('metafile.json', JSON.stringify(byFile(scripts.metafile)));
  await keepMaps(path.join(dist, '.maps'), [...scripts.built.values()]);
  // The last: a folder with its meta.json counts as built.
  await writeFolder(folder, all);
  return meta;
}

/** @throws Error when a prerendered page uses a class of a CSS module that the stylesheet does not have: it would stay unstyled */
function checkClasses(css: string, pages: readonly string[]): void {
  const known = new Set([...css.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map((match) => match[1] as string));
  const used = new Set(
    pages.flatMap((html) =>
      [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap((match) => (match[1] as string).split(/\s+/)),
    ),
  );
  const unknown = [...used].filter((name) => /^[A-Za-z]\w*_/.test(name) && !known.has(name));
  if (unknown.length > 0) throw new Error(`The stylesheet has no rule for ${unknown.join(', ')}.`);
}
