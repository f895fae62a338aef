import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { CompiledQuery, sql } from 'kysely';
import type { PaymentStep } from '../../src/contract/payments.ts';
import { engineOf, openDb, type Root } from '../../src/server/store/db.ts';
import { columnsOf } from '../../src/server/store/migrate.ts';
import type { Engine } from '../kit/server.ts';
import type { Person } from '../server/people.ts';

/** The number of a statement's text, and its parameters. */
export type Step = readonly [statement: number, ...parameters: unknown[]];
/** Stands for the schema that a statement names. */
export const SCHEMA = '{schema}';

/** What a release has said to its database, from an empty one on (record.ts). */
export interface Fixture {
  readonly release: string;
  /** The shop's clock at the end, epoch ms. */
  readonly now: number;
  /** How many steps its start took: tables and seeds. */
  readonly begun: number;
  readonly statements: readonly string[];
  readonly steps: readonly Step[];
  /** Texts of what it has read. */
  readonly reads: readonly string[];
  /** Ids of orders by what became of them. */
  readonly orders: Readonly<Record<string, string>>;
  readonly asha: { readonly person: Person; readonly mobile: string; readonly next: PaymentStep };
  readonly group: { readonly code: string; readonly host: Person };
}

const SUFFIX = '.sqlite.json.br';
const fileOf = (release: string, engine: Engine) => path.join(import.meta.dirname, `${release}.${engine}.json.br`);

export const releases = (): string[] =>
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length));

export const readFixture = (release: string, engine: Engine): Fixture =>
  JSON.parse(brotliDecompressSync(readFileSync(fileOf(release, engine))).toString()) as Fixture;

/** @returns its size in bytes */
export function writeFixture(release: string, engine: Engine, fixture: Fixture): number {
  const bytes = brotliCompressSync(JSON.stringify(fixture), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  writeFileSync(fileOf(release, engine), bytes);
  return bytes.length;
}

async function schemaOf(db: Root): Promise<string | undefined> {
  if (engineOf(db) === 'sqlite') return undefined;
  return (await sql<{ schema: string }>`select current_schema() as schema`.execute(db)).rows[0]?.schema;
}

/** Says to a database what the release has said, from one step to another. */
export async function replay(target: string, fixture: Fixture, from = 0, to = fixture.steps.length): Promise<void> {
  const { db } = await openDb(target);
  try {
    const schema = (await schemaOf(db)) ?? '';
    await db.transaction().execute(async (tx) => {
      for (const [statement, ...parameters] of fixture.steps.slice(from, to))
        await tx.executeQuery(CompiledQuery.raw(fixture.statements[statement]!.replaceAll(SCHEMA, schema), parameters));
    });
  } finally {
    await db.destroy();
  }
}

/** All rows of all tables, in an order of their own. */
export async function contents(target: string): Promise<Record<string, readonly string[]>> {
  const { db } = await openDb(target);
  try {
    return await rowsOf(db);
  } finally {
    await db.destroy();
  }
}

async function rowsOf(db: Root): Promise<Record<string, readonly string[]>> {
  const tables = [...(await columnsOf(db)).keys()];
  const found: Record<string, readonly string[]> = {};
  for (const table of tables.sort()) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db);
    found[table] = rows
      .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => a.localeCompare(b)))))
      .sort();
  }
  return found;
}
