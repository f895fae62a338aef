import { parseSync } from 'oxc-parser';
import { blank, edited, type Edit } from './edits.ts';
import { isNode, nodesIn, type Node } from './syntaxTree.ts';

/** What only the server and the document of the interface read of an endpoint. */
const SERVERS = new Set(['about', 'query', 'idempotent', 'isSecret', 'feature', 'stream', 'file']);

/**
 * A file of the contract as a page reads it: a call needs an endpoint's method, path, access and the schema of its reply, and
 * whether it has a body; what is sent is checked by types here and by the server there.
 */
export function wireOnly(file: string, text: string): string {
  const { program, errors } = parseSync(file, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const edits: Edit[] = [];
  for (const { type, callee, arguments: given } of nodesIn(program as unknown as Node)) {
    if (type !== 'CallExpression' || (callee as Node)['name'] !== 'endpoint') continue;
    const [config] = given as Node[];
    if (config?.type !== 'ObjectExpression') continue;
    for (const { start, end, key, value, shorthand } of config['properties'] as Node[]) {
      const name = isNode(key) ? String(key['name']) : '';
      // As long as before, so that places in the file stay what they are.
      if (SERVERS.has(name))
        edits.push({
          start,
          end: text.indexOf(',', end) === end ? end + 1 : end,
          by: blank(text.slice(start, text[end] === ',' ? end + 1 : end)),
        });
      if (name === 'body' && isNode(value)) {
        const was = text.slice(value.start, value.end);
        edits.push({
          start: value.start,
          end: value.end,
          by: `${shorthand === true ? 'body:' : ''}!0${blank(was).slice(2)}`,
        });
      }
    }
  }
  return edited(text, edits);
}
