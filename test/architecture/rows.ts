// The rows of requirements.json, and the titles of tests that name them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { root } from './sources.ts';
import { parsed, visitBelow, type Node } from './syntax.ts';

/**
 * How a row is proven: its test goes through a screen as a customer does, calls the interface as a client does, or checks
 * a table of cases; `partial` proves a part of it, `unproven` nothing.
 */
export const WORDS = ['customer', 'client', 'table', 'partial', 'unproven'] as const;
const Row = z.object({
  id: z.string().regex(/^[A-Z]+-[A-Z]?\d+[a-z]?$/),
  area: z.string().min(2),
  capability: z.string().min(2),
  /** What an audit of the tests, the code and the running app found, and the commit it looked at. */
  audit: z.strictObject({
    word: z.enum(WORDS),
    since: z.string().regex(/^[0-9a-f]{7,}$/),
    why: z.string().optional(),
  }),
});
export type Row = z.infer<typeof Row>;
const File = z.object({ rows: z.array(Row) });

/** @throws Error that names the file and what is wrong in it */
export function readRows(text = readFileSync(path.join(root, 'test/requirements.json'), 'utf8')): readonly Row[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`test/requirements.json is no JSON: ${(error as Error).message}`, { cause: error });
  }
  const { data, error } = File.safeParse(file);
  const nameOf = (at: readonly PropertyKey[]) => {
    const rows = (file as { rows?: { id?: unknown }[] }).rows;
    return at[0] === 'rows' && typeof at[1] === 'number'
      ? `${String(rows?.[at[1]]?.id)}: ${at.slice(2).join('.')}`
      : at.join('.');
  };
  if (!data)
    throw new Error(
      `test/requirements.json: ${error.issues.map((issue) => `${nameOf(issue.path)}: ${issue.message}`).join('; ')}`,
    );
  const ids = data.rows.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (twice.length > 0) throw new Error(`test/requirements.json has twice: ${twice.join(', ')}`);
  return data.rows;
}

/** The titles of test(), it() and describe() calls, with .each(...) too, and of the hosts' suite, each(row, title). */
const TITLE =
  /(?:(?:\b(?:test|it|raced|describe)((?:\.\w+)*)|\))\s*\(|\beach\(\s*\d+,)\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2/g;
const IDS = /\[([A-Z]+-[A-Z]?\d+[a-z]?(?:\s*,\s*[A-Z]+-[A-Z]?\d+[a-z]?)*)\]/g;

export interface Title {
  /** From the folder of the tests. */
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
  /** More than three rows, and no table with a case for each of them that the test goes through. */
  readonly isCrowded: boolean;
}

/** Whether a node holds each id as a string of its own, be it an entry or a key. */
function holds(node: Node, ids: readonly string[]): boolean {
  const held = new Set<unknown>();
  visitBelow(node, ({ type, ...one }) => type === 'Literal' && held.add(one['value']));
  return ids.every((id) => held.has(id));
}

function uses(node: Node, names: ReadonlySet<string>): boolean {
  let isUsed = false;
  visitBelow(node, ({ type, ...one }) => {
    isUsed ||= type === 'Identifier' && names.has(one['name'] as string);
  });
  return isUsed;
}

/** Adds the names of what holds each id, and of what is made of such a thing. */
function addTables(names: Set<string>, tree: Node, ids: readonly string[]): void {
  visitBelow(tree, ({ type, ...one }) => {
    const [name, init] = [one['id'], one['init']] as (Node | null | undefined)[];
    if (type === 'VariableDeclarator' && name?.type === 'Identifier' && init && !/Function/.test(init.type))
      if (holds(init, ids) || uses(init, names)) names.add(name['name'] as string);
  });
}

/** Whether the test with the title at this place goes through such a table: in its .each, in a loop around it, or in itself. */
function hasTable(tree: Node, at: number, ids: readonly string[], names: ReadonlySet<string>): boolean {
  let has = false;
  visitBelow(tree, (call, above) => {
    if (call.type !== 'CallExpression' || !(call['arguments'] as Node[]).some(({ start }) => start === at)) return;
    const around = above.flatMap((one) => (one.type === 'ForOfStatement' ? [one['right'] as Node] : []));
    has = [call, ...around].some((part) => holds(part, ids) || uses(part, names));
  });
  return has;
}

/**
 * Titles that name rows; those of a skipped test prove nothing and are left out.
 * @param tables what else its tables may be read in: the texts of modules
 */
export function titlesIn(file: string, text: string, tables: readonly string[] = []): readonly Title[] {
  const found: Title[] = [];
  const isTable = (at: number, ids: readonly string[]) => {
    const tree = parsed({ file, text });
    const names = new Set<string>();
    for (const table of tables) addTables(names, parsed({ file: 'table.ts', text: table }), ids);
    addTables(names, tree, ids);
    return hasTable(tree, at, ids, names);
  };
  for (const { 0: all, 1: modifiers = '', 3: title = '', index } of text.matchAll(TITLE)) {
    if (/\.(skip|todo|fixme)\b/.test(modifiers)) continue;
    const ids = [
      ...new Set([...title.matchAll(IDS)].flatMap(([, list = '']) => list.split(',').map((id) => id.trim()))),
    ];
    if (ids.length === 0) continue;
    found.push({ file, title, ids, isCrowded: ids.length > 3 && !isTable(index + all.length - title.length - 2, ids) });
  }
  return found;
}

export function allTitles(): readonly Title[] {
  const tests = path.join(root, 'test');
  return readdirSync(tests, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(test|spec)\.tsx?$/.test(entry.name))
    .flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      // A table that several files check lies in the kit.
      const tables = [...text.matchAll(/from '((?:\.\.?\/)+kit\/[^']+)'/g)]
        .map(([, from = '']) => path.resolve(entry.parentPath, from))
        .filter((table) => existsSync(table))
        .map((table) => readFileSync(table, 'utf8'));
      return titlesIn(path.relative(tests, file).replaceAll('\\', '/'), text, tables);
    });
}
