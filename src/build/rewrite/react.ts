import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { root } from '../bundles.ts';
import { edited, type Edit } from './edits.ts';
import { withoutParts } from './reactParts.ts';
import { isNode, nodesIn, type Node } from './syntaxTree.ts';

/**
 * What each entry of React's packages is in production. Their `index.js` choose it at run time, and all of it is CommonJS: a
 * bundler keeps every export, and each use asks an object for its name (`(0, t.jsx)(...)`). As ES modules a name is a variable
 * and what nobody asks for is left out: 3 KB gzip of the first load (2026-11-22-react-as-modules.md).
 */
const FILES: Readonly<Record<string, string>> = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
  // What wouter asks of this package for older Reacts is part of React itself.
  'use-sync-external-store/shim/index.js': 'react/cjs/react.production.js',
};

const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : null);

/** 'name' of `exports.name`. */
const exportOf = (node: unknown) =>
  isNode(node) && node.type === 'MemberExpression' && node['computed'] !== true && nameOf(node['object']) === 'exports'
    ? nameOf(node['property'])
    : null;

/** 'x' of `name = require("x")`. */
const requestOf = ({ init }: Node) =>
  isNode(init) && init.type === 'CallExpression' && nameOf(init['callee']) === 'require'
    ? String((init['arguments'] as { value: unknown }[])[0]?.value)
    : null;

/** What a statement of its own gives: `exports.name = value`. */
function givenBy(statement: Node) {
  const one = statement.type === 'ExpressionStatement' ? (statement['expression'] as Node) : null;
  const name = one?.type === 'AssignmentExpression' ? exportOf(one['left']) : null;
  return one && name !== null ? { name, place: one['left'] as Node, value: one['right'], statement } : null;
}

/** `var x = require("x")` as imports. */
function importsOf(file: string, body: readonly Node[]) {
  const imports: string[] = [];
  const edits: Edit[] = [];
  for (const { type, start, end, declarations } of body) {
    const variables = type === 'VariableDeclaration' ? (declarations as Node[]) : [];
    const requests = variables.map(requestOf);
    if (requests.every((one) => one === null)) continue;
    if (requests.includes(null)) throw new Error(`${file}: a variable beside what is required.`);
    variables.forEach(({ id }, at) => imports.push(`import*as ${nameOf(id)} from${JSON.stringify(requests[at])};`));
    edits.push({ start, end, by: '' });
  }
  return { imports, edits };
}

/**
 * A CommonJS file as an ES module. It may require others in variables at its top, and name `exports` only with a name behind
 * it.
 * @throws Error where it does anything else with them
 */
export function asModule(file: string, text: string): string {
  const { program, errors } = parseSync(file, text, { sourceType: 'script' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const body = program.body as unknown as readonly Node[];
  const all = body.flatMap((one) => nodesIn(one));
  const assigned = all.flatMap(({ type, left }) =>
    type === 'AssignmentExpression' ? [exportOf(left) ?? nameOf(left)] : [],
  );
  const { imports, edits } = importsOf(file, body);

  /** By the name of an export, the variable that holds it. */
  const held = new Map<string, string>();
  const places = new Set<Node>();
  for (const { name, place, value, statement } of body.flatMap((one) => givenBy(one) ?? [])) {
    if (held.has(name)) continue;
    const variable = nameOf(value);
    // A variable that is never another value needs no second one.
    const isSame =
      variable !== null && !assigned.includes(variable) && assigned.indexOf(name) === assigned.lastIndexOf(name);
    held.set(name, isSame ? variable : `exports_${name}`);
    edits.push(isSame ? { ...statement, by: '' } : { ...place, by: `var exports_${name}` });
    places.add(place);
  }
  for (const node of all) {
    const name = exportOf(node);
    if (name === null || places.has(node)) continue;
    const variable = held.get(name);
    if (variable === undefined) throw new Error(`${file}: exports.${name} is not given at the top.`);
    edits.push({ start: node.start, end: node.end, by: variable });
  }
  const module = `${imports.join('')}${edited(text, edits)}\nexport{${[...held].map(([name, as]) => `${as} as ${name}`)}};`;
  const left = parseSync(file, module, { sourceType: 'module' });
  const rest = (left.program.body as unknown as readonly Node[]).flatMap((one) => nodesIn(one)).map(nameOf);
  for (const name of ['exports', 'module', 'require'])
    if (rest.includes(name)) throw new Error(`${file}: ${name} is used in another way than this knows.`);
  return module;
}

const packaged = (file: string) => path.join(root, 'node_modules', file);
const RENDERER = packaged(FILES['react-dom/client']!);
const modules = new Map<string, Promise<string>>();

/** Converted once, however many bundles hold it. */
function moduleAt(file: string): Promise<string> {
  const held = modules.get(file);
  if (held !== undefined) return held;
  const name = path.basename(file);
  const made = readFile(file, 'utf8').then((text) =>
    asModule(name, file === RENDERER ? withoutParts(name, text) : text),
  );
  modules.set(file, made);
  return made;
}

/** The renderer that pages have, for the tests of pages as well. */
export const rendererModule = (): Promise<string> => moduleAt(RENDERER);
const converted = new Set(Object.values(FILES).map(packaged));

/** React, its renderer and its scheduler as ES modules. */
export const react: Plugin = {
  name: 'react',
  setup(build) {
    build.onResolve({ filter: /^(?:react|react-dom|scheduler|use-sync-external-store)(?:\/|$)/ }, ({ path: asked }) => {
      const file = FILES[asked];
      return file === undefined ? null : { path: packaged(file), sideEffects: false };
    });
    build.onLoad({ filter: /\.production\.js$/ }, async ({ path: file }) =>
      converted.has(file) ? { contents: await (file === RENDERER ? rendererModule() : moduleAt(file)) } : null,
    );
  },
};
