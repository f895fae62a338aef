import path from 'node:path';
import * as esbuild from 'esbuild';
import type { Plugin } from 'esbuild';
import remapping, { type SourceMapInput } from '@jridgewell/remapping';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';
import { minifySync } from 'oxc-minify';
import { parseSync } from 'oxc-parser';
import { root } from './bundles.ts';
import { fileOfPart } from './rewrite/declarations.ts';
import { edited } from './rewrite/edits.ts';
import { closure, SUPPORTED, TARGET, type Outputs } from './graph.ts';
import { classEdits, type ClassNames } from './classNames.ts';
import { hash, shortHash } from './hash.ts';
import { shortNames } from './shortNames.ts';
import { speaking, type Texts } from './texts.ts';

/**
 * A load unit is what is loaded together, as one file. esbuild's code splitting finds out which chunk of code belongs to which
 * entries; here its chunks are grouped into units, and each unit is bundled into one file. What a unit takes from another comes
 * through a registry (src/bridge/registry.ts). So no file names another: a file's name depends on its own content alone, and
 * only the page lists all of them. See src/decisions/2026-11-22-load-units.md.
 */
export interface Unit {
  readonly name: string;
  readonly chunks: readonly string[];
  /** Chunks that are the target of a dynamic import. */
  readonly roots: readonly string[];
}

export interface BuiltUnit {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** From the file back to the sources, as JSON; never served (src/build/pictures/maps.ts). */
  readonly map: string;
  /** Names of other units that have to be there before this one runs; the first load always is. */
  readonly needs: readonly string[];
}

/** What differs between the languages of a bundle. */
interface Spoken {
  readonly sentences: Texts;
  /** Names that stand in for a value in script. */
  readonly define: Readonly<Record<string, string>>;
}

export const FIRST = 'first';

const rootsOf = (outputs: Outputs) =>
  [...outputs].filter(([name, output]) => name.endsWith('.js') && output.entryPoint !== undefined);

/** The name of a later unit, from its entry: 'src/screens/cart/CartScreen.tsx' becomes 'cart'. */
const nameOf = (entryPoint: string) =>
  path
    .basename(entryPoint)
    .replace(/\.[^.]+$/, '')
    .replace(/Screen$/, '')
    .toLowerCase();

export interface Plan {
  /** The bundle's entry, with which the first load begins. */
  readonly entry: string;
  /** Sources of the first screens; a prerendered page loads its own screen beside the first unit. */
  readonly screens: readonly string[];
  /** Sources of the second load, which connects the page to the server and the host. */
  readonly alive: readonly string[];
  /** Sources around the screens: what they share with others comes with the second load. */
  readonly around: readonly string[];
  /** The steps of the way to an order, in the order in which a customer comes to them, each with the sources it asks for. */
  readonly way: readonly Step[];
}

export interface Step {
  readonly name: string;
  /** Targets of dynamic imports, or what several of these share. Those that a bundle does not have are passed over. */
  readonly sources: readonly string[];
  /** It is one file, with what others share of it: whoever needs that comes this way, and a file more costs more than it. */
  readonly isWhole?: boolean;
}

/** From so many bytes on, before names are shortened, what the same entries need is a file of its own. */
const HEAVY_BYTES = 8_000;

/**
 * Puts every chunk into exactly one unit: `first`, `alive` (the second load) and one for each later entry. What several of
 * these need is with the first step to an order that needs it (`forcart`, `forplaces` ...), so that nobody who orders
 * waits for what only others share; of the rest, what is heavy is by itself, and what is light in `shared`, `sharedcart` ...
 */
