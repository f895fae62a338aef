/** A node of the tree that oxc-parser reads of a script, as far as the build looks at it; `start` and `end` are places in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** A node and all below it, each before what is below it, but for what `isLeftOut` says. */
export function nodesIn(node: Node, isLeftOut?: (key: string, above: Node) => boolean): Node[] {
  const all: Node[] = [];
  const visit = (one: Node): void => {
    all.push(one);
    // A tree has a hundred thousand fields: neither a generator nor a list of the fields is made for each.
    for (const key in one) {
      const value = one[key];
      if (typeof value !== 'object' || value === null || isLeftOut?.(key, one)) continue;
      if (!Array.isArray(value)) {
        if (isNode(value)) visit(value);
      } else for (const below of value) if (isNode(below)) visit(below);
    }
  };
  visit(node);
  return all;
}
