import { OperationNodeTransformer, PrimitiveValueListNode, ValueListNode, ValueNode } from 'kysely';
import type { Compilable, CompiledQuery, KyselyPlugin, OperationNode, QueryId, QueryResult } from 'kysely';
import { engineOf } from './db.ts';
import type { Db } from './db.ts';

/** Shapes of one statement that are kept: lists of other lengths make other shapes. */
const SHAPES_KEPT = 100;

/** Stands, while a statement is built, for a value that comes with each call. */
class Placeholder {
  /** Where it is among the values: its name, and what leads to it in lists and rows. */
  readonly path: readonly (string | number)[];
  constructor(path: readonly (string | number)[]) {
    this.path = path;
  }
}

interface Shape<R> {
  readonly query: CompiledQuery<R>;
  /** The source of each parameter: a value of the call, or a constant. */
  readonly parameters: readonly unknown[];
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** What the values of a call have in common with those of others for which the same text is right. */
function shapeOf(values: Readonly<Record<string, unknown>>): string {
  let shape = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (!Array.isArray(value)) shape += `${name},`;
    // Rows of one list have the same columns.
    else shape += isRow(value[0]) ? `${name}*${value.length}(${shapeOf(value[0])})` : `${name}*${value.length},`;
  }
  return shape;
}

function standIns<V extends object>(values: V, path: readonly (string | number)[] = []): V {
  const stands: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    if (Array.isArray(value))
      stands[name] = value.map((one: unknown, at) =>
        isRow(one) ? standIns(one, [...path, name, at]) : new Placeholder([...path, name, at]),
      );
    else if (value !== undefined) stands[name] = new Placeholder([...path, name]);
  return stands as V;
}

const isConstant = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';

/**
 * Writes constants into the text. A value that comes with the call may decide which rows of a table an index has
 * (`where removed = 1`), or how they are best sorted (`limit 1`): for such a one SQLite prepares the whole statement again
 * each time, which takes several times as long as the statement itself.
 */
class ConstantsAsText extends OperationNodeTransformer {
  protected override transformNodeImpl<T extends OperationNode>(node: T, id?: QueryId): T {
    return PrimitiveValueListNode.is(node) && node.values.every(isConstant)
      ? (ValueListNode.create(node.values.map(ValueNode.createImmediate)) as OperationNode as T)
      : super.transformNodeImpl(node, id);
  }
  protected override transformValue(node: ValueNode): ValueNode {
    return isConstant(node.value) ? ValueNode.createImmediate(node.value) : node;
  }
}
const constants = new ConstantsAsText();
const constantsAsText: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => constants.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

function valueAt(values: object, { path }: Placeholder): unknown {
  let found: unknown = values;
  for (const step of path) found = (found as Record<string | number, unknown>)[step];
  return found;
}

/**
 * A statement that is built and compiled once, and then only given its values: for those that are asked on every call
 * or for every order, where building and compiling takes longer than the database does.
 *
 * The same as building it for each call, if `build` does nothing but put the values of `given` where they belong: they
 * are stand-ins, so it must not look at them, and a `null` among them must not decide between `=` and `is`. What is
 * undefined is not there, and lists, of values or of rows, may have any length.
 */
export function prepared<V extends object, R>(build: (db: Db, given: V) => Compilable<R>) {
  const kept = new Map<string, Shape<R>>();
  /** The statement with these values, to be asked with others (together.ts). */
  const of = (db: Db, values: V): CompiledQuery<R> => {
    const key = `${engineOf(db)} ${shapeOf(values as Readonly<Record<string, unknown>>)}`;
    let shape = kept.get(key);
    if (shape === undefined) {
      const query = build(db.withPlugin(constantsAsText), standIns(values)).compile();
      shape = { query, parameters: query.parameters };
      if (kept.size >= SHAPES_KEPT) kept.delete(kept.keys().next().value!);
      kept.set(key, shape);
    }
    const parameters = shape.parameters.map((one) => (one instanceof Placeholder ? valueAt(values, one) : one));
    return { ...shape.query, parameters };
  };
  const ask = async (db: Db, values: V): Promise<QueryResult<R>> => await db.executeQuery(of(db, values));
  return Object.assign(ask, { of });
}

/** The first row of what `ask` finds. */
export async function first<R>(asked: Promise<QueryResult<R>>): Promise<R | undefined> {
  return (await asked).rows[0];
}

/** Whether exactly one row was written. */
export async function wroteOne(asked: Promise<QueryResult<unknown>>): Promise<boolean> {
  return (await asked).numAffectedRows === 1n;
}
