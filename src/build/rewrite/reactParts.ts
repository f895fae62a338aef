import { parseSync } from 'oxc-parser';
import { edited, type Edit } from './edits.ts';
import { isNode, nodesIn, type Node } from './syntaxTree.ts';

/**
 * What React's renderer is for that no page here asks for, and what of `react-dom-client.production.js` that makes dead. The
 * bundler then leaves out all that only this called: 11 KB gzip of the first load (2026-11-30-parts-of-react.md). Names are
 * those of React's own file: one that a newer version lacks stops the build.
 */
interface Part {
  /** What a source has that uses it: test/architecture/reactParts.test.ts finds none. */
  readonly sign: RegExp;
  /** Constants of the elements that nobody makes. */
  readonly elements?: readonly string[];
  readonly hooks?: readonly string[];
  /** Functions that have nothing to do, or answer the same to everybody, by what they answer. */
  readonly functions?: Readonly<Record<string, string>>;
  /** Variables that keep their first value. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Things that only a function of `functions` makes, whose methods nobody calls. */
  readonly classes?: readonly string[];
  /** Cases of a switch in a function. */
  readonly cases?: readonly (readonly [inside: string, value: number])[];
}

const NOTHING = '';

export const PARTS: Readonly<Record<string, Part>> = {
  'elements of other kinds': {
    sign: /\b(?:Activity|Profiler|SuspenseList)\b[^;'"]*\} from 'react'|<(?:\w+\.Consumer|Activity|Profiler|SuspenseList)\b/,
    elements: [
      'REACT_ACTIVITY_TYPE',
      'REACT_PROFILER_TYPE',
      'REACT_SUSPENSE_LIST_TYPE',
      'REACT_LEGACY_HIDDEN_TYPE',
      'REACT_CONSUMER_TYPE',
    ],
  },
  portals: {
    sign: /\bcreatePortal\b/,
    elements: ['REACT_PORTAL_TYPE'],
    functions: { createFiberFromPortal: 'return null' },
  },
  'transitions that wait for an answer': {
    sign: /\bstartTransition\(async\b|\buseTransition\b/,
    functions: { entangleAsyncAction: NOTHING },
  },
  'view transitions': {
    sign: /\b(?:ViewTransition|addTransitionType)\b/,
    elements: ['REACT_VIEW_TRANSITION_TYPE'],
    functions: {
      accumulateSuspenseyCommitOnFiber: NOTHING,
      claimQueuedTransitionTypes: 'return null',
      commitExitViewTransitions: NOTHING,
      commitNestedViewTransitions: NOTHING,
      maySuspendCommit: 'return !1',
      onUnsuspend: NOTHING,
      preloadInstanceAndSuspendIfNeeded: NOTHING,
      queueTransitionTypes: NOTHING,
      startViewTransition: 'return null',
      trackEnterViewTransitions: NOTHING,
      waitForCommitToBeReady: 'return null',
    },
    variables: {
      appearingViewTransitions: 'null',
      inUpdateViewTransition: '!1',
      pendingViewTransition: 'null',
      pendingViewTransitionEvents: 'null',
      rootViewTransitionAffected: '!1',
      shouldStartViewTransition: '!1',
      viewTransitionCancelableChildren: 'null',
      viewTransitionMutationContext: '!1',
    },
    classes: ['ViewTransitionPseudoElement'],
  },
  'references to fragments': {
    sign: /<Fragment\b[^>]*\sref=/,
    functions: {
      commitFragmentInstanceDeletionEffects: NOTHING,
      commitFragmentInstanceInsertionEffects: NOTHING,
      commitNewChildToFragmentInstances: NOTHING,
      isFragmentInstanceParent: 'return !1',
    },
    classes: ['FragmentInstance'],
    cases: [['safelyAttachRef', 7]],
  },
  'elements of the page head, and whole pages': {
    sign: /<(?:title|meta|link|style|script|html|head|body)\b[^>]*>/,
    functions: {
      getHoistableRoot: 'return null',
      isHostHoistableType: 'return !1',
      isSingletonScope: 'return !1',
      preconnect: NOTHING,
      prefetchDNS: NOTHING,
      preinitModuleScript: NOTHING,
      preinitScript: NOTHING,
      preinitStyle: NOTHING,
      preload: NOTHING,
      preloadModule: NOTHING,
    },
    variables: { currentHoistableRoot: 'null' },
  },
  'elements of our own names': {
    sign: /<[a-z]+-[a-z]|customElements/,
    functions: { isCustomElement: 'return !1', setPropOnCustomElement: NOTHING },
  },
  'functions as actions of forms': {
    sign: /\b(?:useActionState|useFormState|useFormStatus|useOptimistic|requestFormReset|formAction)\b|<form\b[^>]*\saction=\{(?!href\()/,
    hooks: ['useActionState', 'useFormState', 'useHostTransitionStatus', 'useOptimistic'],
    functions: { extractEvents$1: NOTHING, requestFormReset: NOTHING, startHostTransition: NOTHING },
  },
  'hooks that nobody has': {
    sign: /\b(?:useImperativeHandle|useTransition|useCacheRefresh|useMemoCache|cacheSignal)\b/,
    hooks: ['useCacheRefresh', 'useImperativeHandle', 'useMemoCache', 'useTransition'],
  },
  'events that nobody hears': {
    sign: /\bon(?:BeforeInput|Composition\w+|Select|(?:Mouse|Pointer)(?:Enter|Leave))(?:Capture)?=/,
    functions: {
      accumulateEnterLeaveListenersForEvent: NOTHING,
      constructSelectEvent: NOTHING,
      getFallbackBeforeInputChars: 'return null',
      getNativeBeforeInputChars: 'return null',
      isFallbackCompositionEnd: 'return !1',
    },
  },
  'the names of components in an error': {
    sign: /\b(?:componentStack|captureOwnerStack|findDOMNode)\b/,
    functions: { getStackByFiberInDevAndProd: 'return ""', 'ReactDOMSharedInternals.findDOMNode': 'return null' },
  },
};

const all = Object.values(PARTS);
const ELEMENTS = new Set(all.flatMap(({ elements = [] }) => elements));
const HOOKS = new Set(all.flatMap(({ hooks = [] }) => hooks));
const FUNCTIONS = new Map(all.flatMap(({ functions = {} }) => Object.entries(functions)));
const VARIABLES = new Map(all.flatMap(({ variables = {} }) => Object.entries(variables)));
const CLASSES = new Set(all.flatMap(({ classes = [] }) => classes));
const CASES = all.flatMap(({ cases = [] }) => cases);

const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : '');
const numberOf = (node: unknown) =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'number' ? node['value'] : null;
/** `some.tag`, or a variable that holds it: the kind of a fiber. */
const isKind = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'MemberExpression'
    ? nameOf(node['property']) === 'tag'
    : node.type === 'Identifier' && /^(?:tag|nodeTag|grandTag)$/.test(nameOf(node)));

const ENDS = new Set(['BreakStatement', 'ReturnStatement', 'ThrowStatement', 'ContinueStatement']);
const isEnd = (list: readonly Node[]): boolean => {
  const last = list.at(-1);
  return (
    last !== undefined && (ENDS.has(last.type) || (last.type === 'BlockStatement' && isEnd(last['body'] as Node[])))
  );
};

/** Kinds of fibers that the file makes somewhere. What it only compares with, nobody ever is. */
function kindsMade(nodes: readonly Node[], isGone: (node: Node) => boolean): ReadonlySet<number> {
  const made = new Set([HOST_ELEMENT]);
  for (const node of nodes) {
    const { type, callee, left, operator, right, id, init } = node;
    const given =
      type === 'CallExpression' && nameOf(callee) === 'createFiberImplClass'
        ? (node['arguments'] as Node[])[0]
        : type === 'AssignmentExpression' && operator === '=' && (isKind(left) || nameOf(left) === 'fiberTag')
          ? right
          : type === 'VariableDeclarator' && nameOf(id) === 'fiberTag'
            ? init
            : null;
    for (const one of isNode(given) && !isGone(given) ? nodesIn(given) : []) {
      const kind = numberOf(one);
      if (kind !== null && !isGone(one)) made.add(kind);
    }
  }
  return made;
}

/** Numbers of other things named `tag` are below it. */
const FIRST_KIND = 4;
const HOST_ELEMENT = 5;

type Place = Pick<Node, 'start' | 'end'>;

class Cutting {
  readonly edits: Edit[] = [];
  readonly #left: Set<string>;
  readonly file: string;
  readonly text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.#left = new Set([...ELEMENTS, ...HOOKS, ...FUNCTIONS.keys(), ...VARIABLES.keys(), ...CLASSES]);
  }

  isGone({ start, end }: Place): boolean {
    return this.edits.some((one) => one.start <= start && end <= one.end);
  }

  put({ start, end }: Place, by: string): void {
    if (this.isGone({ start, end })) return;
    const inside = (one: Edit) => start <= one.start && one.end <= end;
    for (const one of this.edits.filter(inside)) this.edits.splice(this.edits.indexOf(one), 1);
    this.edits.push({ start, end, by });
  }

  found(name: string): void {
    this.#left.delete(name);
  }

  done(): string {
    if (this.#left.size > 0)
      throw new Error(`${this.file}: there is no ${[...this.#left].join(', ')} (src/build/rewrite/reactParts.ts).`);
    return edited(this.text, this.edits);
  }

  /** The variables that stand in what goes: others may use them, and none may become one of the page. */
  variablesIn(nodes: readonly Node[]): string {
    const names = nodes
      .flatMap((one) => nodesIn(one))
      .flatMap(({ type, id }) => (type === 'VariableDeclarator' ? [nameOf(id)] : []));
    return names.length > 0 ? `var ${[...new Set(names)].join(',')};` : '';
  }

  /** Takes cases out of a switch. What another case falls into stays, without its label. */
  cases(node: Node, isGone: (test: unknown) => boolean): void {
    const cases = node['cases'] as Node[];
    const bodyOf = (at: number) => cases[at]!['consequent'] as Node[];
    const isFallenInto = (at: number): boolean => {
      if (at === 0) return false;
      if (bodyOf(at - 1).length > 0) return !isEnd(bodyOf(at - 1));
      return !isGone(cases[at - 1]!['test']) || isFallenInto(at - 1);
    };
    for (const [at, { test, start, end }] of cases.entries()) {
      if (!isGone(test)) continue;
      const body = bodyOf(at);
      if (isFallenInto(at)) this.put({ start, end: body[0]?.start ?? end }, '');
      else {
        const variables = this.variablesIn(body);
        const isFirst = cases.slice(0, at).every((one) => isGone(one['test']));
        this.put({ start, end }, isFirst && variables !== '' ? `case "":${variables}break;` : variables);
      }
    }
  }
}

/** Makes functions empty, and takes what the table names out of their switches. */
function emptyFunction(cutting: Cutting, name: string, statement: Node, block: Node): void {
  const answer = FUNCTIONS.get(name);
  if (answer !== undefined) {
    cutting.found(name);
    cutting.put(block, `{${answer}}`);
  }
  const own = CASES.filter(([inside]) => inside === name);
  if (own.length === 0) return;
  for (const one of nodesIn(statement))
    if (one.type === 'SwitchStatement') cutting.cases(one, (test) => own.some(([, value]) => numberOf(test) === value));
}

/** What stands at the top of the file and is named in the table. */
function cutStatement(cutting: Cutting, statement: Node): void {
  const { type, id, expression, declarations } = statement;
  if (type === 'FunctionDeclaration') emptyFunction(cutting, nameOf(id), statement, statement['body'] as Node);
  if (type === 'VariableDeclaration')
    for (const one of declarations as Node[]) if (VARIABLES.has(nameOf(one['id']))) cutting.found(nameOf(one['id']));
  if (!isNode(expression) || expression.type !== 'AssignmentExpression') return;
  const [place, value] = [expression['left'] as Node, expression['right'] as Node];
  const name = cutting.text.slice(place.start, place.end);
  if (value.type === 'FunctionExpression') emptyFunction(cutting, name, statement, value['body'] as Node);
  const ofClass = [...CLASSES].find((one) => name.startsWith(`${one}.prototype.`));
  if (ofClass === undefined) return;
  cutting.found(ofClass);
  cutting.put(statement, '');
}

/** Elements that nobody makes become no fibers. */
function cutElements(cutting: Cutting, node: Node): void {
  const isElement = (test: unknown) => ELEMENTS.has(nameOf(test));
  const { type, left, right } = node;
  if (type === 'SwitchStatement') {
    for (const one of node['cases'] as Node[]) if (isElement(one['test'])) cutting.found(nameOf(one['test']));
    cutting.cases(node, isElement);
  }
  // An element of the head is one like every other.
  if (
    type === 'AssignmentExpression' &&
    nameOf(left) === 'fiberTag' &&
    (right as Node).type === 'ConditionalExpression'
  )
    cutting.put(right as Node, String(HOST_ELEMENT));
}

function cutKinds(cutting: Cutting, node: Node, isNever: (value: unknown) => boolean): void {
  const { type, left, right, operator } = node;
  if (type === 'SwitchStatement' && isKind(node['discriminant'])) cutting.cases(node, isNever);
  if (type !== 'BinaryExpression' || (operator !== '===' && operator !== '!==')) return;
  if ((isNever(left) && isKind(right)) || (isNever(right) && isKind(left)))
    cutting.put(node, operator === '===' ? '!1' : '!0');
}

function cutHooks(cutting: Cutting, { type, properties }: Node): void {
  const all = type === 'ObjectExpression' ? (properties as Node[]) : [];
  if (!all.some(({ key }) => nameOf(key) === 'useReducer')) return;
  for (const { key, start, end } of all.filter((one) => HOOKS.has(nameOf(one['key'])))) {
    cutting.found(nameOf(key));
    const comma = /^\s*,/.exec(cutting.text.slice(end))?.[0].length ?? 0;
    cutting.put({ start, end: end + comma }, '');
  }
}

function cutVariables(cutting: Cutting, node: Node): void {
  const { type, left, right, operator } = node;
  if (type === 'AssignmentExpression' && operator === '=' && VARIABLES.has(nameOf(left)))
    cutting.put({ start: node.start, end: (right as Node).start }, '');
  // Where it is declared it stays; where it is given something the left side is gone; else it is read.
  if (type === 'VariableDeclarator' && VARIABLES.has(nameOf(node['id'])))
    cutting.put(node['id'] as Node, nameOf(node['id']));
  const value = type === 'Identifier' ? VARIABLES.get(nameOf(node)) : undefined;
  if (value !== undefined) cutting.put(node, value);
}

/** React's renderer without the parts that no page asks for. @throws Error where the text is not what is known here */
export function withoutParts(file: string, text: string): string {
  const { program, errors } = parseSync(file, text, { sourceType: 'script' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const body = program.body as unknown as readonly Node[];
  const nodes = body.flatMap((one) => nodesIn(one));
  const cutting = new Cutting(file, text);
  // First what makes fibers: what is left says which kinds there are.
  for (const node of nodes) cutElements(cutting, node);
  for (const statement of body) cutStatement(cutting, statement);
  const made = kindsMade(nodes, (node) => cutting.isGone(node));
  const isNever = (value: unknown) => {
    const kind = numberOf(value);
    return kind !== null && kind >= FIRST_KIND && !made.has(kind);
  };
  for (const node of nodes) {
    cutKinds(cutting, node, isNever);
    cutHooks(cutting, node);
    cutVariables(cutting, node);
  }
  return cutting.done();
}