export function unitsOf(outputs: Outputs, { entry, screens, alive, around, way }: Plan): Unit[] {
  const chunkOf = new Map(rootsOf(outputs).map(([name, output]) => [output.entryPoint as string, name]));
  const holderOf = new Map(
    [...outputs].flatMap(([name, { inputs }]) => Object.keys(inputs).map((source) => [source, name] as const)),
  );
  const find = (source: string) => {
    const chunk = chunkOf.get(source);
    if (chunk === undefined) throw new Error(`${source} is asked for by no dynamic import.`);
    return chunk;
  };
  const taken = new Set<string>();
  const take = (names: readonly string[]) =>
    names.filter((name) => name.endsWith('.js') && !taken.has(name) && taken.add(name));
  const units: Unit[] = [];
  const add = (name: string, chunks: readonly string[], roots: readonly string[]) => {
    if (chunks.length > 0) units.push({ name, chunks, roots });
  };
  const screenChunks = screens.map(find);
  // What the first screens share with other code is small: in the first file it costs less than as files of its own.
  const first = closure(outputs, find(entry), ...screenChunks).filter((name) => !screenChunks.includes(name));
  add(FIRST, take(first), []);
  const aliveRoots = alive.map(find);
  const late = rootsOf(outputs)
    .map(([name]) => name)
    .filter((name) => !taken.has(name) && !aliveRoots.includes(name))
    .sort((a, b) => compare(outputs.get(a)?.entryPoint ?? '', outputs.get(b)?.entryPoint ?? ''));
  const plainOf = (chunk: string) => nameOf(outputs.get(chunk)?.entryPoint ?? chunk);
  const users = new Map<string, string[]>();
  for (const name of late)
    for (const one of closure(outputs, name))
      if (!taken.has(one)) (users.get(one) ?? users.set(one, []).get(one))?.push(plainOf(name));
  const isShared = (name: string) => (users.get(name)?.length ?? 0) > 1;
  const chunksFor = (sources: readonly string[]) =>
    closure(outputs, ...sources.flatMap((source) => chunkOf.get(source) ?? holderOf.get(source) ?? []));
  const addShared = (name: string, chunks: readonly string[]) => {
    const own = take(chunks);
    add(
      name,
      own,
      own.filter((chunk) => late.includes(chunk) || aliveRoots.includes(chunk)),
    );
  };
  const withAlive = [...closure(outputs, ...aliveRoots), ...chunksFor(around).filter(isShared)];
  addShared(
    'alive',
    withAlive.filter((name) => !screenChunks.includes(name)),
  );
  for (const { name, sources, isWhole } of way) {
    const all = chunksFor(sources);
    if (isWhole) addShared(name, all);
    else addShared(`for${name}`, all.filter(isShared));
  }
  const alike = new Map<string, string[]>();
  for (const [name, all] of users)
    if (isShared(name) && !taken.has(name)) {
      const key = all.join('');
      (alike.get(key) ?? alike.set(key, []).get(key))?.push(name);
    }
  const weightOf = (chunks: readonly string[]) =>
    chunks.reduce((sum, name) => sum + (outputs.get(name)?.bytes ?? 0), 0);
  const isHeavy = (chunks: readonly string[]) => weightOf(chunks) >= HEAVY_BYTES;
  const light = [...alike.values()].filter((chunks) => !isHeavy(chunks)).flat();
  // By the last step that they build on: whoever needs one of them loads no more of the way than that needs.
  const stepOf = (name: string) =>
    closure(outputs, name).reduce(
      (last, one) =>
        Math.max(
          last,
          steps.findIndex((own) => own.includes(one)),
        ),
      -1,
    );
  const steps = way.map(
    ({ name, isWhole }) => units.find((unit) => unit.name === (isWhole ? name : `for${name}`))?.chunks ?? [],
  );
  for (const [at, name] of ['', ...way.map((one) => one.name)].entries())
    addShared(
      `shared${name}`,
      light.filter((chunk) => stepOf(chunk) === at - 1),
    );
  for (const [name, chunks] of alike) if (isHeavy(chunks)) addShared(`for${name.slice(0, 40)}`, chunks);
  const names = new Map<string, number>(units.map(({ name }) => [name, 1]));
  for (const chunk of late.filter((name) => !taken.has(name))) {
    const plain = plainOf(chunk);
    const count = (names.get(plain) ?? 0) + 1;
    names.set(plain, count);
    add(count === 1 ? plain : `${plain}${count}`, take(closure(outputs, chunk)), [chunk]);
  }
  return units;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

interface Taken {
  readonly from: string;
  readonly names: readonly string[];
}

interface Chunk {
  /** Its code, with each dynamic import replaced by a call of the registry. */
  readonly text: string;
  /** From that code back to the sources. */
  readonly map: SourceMapInput | null;
  readonly mapHash: string;
  readonly imports: readonly Taken[];
}

/** After the character `end` of the old text, everything of its line stands so many characters further. */
interface Shift {
  readonly end: number;
  readonly longer: number;
}

/** A chunk's source map after its text was edited; no edit takes or gives a line. */
function shifted(text: string, map: string, edits: readonly Shift[]): SourceMapInput {
  const traced = new TraceMap(map);
  let lineStart = 0;
  const mappings = decodedMappings(traced).map((segments, line, all) => {
    const start = lineStart;
    if (line < all.length - 1) lineStart = text.indexOf('\n', start) + 1;
    const own = edits.filter(({ end }) => end > start && (line === all.length - 1 || end <= lineStart));
    if (own.length === 0) return segments;
    return segments.map(([column, ...rest]) => [
      own.reduce((sum, { end, longer }) => (end <= start + column ? sum + longer : sum), column),
      ...rest,
    ]);
  });
  const { names, sources, file } = traced;
  return { version: 3, names, sources, mappings, file: file ?? null } as SourceMapInput;
}

/** Finds a chunk's imports with a parser, not by patterns of printed text. */
function readChunk(
  name: string,
  text: string,
  map: string | undefined,
  classes: ClassNames,
  ask: (chunk: string) => string,
): Chunk {
  const { module, errors } = parseSync(name, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  // Sentences are bundled into each unit that says them.
  const chunks = module.staticImports.filter(({ moduleRequest }) => !moduleRequest.value.startsWith('#text/'));
  const imports = chunks.map(({ moduleRequest, entries }) => ({
    from: path.basename(moduleRequest.value),
    names: entries.map(({ importName }) => {
      if (importName.kind !== 'Name' || importName.name === null)
        throw new Error(`${name}: a whole chunk is imported.`);
      return importName.name;
    }),
  }));
  const asked = module.dynamicImports.map(({ start, end, moduleRequest }) => {
    const address = text.slice(moduleRequest.start, moduleRequest.end);
    return { start, end, by: ask(path.basename(address.slice(1, -1))) };
  });
  const edits = [...asked, ...classEdits(text, classes)].sort((a, b) => a.start - b.start);
  const shifts = edits.map(({ start, end, by }) => ({ end, longer: by.length - (end - start) }));
  return {
    text: edited(text, edits),
    map: map === undefined ? null : shifted(text, map, shifts),
    mapHash: hash(map ?? ''),
    imports,
  };
}

const NAMESPACE = 'unit';
const ENTRY = 'entry';

/** The units of a host in a country with all that holds them together, which is the same in each of its languages. */
export interface LinkedUnits {
  readonly units: readonly Unit[];
  readonly chunks: ReadonlyMap<string, Chunk>;
  readonly unitOf: ReadonlyMap<string, Unit>;
  /** For every export that another unit takes: from 'chunk name' to its short name in the registry. */
  readonly short: ReadonlyMap<string, string>;
  /** By the target of a dynamic import, its name in the registry. */
  readonly idOf: (chunk: string) => string;
  /** The chunk that the first load begins with. */
  readonly entry: string;
  /** A chunk's first source, which is in no other. */
  readonly label: (chunk: string) => string;
}
const CHUNK = /[\w-]+-[A-Z0-9]{8}\.js/g;

/** The modules that a unit is bundled from: its own chunks as they are, and for other units' chunks the exports it takes, out of the registry. */
function modulesOf(unit: Unit, { chunks, unitOf, short, idOf, entry }: LinkedUnits): ReadonlyMap<string, string> {
  const wanted = new Map<string, Set<string>>();
  for (const name of unit.chunks)
    for (const { from, names } of chunks.get(name)?.imports ?? [])
      for (const one of names) (wanted.get(from) ?? wanted.set(from, new Set()).get(from))?.add(one);
  const shim = (chunk: string) => {
    const names = [...(wanted.get(chunk) ?? [])].map((name, at) => ({ name, key: short.get(`${chunk} ${name}`), at }));
    if (names.length === 0) return '';
    return `const {${names.map(({ key, at }) => `${key}:_${at}`)}}=units.all;export{${names.map(({ name, at }) => `_${at} as ${name}`)}};`;
  };
  const given: string[] = [];
  const imports = unit.chunks.flatMap((chunk, index) => {
    const names = [...short].filter(([long]) => long.startsWith(`${chunk} `));
    const local = names.map(([long, key], at) => ({ name: long.slice(chunk.length + 1), key, as: `_${index}_${at}` }));
    given.push(...local.map(({ key, as }) => `${key}:${as}`));
    const isRoot = unit.roots.includes(chunk);
    if (isRoot) given.push(`${JSON.stringify(idOf(chunk))}:_root${index}`);
    return [
      ...(local.length > 0 ? [`import{${local.map(({ name, as }) => `${name} as ${as}`)}}from"./${chunk}";`] : []),
      ...(isRoot ? [`import*as _root${index} from"./${chunk}";`] : []),
    ];
  });
  const isFirst = unit.name === FIRST;
  const whole = [
    ...(isFirst ? [`import"./registry";`, `import"./${entry}";`] : []),
    ...imports,
    ...(given.length > 0 ? [`Object.assign(units.all,{${given}});`] : []),
  ].join('\n');
  return new Map([
    [ENTRY, whole],
    ...[...wanted.keys()].flatMap((name) => (unitOf.get(name) === unit ? [] : [[`from ${name}`, shim(name)] as const])),
    ...unit.chunks.map((name) => [name, chunks.get(name)?.text ?? ''] as const),
  ]);
}

/** An esbuild plugin that bundles one unit from its modules. */
function link(unit: Unit, unitOf: LinkedUnits['unitOf'], modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'units',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path: asked, kind }) => {
        if (kind === 'entry-point') return { path: ENTRY, namespace: NAMESPACE };
        if (asked === './registry') return { path: path.join(root, 'src/bridge/registry.ts') };
        const name = path.basename(asked);
        const isOwn = unitOf.get(name) === unit;
        return { path: isOwn ? name : `from ${name}`, namespace: NAMESPACE, sideEffects: isOwn };
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: name }) => ({ contents: modules.get(name) ?? '' }));
    },
  };
}

