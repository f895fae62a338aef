import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { root } from '../bundles.ts';
import { edited, type Edit } from './edits.ts';
import { withoutPackageParts } from './packageParts.ts';

/**
 * `import a, { b } from 'x'` as `import * as a from 'x'`, where `isWhole` says so of 'x': of a namespace only the names that are
 * used are kept, and each is a variable instead of a property.
 */
export function withNamespaces(file: string, text: string, isWhole: (asked: string) => boolean): string {
  const { module, errors } = parseSync(file, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const edits: Edit[] = [];
  for (const { start, end, moduleRequest, entries } of module.staticImports) {
    const whole = entries.find(({ importName }) => importName.kind === 'Default');
    if (!whole || !isWhole(moduleRequest.value)) continue;
    const from = JSON.stringify(moduleRequest.value);
    const named = entries
      .filter(({ importName }) => importName.kind === 'Name')
      .map(({ importName, localName }) => `${importName.name} as ${localName.value}`);
    const others = named.length > 0 ? `import{${named}}from${from};` : '';
    edits.push({ start, end, by: `import*as ${whole.localName.value} from${from};${others}` });
  }
  return edited(text, edits);
}

const MODULES = path.join(root, 'node_modules');

/**
 * Packages as the bundles have them: without the parts that nobody asks for, and with all of React as a namespace where one asks
 * for it by `import React`; stylesheets' classes are one (declarations.ts).
 */
export const packages: Plugin = {
  name: 'packages',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/](?:jotai|ky|pigeon-maps)[\\/].*\.m?js$/ }, async ({ path: file }) => {
      const name = path.relative(MODULES, file).split(path.sep).join('/');
      const text = withoutPackageParts(name, await readFile(file, 'utf8'));
      return { contents: withNamespaces(name, text, (asked) => asked === 'react') };
    });
  },
};
