import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { describe, expect, test } from 'vitest';
import { withNamespaces } from '../../src/build/rewrite/packages.ts';
import { parseSync } from 'oxc-parser';
import { asModule, react, rendererModule } from '../../src/build/rewrite/react.ts';
import { withoutParts } from '../../src/build/rewrite/reactParts.ts';
import { isNode, nodesIn, type Node } from '../../src/build/rewrite/syntaxTree.ts';
import { root } from '../architecture/sources.ts';
import { temporaryFolder } from '../kit/folder.ts';

const folder = temporaryFolder('pizza-modules');
const require = createRequire(import.meta.url);

async function bundled(contents: string): Promise<string> {
  const result = await esbuild.build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [react],
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

describe("React's packages as ES modules", () => {
  test.each([
    ['react', 'react.production.js'],
    ['react/jsx-runtime', 'react-jsx-runtime.production.js'],
    ['react-dom', 'react-dom.production.js'],
    ['react-dom/client', 'react-dom-client.production.js'],
    ['scheduler', 'scheduler.production.js'],
  ])('%s gives all that it gives as published', async (name, file) => {
    const published = require(path.join(root, 'node_modules', name.split('/')[0] as string, 'cjs', file)) as object;
    const at = path.join(folder, `${file}.mjs`);
    writeFileSync(at, await bundled(`export * from '${name}'`));
    const module = (await import(/* @vite-ignore */ pathToFileURL(at).href)) as Record<string, unknown>;
    expect(Object.keys(module).toSorted()).toEqual(Object.keys(published).toSorted());
    for (const [key, value] of Object.entries(published)) expect(typeof module[key], key).toBe(typeof value);
  });

  test('a bundle has what it asks for and nothing else, and no object to ask', async () => {
    const text = await bundled(`
      import { jsx } from 'react/jsx-runtime';
      import { useState } from 'react';
      console.log(jsx, useState);`);
    expect(text).toContain('.useState(');
    expect(text).not.toContain('useActionState');
    expect(text).not.toMatch(/\bexports\b|\brequire\b|__commonJS/);
  });
});

test.each(['module.exports = {};', 'exports["a" + 1] = 2;', 'function late() { return require("x"); }'])(
  'a CommonJS file is no module where that cannot be told from its text: %s',
  (text) => {
    expect(() => asModule('refused.js', text)).toThrow(/^refused\.js: /);
  },
);

describe("React's renderer without the parts that no page asks for", () => {
  const file = path.join(root, 'node_modules/react-dom/cjs/react-dom-client.production.js');

  test('has no variable left that nobody declares', async () => {
    const { program } = parseSync('renderer.js', await rendererModule(), { sourceType: 'module' });
    const nodes = (program.body as unknown as Node[]).flatMap((one) => [...nodesIn(one)]);
    const namesIn = (node: unknown) =>
      (isNode(node) ? [...nodesIn(node)] : []).flatMap(({ type, name }) => (type === 'Identifier' ? [name] : []));
    const declared = new Set(
      nodes.flatMap((node) =>
        node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration'
          ? [...namesIn(node['id']), ...((node['params'] as Node[] | undefined) ?? []).flatMap(namesIn)]
          : node.type === 'FunctionExpression'
            ? (node['params'] as Node[]).flatMap(namesIn)
            : [],
      ),
    );
    const given = nodes.flatMap(({ type, left }) =>
      type === 'AssignmentExpression' && isNode(left) && left.type === 'Identifier' ? [left['name']] : [],
    );
    expect(given.length).toBeGreaterThan(1000);
    expect(given.filter((name) => !declared.has(name))).toEqual([]);
  });

  test('holds nothing of them', async () => {
    const text = await bundled(`import { hydrateRoot } from 'react-dom/client'; console.log(hydrateRoot);`);
    expect(text).toContain('onRecoverableError');
    for (const word of ['startViewTransition', 'getClientRects', 'unobserve']) expect(text).not.toContain(word);
  });

  test('of another version, which lacks one of their names, is no renderer', () => {
    const text = readFileSync(file, 'utf8').replaceAll('commitNestedViewTransitions', 'commitNested');
    expect(() => withoutParts('other.js', text)).toThrow('other.js: there is no commitNestedViewTransitions');
  });
});

test('a module that takes all of another takes it as a namespace, beside what it takes by name', () => {
  const isReact = (asked: string) => asked === 'react';
  expect(withNamespaces('a.js', `import React, { useRef as ref } from 'react';\nReact.use(ref);`, isReact)).toBe(
    `import*as React from"react";import{useRef as ref}from"react";\nReact.use(ref);`,
  );
  for (const text of [`import { useRef } from 'react';`, `import Other from 'other';`])
    expect(withNamespaces('a.js', text, isReact)).toBe(text);
});
