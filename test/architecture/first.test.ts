import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import { files, root, sources } from './sources.ts';

// The first load is what stands in `first/` of state, screens and shell, with what these take from the floors below.

const IN_FIRST = /^src\/(?:state|screens|shell)\/first\//;
const OF_THESE_FLOORS = /^src\/(?:state|screens|shell)\//;

const bundles = countries.flatMap((country) =>
  // Partners are in every country.
  [...Object.keys(country.api.keys), 'frame'].map((host) => `${country.COUNTRY_CODE.toLowerCase()}/${host}`),
);

/** All sources of what a bundle's prerendered pages load first, as meta.json names them. */
function firstLoadOf(bundle: string): string[] {
  const file = path.join(root, 'dist', bundle, 'meta.json');
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first (\`npm test\` does).`);
  const { pages, units } = JSON.parse(readFileSync(file, 'utf8')) as {
    pages: Record<string, { scripts: string[] }>;
    units: Record<string, { file: string; sources: string[] }>;
  };
  const scripts = new Set(Object.values(pages).flatMap((page) => page.scripts));
  return Object.values(units)
    .filter((unit) => scripts.has(unit.file))
    .flatMap((unit) => unit.sources);
}

describe.each(bundles)('the first load of %s', (bundle) => {
  it('has nothing of state, screens and shell that is not in their first/', () => {
    expect(firstLoadOf(bundle).filter((file) => OF_THESE_FLOORS.test(file) && !IN_FIRST.test(file))).toEqual([]);
  });

  it('waits for no schema and no call', () => {
    expect(firstLoadOf(bundle).filter((file) => /node_modules\/(?:zod|ky)\/|^src\/api\//.test(file))).toEqual([]);
  });
});

describe('first/', () => {
  it('holds nothing that is in the first load of no bundle', () => {
    const loaded = new Set(bundles.flatMap(firstLoadOf));
    // A file of types alone leaves nothing to load.
    const isOnlyTypes = (file: string) =>
      /\.tsx?$/.test(file) &&
      transformSync(readFileSync(path.join(root, file), 'utf8'), { loader: 'tsx' }).code.trim() === '';
    expect(files.filter((file) => IN_FIRST.test(file) && !loaded.has(file) && !isOnlyTypes(file))).toEqual([]);
  });

  it('takes from one another, and from ui, bridge, domain and the catalogues', () => {
    expect(
      sources
        .filter(({ file }) => IN_FIRST.test(file))
        .flatMap(({ file, imports }) =>
          imports
            .filter((to) => to.file !== null && !to.isType && !to.isLazy)
            .filter((to) => !IN_FIRST.test(to.file ?? '') && !/^src\/(?:ui|bridge|domain|text)\//.test(to.file ?? ''))
            .map((to) => `${file} -> ${to.from}`),
        ),
    ).toEqual([]);
  });
});
