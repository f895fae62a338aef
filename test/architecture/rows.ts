// The rows of requirements.json, and the titles of tests that name them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { root } from './sources.ts';

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
const TITLE = /(?:(?:\b(?:test|it|describe)((?:\.\w+)*)|\))\s*\(|\beach\(\s*\d+,)\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2/g;
const IDS = /\[([A-Z]+-[A-Z]?\d+[a-z]?(?:\s*,\s*[A-Z]+-[A-Z]?\d+[a-z]?)*)\]/g;

export interface Title {
  /** From the folder of the tests. */
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
  /** More than three rows, and no table that has a case for each of them. */
  readonly isCrowded: boolean;
}

/**
 * Titles that name rows; those of a skipped test prove nothing and are left out.
 * @param tables what else its tables may be read in
 */
export function titlesIn(file: string, text: string, tables = ''): readonly Title[] {
  const found: Title[] = [];
  for (const { 1: modifiers = '', 3: title = '', index } of text.matchAll(TITLE)) {
    if (/\.(skip|todo|fixme)\b/.test(modifiers)) continue;
    const ids = [
      ...new Set([...title.matchAll(IDS)].flatMap(([, list = '']) => list.split(',').map((id) => id.trim()))),
    ];
    if (ids.length === 0) continue;
    const before = tables + text.slice(0, index);
    const isTable = ids.every((id) => before.includes(`'${id}'`));
    found.push({ file, title, ids, isCrowded: ids.length > 3 && !isTable });
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
      return titlesIn(path.relative(tests, file).replaceAll('\\', '/'), text, tables.join('\n'));
    });
}
