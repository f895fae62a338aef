import { parseSync } from 'oxc-parser';
import { blank, edited, type Edit } from './edits.ts';
import { isNode, nodesIn, type Node } from './syntaxTree.ts';

/** Names that stand for yes or no in a build: FULL_MODE, HOSTED and the like. */
export type Constants = Readonly<Record<string, boolean>>;

/** What esbuild is told to write for names, as far as it is yes or no. */
export const constantsOf = (define: Readonly<Record<string, string>> = {}): Constants =>
  Object.fromEntries(
    Object.entries(define).flatMap(([name, value]) =>
      /^\w+$/.test(name) && /^(?:true|false)$/.test(value) ? [[name, value === 'true']] : [],
    ),
  );

const inner = (node: unknown): Node => {
  const one = node as Node;
  return one.type === 'ParenthesizedExpression' ? inner(one['expression']) : one;
};

/** What an expression comes to by the constants alone; undefined where it hangs on more. */
function known(expression: unknown, constants: Constants): boolean | undefined {
  const node = inner(expression);
  if (node.type === 'Identifier') return constants[String(node['name'])];
  if (node.type === 'UnaryExpression' && node['operator'] === '!') {
    const value = known(node['argument'], constants);
    return value === undefined ? undefined : !value;
  }
  if (node.type !== 'LogicalExpression' || node['operator'] === '??') return undefined;
  const sides = [known(node['left'], constants), known(node['right'], constants)];
  const decides = node['operator'] === '||';
  if (sides.includes(decides)) return decides;
  return sides.includes(undefined) ? undefined : !decides;
}

/** The part of a node that can never run. */
function deadIn(node: Node, constants: Constants): unknown {
  if (node.type === 'LogicalExpression' && node['operator'] !== '??')
    return known(node['left'], constants) === (node['operator'] === '||') ? node['right'] : null;
  if (node.type !== 'ConditionalExpression' && node.type !== 'IfStatement') return null;
  const value = known(node['test'], constants);
  return value === undefined ? null : value ? node['alternate'] : node['consequent'];
}

/**
 * Blanks what the constants cut away, before anybody looks at what a file uses: esbuild takes it away as well, but goes on
 * counting its imports, so that they lie with a screen that never calls them. Every place in the text stays what it was.
 */
export function withoutDead(file: string, text: string, constants: Constants): string {
  if (!Object.keys(constants).some((name) => text.includes(name))) return text;
  const { program, errors } = parseSync(file, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const edits: Edit[] = [];
  for (const node of nodesIn(program as unknown as Node)) {
    const dead = deadIn(node, constants);
    if (!isNode(dead) || edits.some(({ start, end }) => start <= dead.start && dead.end <= end)) continue;
    const [by, { start, end }] = [node.type === 'IfStatement' ? '{}' : '0', dead];
    edits.push({ start, end, by: by + blank(text.slice(start + by.length, end)) });
  }
  return edited(
    text,
    edits.sort((a, b) => a.start - b.start),
  );
}
