import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { root } from '../bundles.ts';
import { constantsOf, withoutDead, type Constants } from './cut.ts';
import { blank, edited, type Edit } from './edits.ts';
import { isNode, nodesIn, type Node } from './syntaxTree.ts';
import { withNamespaces } from './packages.ts';
import { wireOnly } from './wire.ts';

/**
 * A bundler puts a whole file where any of its exports is needed: one atom of the trains in the cart brought all of the
 * trains. Here each declaration of these floors is a module of its own, so that each lies with the screens that use it
 * (src/decisions/2026-11-29-declarations.md). They have no styles, whose order would hang on the order of modules.
 */
const FLOORS = /[\\/]src[\\/](?:(?:api|bridge|contract|domain|state)[\\/].*|ui[\\/]pictures[\\/]icons)\.ts$/;
const CONTRACT = /[\\/]src[\\/]contract[\\/]/;
/** Before the declaration that a module is reduced to. */
const ONLY = '?only=';
/** Before the exports that are passed on of a file. */
const OF = '?of=';

const textOf = (node: unknown) => String((node as Node)['name'] ?? (node as Node)['value']);
const TYPES = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeArguments',
  'implements',
]);

/** A node and all below it that is there at run time, without names of properties. */
const valuesIn = (node: Node) =>
  nodesIn(
    node,
    (key, above) =>
      TYPES.has(key) ||
      ((key === 'property' || key === 'key') && above['computed'] !== true && above['shorthand'] !== true),
  );

const IDENTIFIERS = new Set(['Identifier', 'JSXIdentifier']);
const usedBy = new WeakMap<Node, readonly string[]>();
/** Each name that is used there, once; remembered, since each import of a file asks for those of the whole file. */
function namesIn(node: Node): readonly string[] {
  const held = usedBy.get(node);
  if (held !== undefined) return held;
  const used = valuesIn(node).flatMap((one) => (IDENTIFIERS.has(one.type) ? [String(one['name'])] : []));
  const made = [...new Set(used)];
  usedBy.set(node, made);
  return made;
}

/** The variables that a node gives another value. */
const assignedIn = (node: Node) =>
  valuesIn(node).flatMap((one) => {
    if (one.type === 'AssignmentExpression') return namesIn(one['left'] as Node);
    return one.type === 'UpdateExpression' ? namesIn(one['argument'] as Node) : [];
  });

/** What is taken of a name that stands for a whole file; null where it is used for more than its members. */
function membersOf(nodes: readonly Node[], name: string): readonly string[] | null {
  const members = new Set<string>();
  let uses = 0;
  for (const node of nodes.flatMap(valuesIn)) {
    if (IDENTIFIERS.has(node.type) && node['name'] === name) uses += 1;
    const object = node['object'];
    if (!isNode(object) || object['name'] !== name || node['computed'] === true) continue;
    members.add(textOf(node['property']));
    uses -= 1;
  }
  return uses === 0 ? [...members] : null;
}

const DECLARES = new Set(['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration']);
const IS_TYPE = /^TS(?:Interface|TypeAlias)/;

/** The names that a declaration declares; null where it takes a value apart. */
function declaredBy(declaration: Node): readonly string[] | null {
  if (declaration.type !== 'VariableDeclaration') return [textOf(declaration['id'])];
  const ids = (declaration['declarations'] as Node[]).map(({ id }) => id as Node);
  return ids.every(({ type }) => type === 'Identifier') ? ids.map(textOf) : null;
}

interface Declared {
  readonly statement: Node;
  readonly names: readonly string[];
  readonly isExported: boolean;
  readonly uses: ReadonlySet<string>;
  readonly assigns: readonly string[];
}

/** The statement as a declaration; 'nothing' at run time; null where the file cannot be taken apart. */
function read(statement: Node): Declared | 'nothing' | null {
  const isExported = statement.type === 'ExportNamedDeclaration';
  const declaration = isExported ? statement['declaration'] : statement;
  if (!isNode(declaration)) return null;
  if (IS_TYPE.test(declaration.type) || declaration['declare'] === true) return 'nothing';
  const names = DECLARES.has(declaration.type) ? declaredBy(declaration) : null;
  if (names === null) return null;
  return { statement, names, isExported, uses: new Set(namesIn(declaration)), assigns: assignedIn(declaration) };
}

/** Declarations that need one another, or share a variable that changes, in groups; each in the file's order. */
function grouped(all: readonly Declared[]): readonly (readonly Declared[])[] {
  const owner = new Map(all.flatMap(({ names }, at) => names.map((name) => [name, at] as const)));
  const needs = all.map(({ uses }) => new Set([...uses].flatMap((name) => owner.get(name) ?? [])));
  // A variable changes only in the module that declares it, so that the two need one another.
  all.forEach(({ assigns }, at) => {
    for (const name of assigns) needs[owner.get(name) ?? at]?.add(at);
  });
  const reached = needs.map((_, from) => {
    const seen = new Set<number>();
    const visit = (at: number) => {
      for (const next of needs[at] ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          visit(next);
        }
    };
    visit(from);
    return seen;
  });
  const groups = all.map((_, at) =>
    all.flatMap((__, one) => (one === at || (reached[at]?.has(one) && reached[one]?.has(at)) ? [one] : [])),
  );
  return groups.filter((group, at) => group[0] === at).map((group) => group.map((at) => all[at] as Declared));
}

