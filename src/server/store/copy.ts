import { sql } from 'kysely';
import type { Db, Tables } from './db.ts';
import { withOrders } from './deletions.ts';
import { PERSONAL, type Column, type Personal, type Section, type PersonKeys } from './personal.ts';

/** The order in which a person reads it. */
const SECTIONS: readonly Section[] = [
  'me',
  'addresses',
  'orders',
  'money',
  'points',
  'devices',
  'consents',
  'help',
  'activity',
];

type Row = Record<string, unknown>;
export interface CopiedSection {
  readonly id: Section;
  readonly tables: { readonly name: string; readonly rows: Row[] }[];
}

/** JSON that stands in a text is told as what it says. */
function valueOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** All that the database knows of a person and that says anything to them; tables without a row are left out. */
export async function copyOf(db: Db, person: PersonKeys): Promise<CopiedSection[]> {
  const who = await withOrders(db, person);
  const sections = SECTIONS.map((id): CopiedSection => ({ id, tables: [] }));
  for (const [name, stand] of Object.entries(PERSONAL) as [keyof Tables, Personal][]) {
    if (stand.fate === 'nobodys' || stand.section === undefined) continue;
    const columns = Object.entries<Column>(stand.columns).flatMap(([column, { isTold }]) => (isTold ? [column] : []));
    const { rows } = await sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(name)} where ${stand.rows(who)}`.execute(db);
    if (rows.length === 0) continue;
    sections
      .find(({ id }) => id === stand.section)!
      .tables.push({
        name,
        rows: rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, valueOf(value)]))),
      });
  }
  return sections.filter(({ tables }) => tables.length > 0);
}
