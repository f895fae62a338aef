import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { parseSync } from 'oxc-parser';
import type { Libraries, Meta } from './meta.ts';
import { root, type Bundle } from './bundles.ts';
import { squeeze, type Size } from './files.ts';
import { clientOptions } from './graph.ts';
import { FIRST, squeezed } from './units.ts';

/** The names that these sources import, by package. */
async function namesImported(sources: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = new Map<string, Set<string>>();
  for (const source of sources) {
    const { module } = parseSync(source, await readFile(path.join(root, source), 'utf8'));
    for (const { moduleRequest, entries } of module.staticImports) {
      if (/^[.#/]/.test(moduleRequest.value)) continue;
      for (const { importName, isType } of entries) {
        if (isType) continue;
        const used = names.get(moduleRequest.value) ?? new Set<string>();
        names.set(moduleRequest.value, used.add(importName.kind === 'Name' ? (importName.name ?? '') : 'default'));
      }
    }
  }
  return names;
}

/**
 * Sizes of a file that holds nothing but the libraries of the first load, with exactly the names that its sources import: once
 * from the packages as published, once after the same steps that the first load goes through.
 */
export async function librariesAlone(bundle: Bundle, units: Meta['units']): Promise<Libraries> {
  const own = (units[FIRST]?.sources ?? []).filter((name) => /^(src|hosts|country)\/.*\.tsx?$/.test(name));
  const names = await namesImported(own);
  const contents = [
    "import { jsx, jsxs, Fragment } from 'react/jsx-runtime'; globalThis.kept = [jsx, jsxs, Fragment];",
    ...[...names].map(([from, used], at) => {
      const list = [...used].map((name, index) => [name, `n${at}_${index}`] as const);
      const locals = list.map(([, as]) => as).join(', ');
      return `import { ${list.map(([name, as]) => `${name} as ${as}`).join(', ')} } from '${from}'; globalThis.kept.push(${locals});`;
    }),
  ].join('\n');
  const options = clientOptions(bundle, path.join(root, 'dist'));
  const together = { minify: true, stdin: { contents, resolveDir: root, loader: 'js' } } as const;
  const published = await esbuild.build({
    ...options,
    ...together,
    plugins: [],
    alias: { ...options.alias, 'use-sync-external-store/shim/index.js': 'react' },
  });
  const built = await esbuild.build({ ...options, ...together, format: 'iife' });
  const textOf = (result: { outputFiles: esbuild.OutputFile[] }) => result.outputFiles[0]?.text ?? '';
  return {
    names: [...names.keys()].sort(),
    ...(await sizeOf(textOf(published))),
    built: await sizeOf(squeezed('libraries', textOf(built)).text),
  };
}

async function sizeOf(text: string): Promise<Size> {
  const content = Buffer.from(text);
  const { gz, br } = await squeeze(content);
  return { bytes: content.length, gzip: gz.length, brotli: br.length };
}

const kb = (bytes: number) => (bytes / 1000).toFixed(1).padStart(7);
const triple = (size: Size) => `${kb(size.bytes)}${kb(size.gzip)}${kb(size.brotli)}`;

export function printTable(metas: readonly Meta[]): void {
  console.log(
    '\nKB (1000 bytes)      first-load script     all scripts           stylesheet            libraries in it      as built\n' +
      'bundle            raw   gzip     br     raw   gzip     br     raw   gzip     br    gzip  ratio    gzip  ratio',
  );
  for (const meta of metas) {
    const { libraries } = meta;
    const beside = ({ gzip }: Size) => ` ${kb(gzip)}${(meta.firstLoad.gzip / gzip).toFixed(2).padStart(7)}`;
    console.log(
      `${`${meta.country}/${path.basename(meta.mount) === meta.language ? `${meta.host}.${meta.language}` : meta.host}`.padEnd(14)}${triple(meta.firstLoad)} ${triple(meta.total)} ${triple(meta.styles)}${beside(libraries)}${beside(libraries.built)}`,
    );
  }
  console.log(
    `libraries = ${metas[0]?.libraries?.names.join(', ')}, with the names that the first load imports, as published and treated as the first load is`,
  );
}

const SHOWN = 80;
const LIGHTEST_BYTES = 200;

/** Prints every unit, the heaviest first: its sizes, the units it needs, and the bytes of each package and source in it. */
export function printWeights(dist: string, meta: Meta): void {
  const folder = path.join(
    dist,
    meta.country,
    path.basename(meta.mount) === meta.language ? `${meta.host}.${meta.language}` : meta.host,
  );
  const sizeOfUnit = (file: string) => meta.files[file] ?? { bytes: 0, gzip: 0, brotli: 0 };
  const units = Object.entries(meta.units).sort(
    ([, a], [, b]) => sizeOfUnit(b.file).brotli - sizeOfUnit(a.file).brotli,
  );
  console.log(
    `\n${path.relative(dist, folder)}: KB of each unit (raw, gzip, brotli), and bytes in it by package and source, names not yet shortened`,
  );
  for (const [unit, { file, sources, bytes, needs }] of units) {
    console.log(`\n${triple(sizeOfUnit(file))}  ${unit}${needs.length > 0 ? `, with ${needs.join(', ')}` : ''}`);
    const weights = new Map<string, number>();
    for (const [at, source] of sources.entries()) {
      const key = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source;
      weights.set(key, (weights.get(key) ?? 0) + (bytes[at] ?? 0));
    }
    const sorted = [...weights].sort((a, b) => b[1] - a[1]).filter(([, one]) => one >= LIGHTEST_BYTES);
    for (const [key, one] of sorted.slice(0, SHOWN)) console.log(`${String(one).padStart(8)}  ${key}`);
  }
}