/** Reads what each unit takes from others. `texts` are esbuild's chunks, and their source maps, by file name. */
export function linkUnits(
  units: readonly Unit[],
  texts: ReadonlyMap<string, string>,
  outputs: Outputs,
  entrySource: string,
  classes: ClassNames,
): LinkedUnits {
  const unitOf = new Map(units.flatMap((unit) => unit.chunks.map((name) => [name, unit] as const)));
  const idOf = (chunk: string) => outputs.get(chunk)?.entryPoint ?? chunk;
  const ids = new Map(
    [...shortNames(units.flatMap(({ roots }) => roots.map(idOf)))].map(([id, short]) => [id, `:${short}`]),
  );
  const ask = (chunk: string) => {
    const unit = unitOf.get(chunk);
    if (!unit) throw new Error(`${chunk} is in no unit.`);
    return `units.load(${JSON.stringify(unit.name)},${JSON.stringify(ids.get(idOf(chunk)))})`;
  };
  const chunks = new Map(
    units.flatMap((unit) =>
      unit.chunks.map(
        (name) => [name, readChunk(name, texts.get(name) ?? '', texts.get(`${name}.map`), classes, ask)] as const,
      ),
    ),
  );
  const entry =
    [...outputs].find(([name, output]) => name.endsWith('.js') && output.entryPoint === entrySource)?.[0] ?? '';

  // Names in the registry are derived from a source and an export, never from a chunk's name: that has a hash which changes.
  const across = new Map<string, string>();
  for (const unit of units)
    for (const chunk of unit.chunks)
      for (const { from, names } of chunks.get(chunk)?.imports ?? [])
        if (unitOf.get(from) !== unit) for (const name of names) across.set(`${from} ${name}`, name);
  const label = (chunk: string) => Object.keys(outputs.get(chunk)?.inputs ?? {}).sort(compare)[0] ?? chunk;
  const stable = new Map([...across].map(([long, name]) => [long, `${label(long.split(' ')[0] as string)} ${name}`]));
  const shorts = shortNames([...new Set(stable.values())]);
  const short = new Map([...stable].map(([long, name]) => [long, shorts.get(name) as string]));

  return { units, chunks, unitOf, short, idOf: (chunk) => ids.get(idOf(chunk)) ?? '', entry, label };
}

