/** A node of the tree that oxc-parser reads of a script, as far as the build looks at it; `start` and `end` are places in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** A node and all below it, but for what `isLeftOut` says. */
export function* nodesIn(node: Node, isLeftOut: (key: string, above: Node) => boolean = () => false): Generator<Node> {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (isLeftOut(key, node)) continue;
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield* nodesIn(one, isLeftOut);
  }
}