/** A file taken apart. */
interface Apart {
  readonly text: string;
  readonly imports: readonly Node[];
  readonly passedOn: readonly Node[];
  readonly groups: readonly (readonly Declared[])[];
  /** By what is declared, the declaration that names its module. */
  readonly partOf: ReadonlyMap<string, string>;
}

/** All secrets of a file are known before the device's are opened (state/lib/secretStorage.ts). */
const KEEPS_A_SECRET = /\bsecret: true\b/;

/** Takes a file apart; null where it has fewer than two declarations, or does something beside declaring. */
function apart(text: string, body: readonly Node[]): Apart | null {
  if (KEEPS_A_SECRET.test(text)) return null;
  const imports = body.filter(({ type }) => type === 'ImportDeclaration');
  if (imports.some(({ specifiers }) => (specifiers as Node[]).length === 0)) return null;
  const passedOn = body.filter(({ type, source }) => type === 'ExportNamedDeclaration' && isNode(source));
  const rest = body.filter((one) => !imports.includes(one) && !passedOn.includes(one)).map(read);
  if (rest.includes(null)) return null;
  const groups = grouped(rest.filter((one) => one !== 'nothing' && one !== null));
  if (groups.length < 2) return null;
  const partOf = new Map(
    groups.flatMap((group) => group.flatMap(({ names }) => names.map((name) => [name, partName(group)] as const))),
  );
  return { text, imports, passedOn, groups, partOf };
}

const partName = (group: readonly Declared[]) => group[0]?.names[0] as string;

interface SourceFile {
  readonly plain: string;
  readonly body: readonly Node[];
  readonly text: string;
  readonly apart: Apart | null;
}

/** What a build has read, so that a file is read once however many import it. */
interface Sources {
  readonly constants: Constants;
  readonly files: Map<string, Promise<SourceFile>>;
}

/** What earlier builds made of files that have not changed since. */
const parsed = new Map<string, SourceFile>();

function fileAt(file: string, { files, constants }: Sources): Promise<SourceFile> {
  const held = files.get(file) ?? readFileAt(file, constants);
  files.set(file, held);
  return held;
}

