import { sql } from 'kysely';
import pg from 'pg';
import { engineOf, openDb, type Root } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { emptyDatabase } from '../kit/server.ts';
import type { Kind, Statement } from '../kit/statements.ts';

/** What PostgreSQL says of a statement that it has parsed: types are oids. */
interface Description {
  readonly parameters: readonly number[];
  readonly columns: readonly { readonly name: string; readonly dataTypeID: number }[];
}
interface Examination extends Description {
  /** Tables that it reads whole, because no index leads to the rows it asks for. */
  readonly scanned: readonly string[];
}
interface Reading {
  readonly dataTypeIDs: readonly number[];
}

/**
 * Has a statement parsed and described without running it. Handed to the client as a query of its own making, as a cursor
 * is: its handlers are those of the protocol's answers.
 */
class Question {
  readonly described = Promise.withResolvers<Description>();
  readonly #text: string;
  #parameters: readonly number[] = [];
  #columns: Description['columns'] = [];
  constructor(text: string) {
    this.#text = text;
  }
  submit(connection: pg.Connection): void {
    (connection as unknown as NodeJS.EventEmitter).once('parameterDescription', ({ dataTypeIDs }: Reading) => {
      this.#parameters = dataTypeIDs;
    });
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }
  handleRowDescription({ fields }: { readonly fields: Description['columns'] }): void {
    this.#columns = fields;
  }
  handleError(error: Error): void {
    this.described.reject(error);
  }
  handleReadyForQuery(): void {
    this.described.resolve({ parameters: this.#parameters, columns: this.#columns });
  }
}

/** The kinds of values that a type of PostgreSQL takes and gives back as SQLite does, by its oid. */
const TAKES = new Map<number, readonly Kind[]>([
  [pg.types.builtins.BOOL, ['flag']],
  [pg.types.builtins.BYTEA, ['bytes']],
  [pg.types.builtins.INT2, ['int']],
  [pg.types.builtins.INT4, ['int']],
  [pg.types.builtins.INT8, ['int', 'long']],
  [pg.types.builtins.NUMERIC, ['int', 'long', 'fraction']],
  [pg.types.builtins.FLOAT8, ['int', 'long', 'fraction']],
  [pg.types.builtins.TEXT, ['text']],
  [pg.types.builtins.VARCHAR, ['text']],
]);
const nameOf = (type: number | undefined) =>
  Object.entries(pg.types.builtins).find(([, oid]) => oid === type)?.[0] ?? `type ${type}`;

/** What is not the same on PostgreSQL: the values bound to a statement, or read from its columns, in the SQLite run. */
export function differences({ bound, read }: Statement, { parameters, columns }: Description): string[] {
  const strangers = (type: number | undefined, kinds: readonly Kind[]) => {
    const others = kinds.filter((kind) => !TAKES.get(type ?? 0)?.includes(kind));
    return others.length === 0 ? null : `${nameOf(type)}, and in SQLite ${others.join(' and ')}`;
  };
  const ofParameters = bound.map((kinds, at) => [`$${at + 1}`, strangers(parameters[at], kinds)] as const);
  const ofColumns = Object.entries(read).map(([name, kinds]) => {
    const type = columns.find((column) => column.name === name)?.dataTypeID;
    return [name, type === undefined ? 'not among its columns' : strangers(type, kinds)] as const;
  });
  return [...ofParameters, ...ofColumns].flatMap(([name, fault]) => (fault === null ? [] : [`${name} is ${fault}`]));
}

/** What of a plan is read here. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}
const EXPLAINED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** An index of few rows, those with which something is still to be done: it may be read by all its entries. */
const OF_FEW = /_open$|_revoked$|_due$/;

/** Tables that are read whole: row by row, or by all entries of an index. A limit stops what is read in an index's order. */
function scannedIn(plan: Plan, table = plan['Relation Name'], isLimited = false): string[] {
  const { 'Node Type': type, 'Index Cond': condition, 'Index Name': index = '' } = plan;
  const isWhole =
    type === 'Seq Scan' ||
    (/^(?:Index (?:Only )?|Bitmap Index )Scan$/.test(type) &&
      condition === undefined &&
      !isLimited &&
      !OF_FEW.test(index));
  // What is sorted or grouped first is read to its end all the same.
  const limits = type === 'Limit' || (isLimited && !/Sort|Aggregate|Hash|Unique|Bitmap/.test(type));
  const below = type === 'Bitmap Heap Scan' || /^Bitmap(?:And|Or)$/.test(type) ? table : undefined;
  return [
    ...(isWhole && table !== undefined ? [table] : []),
    ...(plan.Plans ?? []).flatMap((one) => scannedIn(one, one['Relation Name'] ?? below, limits)),
  ];
}

export interface Schema {
  /** The migrated tables, as the product opens them. */
  readonly db: Root;
  /** @throws what PostgreSQL says against a statement, or against its plan: a conflict has to be about a unique key */
  examine(statement: Statement): Promise<Examination>;
  drop(): Promise<void>;
}

/** All tables of this release in a PostgreSQL, empty. */
export async function migratedSchema(): Promise<Schema> {
  const database = await emptyDatabase('postgres');
  const opened = await openDb(database.target);
  await migrate(opened);
  const address = new URL(database.target);
  const schema = address.searchParams.get('schema')!;
  address.search = '';
  // Tables are empty here: a plan that reads one whole, dear as that is said to be, has no other way.
  const settings = {
    search_path: schema,
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    plan_cache_mode: 'force_generic_plan',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new pg.Client({ connectionString: address.href, options: options.join(' ') });
  await client.connect();
  return {
    db: opened.db,
    async examine({ postgres }) {
      const question = new Question(postgres);
      client.query(question as unknown as pg.Query);
      const description = await question.described.promise;
      if (!EXPLAINED.test(postgres)) return { ...description, scanned: [] };
      await client.query(`prepare own as ${postgres}`);
      const nulls = description.parameters.map(() => 'null').join();
      try {
        const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
          `explain (format json, costs off) execute own${nulls && `(${nulls})`}`,
        );
        return { ...description, scanned: scannedIn(rows[0]!['QUERY PLAN'][0].Plan) };
      } finally {
        await client.query('deallocate own');
      }
    },
    async drop() {
      await client.end();
      await opened.db.destroy();
      await database.drop();
    },
  };
}

/** A table's columns with their types and its unique keys, each as a line: what statements and guards stand on. */
export async function shapeOf(db: Root): Promise<string[]> {
  const { rows } = await (
    engineOf(db) === 'postgres'
      ? sql<{ line: string }>`
          select c.relname || ' has ' || a.attname || ' ' || format_type(a.atttypid, null)
            || case when a.attnotnull then ' not null' else '' end as line
          from pg_attribute a join pg_class c on c.oid = a.attrelid
          where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
          union all
          select c.relname || ' is unique by ' || (
            select string_agg(a.attname, ', ' order by a.attname)
            from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)
          ) || case when i.indpred is null then '' else ' in part' end
          from pg_index i join pg_class c on c.oid = i.indrelid
          where i.indisunique and c.relnamespace = current_schema()::regnamespace`
      : sql<{ line: string }>`
          select t.name || ' has ' || c.name || ' ' || lower(c.type)
            || case when c."notnull" = 1 or c.pk > 0 then ' not null' else '' end as line
          from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'
          union all
          select t.name || ' is unique by ' || (
            select group_concat(name, ', ') from (select name from pragma_index_info(i.name) order by name)
          ) || case when i.partial = 1 then ' in part' else '' end
          from sqlite_master t, pragma_index_list(t.name) i where t.type = 'table' and i."unique" = 1
          union all
          select t.name || ' is unique by ' || c.name from sqlite_master t, pragma_table_info(t.name) c
          where t.type = 'table' and c.pk = 1 and lower(c.type) = 'integer'
            and not exists (select 1 from pragma_index_list(t.name) i where i.origin = 'pk')`
  ).execute(db);
  // Kysely's own tables are left out.
  return rows.flatMap(({ line }) => (line.startsWith('kysely_') ? [] : [line])).toSorted();
}
