import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { describe, expect, test } from 'vitest';
import { withNamespaces } from '../../src/build/rewrite/namespaces.ts';
import { asModule, react } from '../../src/build/rewrite/react.ts';
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

describe('a CommonJS file as a module', () => {
  const load = async (name: string, text: string) => {
    const at = path.join(folder, `${name}.mjs`);
    writeFileSync(at, asModule(name, text));
    return (await import(/* @vite-ignore */ pathToFileURL(at).href)) as Record<string, unknown>;
  };

  test('keeps an export that is given twice, one that is read inside, and one variable under two names', async () => {
    const { now, later, one, other } = (await load(
      'kinds',
      `"use strict";
      var url = require("node:url");
      exports.now = void 0;
      if (url.URL) exports.now = function () { return 1; };
      exports.later = function () { return exports.now() + 1; };
      function same() { return 3; }
      exports.one = same;
      exports.other = same;`,
    )) as Record<string, () => number>;
    expect([now?.(), later?.(), one?.()]).toEqual([1, 2, 3]);
    expect(one).toBe(other);
  });

  test('an export of a variable that changes later keeps what it was given', async () => {
    expect((await load('changes', 'var a = 1; exports.first = a; a = 2; exports.second = a;'))['first']).toBe(1);
  });

  test.each([
    'module.exports = {};',
    'exports["a" + 1] = 2;',
    'Object.assign(exports, {});',
    'function late() { return require("x"); }',
    'if (true) exports.a = 1;',
  ])('is refused where that cannot be told from its text: %s', (text) => {
    expect(() => asModule('refused.js', text)).toThrow(/^refused\.js: /);
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