type Bundled = Pick<BuiltUnit, 'text' | 'map' | 'file'>;
/** Units by what they are made of: hosts, and countries that speak one language, share most of theirs. */
const bundled = new Map<string, Promise<Bundled>>();

/** Bundles each unit into one file, with those of a language's sentences that it says. */
export async function buildUnits(linked: LinkedUnits, folder: string, spoken: Spoken): Promise<BuiltUnit[]> {
  const { units, chunks, unitOf, label } = linked;
  const said = hash(...[...spoken.sentences].flat());
  return await Promise.all(
    units.map(async (unit) => {
      const modules = modulesOf(unit, linked);
      // A chunk's name holds a hash of all below it, and is in no finished file.
      const texts = [...modules].flat().map((text) => text.replace(CHUNK, (name) => label(name)));
      // A name that stands in for a value is rare.
      const define = Object.entries(spoken.define).filter(([name]) => texts.some((text) => text.includes(name)));
      const maps = unit.chunks.map((name) => chunks.get(name)?.mapHash ?? '');
      const key = hash(JSON.stringify([unit.name, said, define, maps, texts]));
      const made = bundled.get(key) ?? bundle(unit, modules, linked, folder, spoken);
      bundled.set(key, made);
      const needs = new Set(
        unit.chunks.flatMap((chunk) =>
          (chunks.get(chunk)?.imports ?? []).map(({ from }) => unitOf.get(from)?.name ?? ''),
        ),
      );
      for (const name of [unit.name, FIRST, '']) needs.delete(name);
      return { name: unit.name, ...(await made), needs: [...needs].sort(compare) };
    }),
  );
}

