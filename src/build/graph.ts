import path from 'node:path';
import type { BuildOptions, Metafile } from 'esbuild';
import { countryName } from '../domain/countryName.ts';
import { localeOf, root, type Bundle } from './bundles.ts';
import { declarations } from './rewrite/declarations.ts';
import { logoFolder, logosOf } from './pictures/logos.ts';
import { packages } from './rewrite/packages.ts';
import { react } from './rewrite/react.ts';

export type Output = Metafile['outputs'][string];
/** esbuild's outputs by file name, without folder. */
export type Outputs = ReadonlyMap<string, Output>;

/** The oldest engines that the bundles run in (src/ADDING.md says why). */
export const TARGET = ['chrome87', 'safari15.4'];
/**
 * Chrome has `?.` since 80, and up to 90 fails where arguments follow a spread in it (crbug.com/42201552), so that esbuild
 * spells all of it out. No script has such a call: test/architecture/browsers.test.ts.
 */
export const SUPPORTED = { 'optional-chain': true };

const plugins = [react, declarations, packages];

/** esbuild's options for every client script. Identifiers are not shortened here: shortened names change when neighbouring code does. */
/** `pictures` is in the names of the dishes' pictures (pictures.ts). */
export function clientOptions(
  { cc, host, country, language, environment = 'production' }: Pick<Bundle, 'cc'> & Partial<Bundle>,
  outdir: string,
  pictures = '',
) {
  const isFull = host?.isFull ?? true;
  const hasLeague = isFull && country?.DISABLED_FEATURES.includes('worldPizzaLeague') !== true;
  const hasTrains = isFull && country?.DISABLED_FEATURES.includes('irctc') !== true;
  return {
    absWorkingDir: root,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    supported: SUPPORTED,
    minifySyntax: true,
    minifyWhitespace: true,
    jsx: 'automatic',
    jsxImportSource: '#jsx',
    alias: {
      '#country': path.join(root, 'country', cc),
      regexparam: path.join(root, 'src/build/rewrite/regexparamStub.ts'),
      'zod/mini': path.join(root, 'src/build/rewrite/zodMini.ts'),
    },
    loader: { '.module.css': 'local-css', '.svg': 'file', '.png': 'file', '.webp': 'file' },
    define: {
      'process.env.NODE_ENV': '"production"',
      // Jotai leaves its checks for developers out when the mode is production.
      'import.meta.env': 'true',
      'import.meta.env.MODE': '"production"',
      PICTURES: JSON.stringify(pictures),
      LOGOS: JSON.stringify(Object.fromEntries(logosOf(logoFolder(cc)).map(({ id, name }) => [id, name]))),
      FULL_MODE: String(isFull),
      HOSTED: String(!isFull),
      TRAINS: String(hasTrains),
      LEAGUE: String(hasLeague),
      ENVIRONMENT: JSON.stringify(environment),
      COUNTRY_NAME:
        country && language !== undefined
          ? JSON.stringify(countryName(country.iso, localeOf({ country, language })))
          : 'undefined',
    },
    tsconfig: path.join(root, 'tsconfig.json'),
    nodePaths: [path.join(root, 'node_modules')],
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'silent',
    metafile: true,
    write: false,
    outdir,
    plugins,
  } as const satisfies BuildOptions;
}

export function outputsOf(metafile: Metafile): Outputs {
  return new Map(Object.entries(metafile.outputs).map(([name, output]) => [path.basename(name), output]));
}

/** These chunks and all chunks that they import statically, directly or not. */
export function closure(outputs: Outputs, ...entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    const output = outputs.get(name);
    if (seen.has(name) || !output) return;
    seen.add(name);
    for (const one of output.imports) if (one.kind === 'import-statement') visit(path.basename(one.path));
  };
  entries.forEach(visit);
  return [...seen];
}
