import { sql, type Kysely } from 'kysely';

/** Marks a database of before whose clock was moved: only development does that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into secrets (name, value) select 'development', 'yes' from system where offset_ms <> 0`.execute(db);
}