async function bundle(
  unit: Unit,
  modules: ReadonlyMap<string, string>,
  { chunks, unitOf }: LinkedUnits,
  folder: string,
  { sentences, define }: Spoken,
): Promise<Bundled> {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: TARGET,
    supported: SUPPORTED,
    // The second minifier shortens the names.
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
    sourcemap: 'external',
    sourcesContent: false,
    outfile: path.join(folder, 'unit.js'),
    define: { ...define },
    plugins: [speaking(sentences), link(unit, unitOf, modules)],
    // A later unit's code is a function: the registry runs it when the units it needs are there. A host may run the page's
    // script twice: a second registry and a second React would tear the page apart.
    ...(unit.name === FIRST
      ? { banner: { js: 'globalThis.units?.code||' } }
      : { banner: { js: `units.code.${unit.name}=()=>{` }, footer: { js: '}' } }),
  });
  const part = (end: string) => result.outputFiles.find((file) => file.path.endsWith(end))?.text ?? '';
  const { text, map: last } = squeezed(unit.name, part('.js'));
  const map = remapping(
    [last, part('.js.map')],
    (source) => chunks.get(source.replace(`${NAMESPACE}:`, ''))?.map ?? null,
    { excludeContent: true },
  );
  // Without a hyphen: the dictionary of the first load is for all others, theirs not for it (src/build/differences.ts).
  const file = `${unit.name}${unit.name === FIRST ? '.' : '-'}${shortHash(text)}.js`;
  const sources = map.sources.map((source) => fileOfPart(path.relative(root, path.resolve(folder, source ?? ''))));
  return {
    file,
    text,
    map: JSON.stringify({ version: 3, file, names: map.names, sources, mappings: map.mappings }),
  };
}

/** Runs a second minifier over the finished file, which makes it 2.5 % smaller (src/decisions/2026-11-22-minifier.md). */
export function squeezed(name: string, text: string, target = TARGET): { text: string; map: SourceMapInput } {
  const { code, map, errors } = minifySync(`${name}.js`, text, {
    compress: { target },
    mangle: { toplevel: false },
    sourcemap: true,
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  return { text: code, map: map as SourceMapInput };
}
