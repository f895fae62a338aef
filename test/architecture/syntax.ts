import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { root, type Source } from './sources.ts';

/** A node of the syntax tree, with what stands above it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const trees = new Map<string, Node>();

/** @throws Error that names the file, if the text is none of its language */
export function parsed({ file, text }: Pick<Source, 'file' | 'text'>): Node {
  const { program, errors } = parseSync(path.join(root, file), text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  return program as unknown as Node;
}

function treeOf(source: Source): Node {
  const tree = trees.get(source.file) ?? parsed(source);
  trees.set(source.file, tree);
  return tree;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** Visits every node of a file, each with those it stands in, the nearest first. */
export function visit(source: Source, see: (node: Node, above: readonly Node[]) => void): void {
  visitBelow(treeOf(source), see);
}

/** Visits a node and all that it holds. */
export function visitBelow(top: Node, see: (node: Node, above: readonly Node[]) => void): void {
  const walk = (node: Node, above: readonly Node[]): void => {
    see(node, above);
    const inside = [node, ...above];
    for (const [name, value] of Object.entries(node)) {
      if (name === 'parent') continue;
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) walk(one, inside);
    }
  };
  walk(top, []);
}

/** 'file:line' of a node. */
export function placeOf({ file, text }: Source, { start }: Node): string {
  return `${file}:${text.slice(0, start).split('\n').length}`;
}
