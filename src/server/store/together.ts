import { CompiledQuery, expressionBuilder, sql } from 'kysely';
import type { Compilable, Expression, RawBuilder, SelectQueryNode } from 'kysely';
import { engineOf, transact, type Db, type Tables } from './db.ts';
import { prepared } from './preparedStatement.ts';
import { bytesWritten } from './written.ts';
import { noteWritten } from '../trace.ts';

// A statement of its own costs a round trip on PostgreSQL, and on both engines as much CPU as the work that it asks for. What
// one decision reads, or writes, is asked as one. (decisions/2026-11-29-submit-statements.md)

/** A select of which every column is named, and what it is given. */
type Select = (db: Db, given: never) => Compilable & Expression<unknown>;
type Selects = Readonly<Record<string, Select>>;
type RowOf<S extends Select> = ReturnType<S> extends Compilable<infer R> ? R : never;
type Taker<S extends Select> = S extends (db: Db, given: infer Given) => unknown ? (given: Given) => void : never;
/** What all of them are given, together. */
type GivenTo<S extends Selects> = Taker<S[keyof S]> extends (given: infer All) => void ? All & object : never;

/** The names of a select's columns. @throws Error for `*`, which names none */
function namesOf({ selections = [] }: SelectQueryNode): string[] {
  return selections.map(({ selection }) => {
    if (selection.kind === 'AliasNode' && selection.alias.kind === 'IdentifierNode')
      return (selection.alias as unknown as { name: string }).name;
    if (selection.kind === 'ReferenceNode' && selection.column.kind === 'ColumnNode')
      return selection.column.column.name;
    throw new Error('A select that is asked with others names its columns.');
  });
}

/** All rows of a select as one text of JSON. PostgreSQL calls these functions otherwise (postgres.ts). */
function rowsAsJson(select: Compilable & Expression<unknown>): RawBuilder<string> {
  const pairs = namesOf(select.toOperationNode() as SelectQueryNode).flatMap((name) => [
    sql.lit(name),
    sql.ref(`own.${name}`),
  ]);
  const { fn } = expressionBuilder<Tables>();
  const rows = fn('json_group_array', [fn('json_object', pairs)]);
  return sql<string>`(select cast(coalesce(${rows}, '[]') as text) from ${select} as own)`;
}

/**
 * Several selects as one statement, which therefore all see the same moment. A column that was selected with another name
 * has that one.
 * @returns the rows of each
 */
export function together<S extends Selects>(selects: S) {
  const ask = prepared((db, given: GivenTo<S>) =>
    db.selectNoFrom(Object.entries(selects).map(([name, select]) => rowsAsJson(select(db, given as never)).as(name))),
  );
  return async (db: Db, values: GivenTo<S>): Promise<{ readonly [K in keyof S]: RowOf<S[K]>[] }> => {
    const [row] = (await ask(db, values)).rows as Record<string, string>[];
    return Object.fromEntries(Object.entries(row!).map(([name, json]) => [name, JSON.parse(json)])) as never;
  };
}

/** A statement that writes, with its values, to be asked with others. */
export type Write = CompiledQuery;

/** By their texts, how writes are asked as one. */
const joined = new Map<string, string>();
const JOINED_KEPT = 200;

/** Each in a `with`, its parameters numbered on. */
function joinedText(writes: readonly Write[]): string {
  const key = writes.map((write) => write.sql).join('\n');
  const known = joined.get(key);
  if (known !== undefined) return known;
  let before = 0;
  const parts = writes.map((write, at) => {
    const text = write.sql.replaceAll(/\$(\d+)/g, (_, own: string) => `$${before + Number(own)}`);
    before += write.parameters.length;
    return `w${at} as (${text} returning 1)`;
  });
  const counts = writes.map((_, at) => `(select count(*) from w${at}) as w${at}`);
  const text = `with ${parts.join(', ')} select ${counts.join(', ')}`;
  if (joined.size >= JOINED_KEPT) joined.delete(joined.keys().next().value!);
  joined.set(key, text);
  return text;
}

/**
 * Writes that need nothing of each other: on PostgreSQL one statement, each part of which sees what was there before it; on
 * SQLite, where a statement is no round trip, one after the other. Outside of a transaction they are one.
 * @param writes without `returning`
 * @returns how many rows each has written
 */
export async function writeTogether(db: Db, writes: readonly Write[]): Promise<number[]> {
  if (writes.length === 0) return [];
  if (engineOf(db) === 'sqlite')
    return await transact(db, (tx) =>
      tx.getExecutor().provideConnection(async (connection) => {
        const counts: number[] = [];
        for (const write of writes) counts.push(Number((await connection.executeQuery(write)).numAffectedRows ?? 0n));
        return counts;
      }),
    );
  const parameters = writes.flatMap((write) => write.parameters);
  const { rows } = await db.executeQuery<Record<string, number>>(
    CompiledQuery.raw(joinedText(writes), [...parameters]),
  );
  // The statement around them is none that is known to write.
  for (const write of writes) noteWritten(bytesWritten(write));
  return writes.map((_, at) => Number(rows[0]![`w${at}`]));
}