async function readFileAt(file: string, constants: Constants): Promise<SourceFile> {
  const name = path.relative(root, file);
  const plain = withoutDead(name, await readFile(file, 'utf8'), constants);
  const held = parsed.get(file);
  if (held?.plain === plain) return held;
  const styled = file.endsWith('x') ? withNamespaces(name, plain, (asked) => asked.endsWith('.module.css')) : plain;
  const text = CONTRACT.test(file) ? wireOnly(name, styled) : styled;
  const { program, errors } = parseSync(name, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const body = program.body as unknown as readonly Node[];
  const made = { plain, text, body, apart: FLOORS.test(file) ? apart(text, body) : null };
  parsed.set(file, made);
  return made;
}

/** What an import statement becomes, when only `users` use what it imports: each declaration comes from its own module. */
async function imported(
  file: string,
  statement: Node,
  users: readonly Node[],
  sources: Sources,
): Promise<string | null> {
  const asked = textOf(statement['source']);
  if (statement['importKind'] === 'type') return '';
  if (!asked.startsWith('.')) return null;
  const specifiers = statement['specifiers'] as Node[];
  const used = new Set(users.flatMap(namesIn));
  if (specifiers.length > 0 && !specifiers.some(({ local }) => used.has(textOf(local)))) return '';
  const target = path.resolve(path.dirname(file), asked);
  const whole = FLOORS.test(target) ? (await fileAt(target, sources)).apart : null;
  if (whole === null) return null;
  const by = new Map<string, string[]>();
  for (const one of specifiers) {
    const local = textOf(one['local']);
    if (one['importKind'] === 'type' || !used.has(local)) continue;
    if (one.type === 'ImportNamespaceSpecifier') {
      const members = membersOf(users, local);
      return `import*as ${local} from${JSON.stringify(members === null ? asked : `${asked}${OF}${members.join('+')}`)};`;
    }
    const name = textOf(one['imported']);
    const part = whole.partOf.get(name);
    const from = part === undefined ? `${asked}${OF}${name}` : `${asked}${ONLY}${part}`;
    (by.get(from) ?? by.set(from, []).get(from))?.push(`${name} as ${local}`);
  }
  return [...by].map(([from, names]) => `import{${names}}from${JSON.stringify(from)};`).join('');
}

/** As many lines as before: what follows stays where it is in its file. */
async function importEdits(
  file: string,
  text: string,
  statements: readonly Node[],
  users: readonly Node[],
  sources: Sources,
): Promise<Edit[]> {
  const all = statements.map(async (one) => ({ ...one, by: await imported(file, one, users, sources) }));
  return (await Promise.all(all)).flatMap(({ start, end, by }) =>
    by === null ? [] : [{ start, end, by: by + text.slice(start, end).replace(/[^\n]/g, '') }],
  );
}

/** One module of a file; all else is blank, so that places in it stay what they are. */
async function part(
  file: string,
  { text, imports, groups, partOf }: Apart,
  name: string,
  sources: Sources,
): Promise<string | undefined> {
  const group = groups.find((one) => partName(one) === name);
  if (group === undefined) return undefined;
  const uses = new Set(group.flatMap((one) => [...one.uses]));
  const users = group.map(({ statement }) => statement);
  const needed = imports.filter(({ specifiers }) =>
    (specifiers as Node[]).some(({ local }) => uses.has(textOf(local))),
  );
  let at = 0;
  const places = [...needed, ...users, { start: text.length, end: text.length }].sort((a, b) => a.start - b.start);
  const gaps = places.map(({ start, end }) => {
    const gap = { start: at, end: start, by: blank(text.slice(at, start)) };
    at = end;
    return gap;
  });
  const siblings = [...partOf].flatMap(([one, from]) =>
    from !== name && uses.has(one)
      ? [`import{${one}}from${JSON.stringify(`./${path.basename(file)}${ONLY}${from}`)};`]
      : [],
  );
  const hidden = group.filter(({ isExported }) => !isExported).flatMap(({ names }) => names);
  return `${edited(text, [...gaps, ...(await importEdits(file, text, needed, users, sources))])}${siblings.join('')}export{${hidden}};`;
}

/** What passes on some exports of a file, or all. */
function facade(file: string, { text, passedOn, groups }: Apart, wanted: readonly string[] | null): string {
  const lines = groups.flatMap((group) => {
    const names = group.flatMap((one) => (one.isExported ? one.names : []));
    const given = names.filter((name) => wanted === null || wanted.includes(name));
    return given.length > 0
      ? [`export{${given}}from${JSON.stringify(`./${path.basename(file)}${ONLY}${partName(group)}`)};`]
      : [];
  });
  const others = passedOn.map((one) => text.slice(one.start, one.end));
  return [...others, ...lines].join('\n');
}

async function contentsOf(file: string, suffix: string, sources: Sources): Promise<string | undefined> {
  const whole = await fileAt(file, sources);
  if (whole.apart !== null) {
    if (suffix.startsWith(ONLY)) return await part(file, whole.apart, suffix.slice(ONLY.length), sources);
    return facade(file, whole.apart, suffix.startsWith(OF) ? suffix.slice(OF.length).split('+') : null);
  }
  const isImport = ({ type }: Node) => type === 'ImportDeclaration';
  const users = whole.body.filter((one) => !isImport(one));
  return edited(whole.text, await importEdits(file, whole.text, whole.body.filter(isImport), users, sources));
}

/** The file of a source that esbuild names: of a part, the file that it is taken from. */
export const fileOfPart = (source: string): string => source.replace(/\?(?:only|of)=.*$/, '');

/** esbuild's account of a build by files, as if none had been taken apart. */
export function byFile({ inputs, outputs }: Metafile): Metafile {
  const whole: Metafile = { inputs: {}, outputs: {} };
  for (const [source, { bytes, imports }] of Object.entries(inputs)) {
    const into = (whole.inputs[fileOfPart(source)] ??= { bytes, imports: [] });
    into.imports.push(...imports.map((one) => ({ ...one, path: fileOfPart(one.path) })));
  }
  for (const [name, output] of Object.entries(outputs)) {
    const own: typeof output.inputs = {};
    for (const [source, { bytesInOutput }] of Object.entries(output.inputs))
      (own[fileOfPart(source)] ??= { bytesInOutput: 0 }).bytesInOutput += bytesInOutput;
    whole.outputs[name] = { ...output, inputs: own };
  }
  return whole;
}

/** Each declaration of the floors below the screens as a module of its own. */
export const declarations: Plugin = {
  name: 'declarations',
  setup(build) {
    const sources: Sources = { constants: constantsOf(build.initialOptions.define), files: new Map() };
    // A watcher builds again when a file has changed.
    build.onStart(() => sources.files.clear());
    build.onResolve({ filter: /\?(?:only|of)=/ }, ({ path: asked, resolveDir }) => {
      const at = asked.indexOf('?');
      return { path: path.resolve(resolveDir, asked.slice(0, at)), suffix: asked.slice(at), sideEffects: false };
    });
    build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file, suffix }) => {
      const contents = await contentsOf(file, suffix, sources);
      if (contents === undefined) return { errors: [{ text: `${file} has no ${suffix}.` }] };
      return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
    });
    // What zodMini.ts lacks of zod would be undefined in the page.
    build.onEnd(({ warnings }) => ({
      errors: warnings.filter(
        ({ id, location }) => id === 'import-is-undefined' && location?.file.startsWith('node_modules') === false,
      ),
    }));
  },
};
