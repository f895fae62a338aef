import { floorOf, type Source } from './sources.ts';
import { placeOf, visit, type Node } from './syntax.ts';

const TALKING = ['domain', 'ui', 'state', 'screens', 'shell', 'server'];
/** Whose words are for developers, for machines, or for what stands in for the outside world. */
const FOR_OTHERS = [
  /^src\/server\/store\//,
  // What an operator reads.
  /^src\/server\/operations\//,
  // The imitated outside world has words of its own, but for what it says through our answers.
  /^src\/server\/vendors\/(?!cards\.ts$)/,
  /^src\/server\/(environment|main|http\/(openapi|log|metrics|tiles|compression|pages\/simulator))\.ts$/,
  // For operators.
  /^src\/server\/(commands\/|rules\/help\/operatorDesk\.ts$|rules\/experiments\/|rules\/shopfront\/|rules\/catalogue\/(changes|problems)\.ts$)/,
  // Files of a build, for browsers; it says something to whoever has not built yet. And marks for search engines.
  /^src\/server\/http\/pages\/(builtFolder|bundlePages|seo|structured|preview|notFound)\.ts$/,
  // Drawings, with names of places from the data.
  /^src\/server\/rules\/places\/tiles\.ts$/,
  // Kinds and colours of toppings, drawn.
  /^src\/ui\/(food\/\w+|overlays\/confetti)\.tsx?$/,
  // What usage tracking and the points ledger call things, whatever the language.
  /^src\/domain\/(pagenames|loyalty)\.ts$/,
  // Words that typed addresses are read by, and meanings by their names; nobody is shown them.
  /^src\/domain\/(doorText|chat\/intents)\.ts$/,
  // What programs of others are told of a call; what they say to a customer stands in the catalogues.
  /^src\/server\/http\/(assistants\/assistant(Door|Tools)|ucp\/ucpTools)\.ts$/,
  // /ready, for whoever runs the server.
  /^src\/server\/http\/readiness\.ts$/,
];

/** The floors that say something. */
export const isTalking = ({ file }: Source) =>
  (TALKING.includes(floorOf(file) ?? '') || /^hosts\/\w+\/server\.ts$/.test(file)) &&
  FOR_OTHERS.every((pattern) => !pattern.test(file));

/** Fields and attributes that a customer reads or hears, even when they are one word. */
const READ = /^(aria-label|alt|placeholder|title|label|text|header|message|detail|subtitle|note|zero|action)$/;
const TWO_WORDS = /\p{L}{2,}[’'\p{L}]*[,.:;!?…]?\s+[“(]?\p{L}{2,}/u;
/** What the search is asked with; names of states, headers and their values, queries of a stylesheet, events: no sentences. */
const NAMES = new Set(['American Express', 'Google Pay', 'Apple Pay', 'Golden Oven Pizza', 'Doorkey', 'allergic to']);
const NO_SENTENCE =
  /^[\p{Lu}\s]+$|^MX X[a-z][X\d]|^[\w/+-]+; ?charset=|^\(?prefers-|^\(pointer: |^(public|no-store|default-src)\b|\bAccept-Encoding\b|^event: \w+\nid: |^Error FrontEnd$/u;
const A_WORD = /^\p{Lu}\p{Ll}+[.…!?:]?$/u;

const isEmbedded = (object: Node): boolean =>
  (object['properties'] as Node[]).some((one) => {
    const [key, value] = [one['key'] as Node | undefined, one['value'] as Node | undefined];
    return key?.['name'] === 'embedded' && value?.['value'] === true;
  });

/** Where words are for developers: thrown errors, log lines, types, imports. */
function isForDevelopers(above: readonly Node[]): boolean {
  return above.some((node) => {
    if (/^(TS\w*Type|TSLiteralType|ImportDeclaration|ExportNamedDeclaration\.source)$/.test(node.type)) return true;
    const callee = (node['callee'] as Node | undefined) ?? undefined;
    // What an error of our own hands to Error.
    if (node.type === 'CallExpression' && callee?.type === 'Super') return true;
    // Variables of the environment, and how the simulator draws a host.
    if (node.type === 'CallExpression' && callee?.['name'] === 'provider') return true;
    if (node.type === 'Property' && (node['key'] as Node)['name'] === 'app') return true;
    // A route of what stands in for a vendor.
    if (node.type === 'ObjectExpression' && isEmbedded(node)) return true;
    if (node.type === 'NewExpression') return /Error$|^Not(Vouched|Believed)$/.test(String(callee?.['name']));
    if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
    const object = callee['object'] as Node;
    return /^(console|log)$/.test(String(object['name'] ?? (object['property'] as Node | undefined)?.['name']));
  });
}

/** What a customer would read of a node, or null. */
function wordsOf(node: Node, [parent, ...rest]: readonly Node[]): string | null {
  if (node.type === 'JSXText')
    return /\p{L}{2,}/u.test(node['value'] as string) ? (node['value'] as string).trim() : null;
  const text =
    node.type === 'Literal' && typeof node['value'] === 'string'
      ? node['value']
      : node.type === 'TemplateLiteral'
        ? (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('X')
        : null;
  if (text === null || isForDevelopers([parent!, ...rest])) return null;
  if (NO_SENTENCE.test(text) || NAMES.has(text)) return null;
  if (TWO_WORDS.test(text)) return text;
  const field = parent?.type === 'JSXAttribute' || parent?.type === 'Property' ? parent : undefined;
  const key = (field?.['name'] ?? field?.['key']) as { name?: unknown; value?: unknown } | undefined;
  return READ.test(String(key?.name ?? key?.value)) && A_WORD.test(text) ? text : null;
}

/** What a customer would read in a file and no catalogue says, as 'file:line: words'. */
export function sentencesIn(source: Source): string[] {
  const found: string[] = [];
  visit(source, (node, above) => {
    const words = wordsOf(node, above);
    if (words !== null) found.push(`${placeOf(source, node)}: ${words}`);
  });
  return found;
}
