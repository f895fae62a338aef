import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

export interface Import {
  /** As written: './cart.ts', 'jotai', '#country/first.ts'. */
  readonly from: string;
  /** A file of ours, from the repository's root; null for packages. */
  readonly file: string | null;
  /** Package name, 'node:fs' included; null for files of ours. */
  readonly package: string | null;
  readonly isType: boolean;
  readonly isLazy: boolean;
}

export interface Source {
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Without comments; strings are kept. */
  readonly code: string;
  readonly imports: readonly Import[];
}

/** Takes comments out and leaves strings, templates and regular expressions alone, as far as that shows on one line. */
function withoutComments(text: string): string {
  return text.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/(?!\/).*$/gm, (part) =>
    /^\/[/*]/.test(part) ? '' : part,
  );
}

function importOf(file: string, from: string, isType: boolean, isLazy: boolean): Import {
  const isOwn = from.startsWith('.') || from.startsWith('#');
  const target = from.startsWith('.')
    ? path.posix.join(path.posix.dirname(file), from)
    : from.startsWith('#country/')
      ? from
      : from.startsWith('#text/')
        ? from.replace('#text', 'src/text/made')
        : null;
  const name = isOwn
    ? null
    : from.startsWith('node:')
      ? from
      : from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/');
  return { from, file: target, package: name, isType, isLazy };
}

/** One of them, or another file of the project. */
export function read(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8');
  const code = withoutComments(text);
  const imports: Import[] = [];
  for (const [, keyword, clause, from] of code.matchAll(
    /(?:^|[;}\n])\s*(import|export)\s+(?:([^'"();]*?)\s+from\s+)?['"]([^'"]+)['"]/g,
  )) {
    if (keyword === 'export' && clause === undefined) continue;
    const names = /^\{([\s\S]*)\}$/.exec(clause?.trim() ?? '')?.[1];
    const isType =
      /^type\b/.test(clause ?? '') ||
      (names !== undefined &&
        names
          .split(',')
          .filter((name) => name.trim())
          .every((name) => /^\s*type\s/.test(name)));
    imports.push(importOf(file, from as string, isType, false));
  }
  for (const [, from] of code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g))
    imports.push(importOf(file, from as string, false, true));
  return { file, text, code, imports };
}

function filesBelow(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** Every file below src, hosts and country, whatever it is. */
export const files: readonly string[] = ['src', 'hosts', 'country'].flatMap(filesBelow);
export const sources: readonly Source[] = files
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map(read);

/** The folder below src: 'screens' for 'src/screens/cart/CartScreen.tsx'; null elsewhere. */
export function floorOf(file: string): string | null {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? null;
}
