import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { edited, type Edit } from './edits.ts';

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

/** All of React as a namespace, where a package asks for it by `import React`; stylesheets' classes are (declarations.ts). */
export const namespaces: Plugin = {
  name: 'namespaces',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/](?:jotai|pigeon-maps)[\\/].*\.m?js$/ }, async ({ path: file }) => ({
      contents: withNamespaces(path.basename(file), await readFile(file, 'utf8'), (asked) => asked === 'react'),
    }));
  },
};
