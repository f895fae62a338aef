import { parseSync } from 'oxc-parser';
import { edited, type Edit } from './edits.ts';
import { isNode, nodesIn, type Node } from './syntaxTree.ts';

/**
 * What ky and Jotai do that nobody here asks of them, and what of their files makes that dead: the bundler then leaves out all
 * that only this called (src/decisions/2026-11-30-parts-of-packages.md). A newer version that lacks one of these places stops
 * the build.
 */
interface Part {
  /** Sources that may not have `sign`: test/architecture/packageParts.test.ts reads them. */
  readonly callers: RegExp;
  readonly sign: RegExp;
  /** By file, how statements begin that nothing comes to; with what stands there instead, if anything. */
  readonly statements?: Readonly<Record<string, readonly (string | readonly [beginning: string, by: string])[]>>;
  /** By file, what variables are, and bodies of functions and methods; GONE for a method that nobody calls then. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const KY = 'ky/distribution/core/Ky.js';
const CONSTANTS = 'ky/distribution/core/constants.js';
const [STORE, ATOMS, HOOKS] = ['jotai/esm/vanilla/internals.mjs', 'jotai/esm/vanilla.mjs', 'jotai/esm/react.mjs'];
const GONE = '';
/** All calls go through one of these files. */
const CALLS = /^src\/api\//;
const PAGES = /^(?:src\/(?:state|shell|screens|ui)|hosts)\//;

export const PACKAGE_PARTS: Readonly<Record<string, Part>> = {
  'instances of ky, and methods by name': {
    callers: CALLS,
    sign: /\bky\.\w/,
    values: {
      'ky/distribution/index.js': { createInstance: '() => (input, options) => Ky.create(input, options)' },
      'ky/distribution/utils/merge.js': {
        mergeHeaders: '(_, own) => new Headers(own)',
        mergeHooks: '(none, own) => ({ ...none, ...own })',
      },
      [CONSTANTS]: { stop: 'null' },
    },
    statements: { [CONSTANTS]: ['validate();'] },
  },
  'requests and addresses as objects, addresses with a prefix': {
    callers: CALLS,
    sign: /\bnew (?:Request|URL)\(|\bprefixUrl\b/,
    statements: {
      [KY]: [
        "if (typeof this.#input !== 'string'",
        "if (this.#options.prefixUrl && typeof this.#input === 'string')",
        'const userProvidedContentType =',
        'if (this.#input instanceof globalThis.Request',
      ],
    },
  },
  'queries that are no text': {
    callers: CALLS,
    sign: /\bsearchParams: (?!search\.toString\(\))/,
    values: {
      [KY]: { '#normalizeSearchParams': '{}' },
      'ky/distribution/utils/options.js': { hasSearchParameters: '(search) => search' },
    },
  },
  'methods in small letters, one number for a retry': {
    callers: CALLS,
    sign: /\bmethod: (?!endpoint\.method)|\bretry: (?!\{)/,
    values: {
      'ky/distribution/utils/normalize.js': {
        normalizeRequestMethod: '(method) => method',
        normalizeRetryOptions: '(retry) => ({ ...defaultRetryOptions, ...retry })',
      },
    },
  },
  'options of other fetches': {
    callers: CALLS,
    sign: /\bfetch: |\bdispatcher\b|\bpriority\b|\bnext: |\bcontext: /,
    values: { 'ky/distribution/utils/options.js': { findUnknownOptions: '() => ({})' } },
  },
  'bodies by the answer, as ky().json()': {
    callers: CALLS,
    sign: /\bky\([^;]*\)\s*\.\w|\b(?:parse|stringify)Json\b/,
    values: { [KY]: { '#decorateResponse': GONE } },
    statements: {
      [KY]: ['ky.#decorateResponse(response);', 'for (const [type, mimeType] of Object.entries(responseTypes))'],
    },
  },
  'progress of what is sent or comes': {
    callers: CALLS,
    sign: /\bon(?:Up|Down)loadProgress\b/,
    values: {
      [KY]: { '#wrapRequestWithUploadProgress': GONE },
      [CONSTANTS]: {
        supportsRequestStreams: 'false',
        supportsResponseStreams: 'false',
        supportsFormData: 'false',
        usualFormBoundarySize: '0',
      },
    },
    statements: {
      [KY]: [
        'if (ky.#options.onDownloadProgress)',
        'if (this.#options.onUploadProgress)',
        'if (supportsRequestStreams)',
      ],
    },
  },
  'hooks but the one before a retry, which answers nothing': {
    callers: CALLS,
    sign: /\b(?:beforeRequest|afterResponse|beforeError|shouldRetry)\b|\bbeforeRetry: (?!\[\(\) => config\.retrying\?\.\(\)\])/,
    values: {
      [KY]: { '#cancelResponseBody': GONE, '#assignRequest': GONE, '#getNormalizedOptions': '{ return {}; }' },
    },
    statements: {
      [KY]: [
        'for (const hook of ky.#options.hooks.afterResponse)',
        'for (const hook of ky.#options.hooks.beforeError)',
        'for (const hook of this.#options.hooks.beforeRequest)',
        'const errorObject =',
        'if (errorObject instanceof ForceRetryError)',
        'if (this.#options.retry.shouldRetry !== undefined)',
        'if (error instanceof ForceRetryError && error.customRequest)',
        'if (hookResult instanceof globalThis.Request)',
        'if (hookResult instanceof globalThis.Response)',
        'if (hookResult === stop)',
      ],
    },
  },
  'atoms that are read asynchronously, or hold promises': {
    callers: PAGES,
    sign: /\batom\(\s*async\b|\bsetSelf\b|'jotai\/utils'/,
    values: {
      [STORE]: {
        options: 'void 0',
        BUILDING_BLOCK_registerAbortHandler: '0',
        BUILDING_BLOCK_abortPromise: '0',
        getMountedOrPendingDependents: '{ return mountedMap.get(atom)?.t ?? []; }',
      },
      [HOOKS]: { use: '0' },
    },
    statements: {
      [STORE]: [
        'let controller;',
        'let setSelf;',
        'const registerAbortHandler =',
        'const abortPromise =',
        'if (isPromiseLike(atomState.v))',
        ['if (isPromiseLike(valueOrPromise)) {\n      registerAbortHandler(', 'pruneDependencies();'],
        'if (isPromiseLike(valueOrPromise)) {\n    for (',
        'if (isPromiseLike(prevValue))',
      ],
      [HOOKS]: ['if (promiseStatus) {\n        try', 'if (isPromiseLike(value)) {\n    const promise'],
    },
  },
  'delays, stores of a hook of its own, trees without a store': {
    callers: PAGES,
    sign: /\buse(?:Atom|AtomValue|SetAtom)\([^()]*, \{|\buseStore\([^)]|\bgetDefaultStore\b|<Provider>/,
    values: {
      [HOOKS]: {
        useStore: '{ return useContext(StoreContext); }',
        Provider: '{ return createElement(StoreContext.Provider, { value: store }, children); }',
      },
    },
    statements: {
      [HOOKS]: [
        ['const { delay, unstable_promiseStatus', 'const delay = 0, promiseStatus = 0;'],
        'if (typeof delay === "number")',
        'useDebugValue(value);',
      ],
    },
  },
  'stores that are watched, or made otherwise': {
    callers: PAGES,
    sign: /\bINTERNAL_|'jotai\/vanilla/,
    values: { [STORE]: { BUILDING_BLOCK_atomOnInit: '0' } },
    statements: {
      [ATOMS]: ['if (overriddenCreateStore)'],
      [STORE]: [
        '(_a = storeHooks.',
        '(_b = storeHooks.',
        'const storeHooks =',
        'const atomOnInit =',
        'if (storeHooks.f)',
        'if (hasOnInit(atom))',
        ['if (!storeHooks.f &&', 'if (!changedAtoms.size && !mountCallbacks.size && !unmountCallbacks.size) return;'],
      ],
    },
  },
};

/** What stands behind a name: a function's or method's body, or the value of a variable. */
function valueOf(node: Node): readonly [name: string, place: Node] | null {
  const { type, id, init, key, value, body } = node;
  if (type === 'FunctionDeclaration' && isNode(id) && isNode(body)) return [String(id['name']), body];
  if (type === 'VariableDeclarator' && isNode(id) && isNode(init)) return [String(id['name']), init];
  if (type !== 'MethodDefinition' || !isNode(key) || !isNode(value) || !isNode(value['body'])) return null;
  return [`${key.type === 'PrivateIdentifier' ? '#' : ''}${String(key['name'])}`, value['body']];
}

/**
 * A file of these packages without the parts that nobody asks for.
 * @param file below node_modules
 * @throws Error where it lacks one of their places
 */
export function withoutPackageParts(file: string, text: string): string {
  const parts = Object.values(PACKAGE_PARTS);
  const values = new Map(parts.flatMap((part) => Object.entries(part.values?.[file] ?? {})));
  const statements = parts
    .flatMap((part) => part.statements?.[file] ?? [])
    .map((one) => (typeof one === 'string' ? ([one, GONE] as const) : one));
  const left = new Set([...values.keys(), ...statements.map(([beginning]) => beginning)]);
  if (left.size === 0) return text;
  const { program, errors } = parseSync(file, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const edits: Edit[] = [];
  // What stands inside of something that goes is visited after it.
  const put = ({ start, end }: Node, by: string) => {
    if (!edits.some((one) => one.start <= start && end <= one.end)) edits.push({ start, end, by });
  };
  for (const node of nodesIn(program as unknown as Node)) {
    const [name = '', place = node] = valueOf(node) ?? [];
    const value = values.get(name);
    if (value !== undefined) {
      left.delete(name);
      put(value === GONE ? node : place, value);
    }
    if (!/Statement$|^VariableDeclaration$/.test(node.type)) continue;
    const [beginning = '', by = GONE] = statements.find(([one]) => text.startsWith(one, node.start)) ?? [];
    if (beginning === '') continue;
    left.delete(beginning);
    put(node, by);
  }
  if (left.size > 0) throw new Error(`${file} has no ${[...left].join(', no ')} (src/build/rewrite/packageParts.ts).`);
  return edited(text, edits);
}
