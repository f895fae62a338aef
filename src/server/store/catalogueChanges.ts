import type { Db, Tables, Tx } from './db.ts';

declare module './db.ts' {
  interface Tables {
    catalogue_changes: {
      country: string;
      number: number;
      made_at: number;
      made_by: string;
      starts_at: number;
      body: string;
      undone_at: number | null;
      undone_by: string | null;
    };
  }
}

/** A change of a country's catalogue; times in epoch ms of the shop's clock. */
export interface CatalogueChange {
  /** 1, 2, 3 ... in the order in which a country's changes were made. */
  readonly number: number;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly startsAt: number;
  /** A JSON merge patch (rules/catalogue/changes.ts). */
  readonly body: unknown;
  readonly undone: { readonly at: number; readonly by: string } | null;
}

/** Keeps other changes of the country's catalogue out until the transaction ends. */
export async function lockCatalogue(tx: Tx, country: string): Promise<void> {
  await tx
    .updateTable('catalogue_versions')
    .set((e) => ({ version: e.ref('version') }))
    .where('country', '=', country)
    .execute();
}

const changeOf = (row: Tables['catalogue_changes']): CatalogueChange => ({
  number: row.number,
  madeAt: row.made_at,
  madeBy: row.made_by,
  startsAt: row.starts_at,
  body: JSON.parse(row.body) as unknown,
  undone: row.undone_at === null ? null : { at: row.undone_at, by: row.undone_by ?? '' },
});

/** All of a country, also those taken back, in the order in which they were made. */
export async function changesOf(db: Db, country: string): Promise<CatalogueChange[]> {
  const rows = await db
    .selectFrom('catalogue_changes')
    .selectAll()
    .where('country', '=', country)
    .orderBy('number')
    .execute();
  return rows.map(changeOf);
}

/** To be called under `lockCatalogue`. */
export async function addChange(
  tx: Tx,
  country: string,
  { number, madeAt, madeBy, startsAt, body }: Omit<CatalogueChange, 'undone'>,
): Promise<void> {
  await tx
    .insertInto('catalogue_changes')
    .values({
      country,
      number,
      made_at: madeAt,
      made_by: madeBy,
      starts_at: startsAt,
      body: JSON.stringify(body),
      undone_at: null,
      undone_by: null,
    })
    .execute();
}

/** @returns whether there was such a change that nobody had taken back */
export async function undoChange(
  tx: Tx,
  country: string,
  number: number,
  { at, by }: NonNullable<CatalogueChange['undone']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('catalogue_changes')
    .set({ undone_at: at, undone_by: by })
    .where('country', '=', country)
    .where('number', '=', number)
    .where('undone_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
