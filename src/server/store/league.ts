import { sql } from 'kysely';
import type { Pick } from '../../contract/league.ts';
import { engineOf, type Db, type Tx } from './db.ts';

export interface PlayerRow {
  user_id: string;
  country: string;
  nickname: string | null;
  nickname_key: string | null;
  joined_at: number;
}
export interface EntryRow {
  /** `order:` or `back:` with an order's id, `match:` with a match's and a player's. */
  unique_key: string;
  season: string;
  user_id: string;
  amount: number;
  at: number;
}
interface ScoreRow {
  season: string;
  user_id: string;
  /** The sum of the player's entries of the season. */
  slices: number;
  /** Since when they have so many. */
  reached_at: number;
}

declare module './db.ts' {
  interface Tables {
    league_players: PlayerRow;
    /** Never changed: what was wrong is taken back by another entry. */
    league_entries: EntryRow;
    league_scores: ScoreRow;
    league_predictions: { match_id: string; user_id: string; pick: Pick; at: number };
    league_results: { match_id: string; home: number; away: number; decided_at: number };
  }
}

export async function playerOf(db: Db, userId: string): Promise<PlayerRow | undefined> {
  return await db.selectFrom('league_players').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Those of them who play, locked until this transaction ends, so that none leaves meanwhile. */
export async function lockPlayers(tx: Tx, userIds: readonly string[]): Promise<PlayerRow[]> {
  if (userIds.length === 0) return [];
  const query = tx.selectFrom('league_players').selectAll().where('user_id', 'in', userIds).orderBy('user_id');
  return await (engineOf(tx) === 'postgres' ? query.forUpdate() : query).execute();
}

/** Adds a player, or changes the nickname. False, and nothing has changed, when another player has this one. */
export async function setPlayer(tx: Tx, row: PlayerRow): Promise<boolean> {
  const { user_id: userId, nickname, nickname_key: key } = row;
  if (key !== null) {
    const other = await tx
      .selectFrom('league_players')
      .select('user_id')
      .where('nickname_key', '=', key)
      .where('user_id', '<>', userId)
      .executeTakeFirst();
    if (other !== undefined) return false;
  }
  await tx
    .insertInto('league_players')
    .values(row)
    .onConflict((c) => c.column('user_id').doUpdateSet({ nickname, nickname_key: key }))
    .execute();
  return true;
}

export async function dropPlayer(tx: Tx, userId: string): Promise<void> {
  await lockPlayers(tx, [userId]);
  for (const table of ['league_predictions', 'league_entries', 'league_scores', 'league_players'] as const)
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
}

/**
 * Writes entries of one season that are not there yet, at most one for each player, and adds them to the sums. The players
 * are locked.
 */
export async function addEntries(tx: Tx, entries: readonly EntryRow[]): Promise<void> {
  if (entries.length === 0) return;
  const fresh = await tx
    .insertInto('league_entries')
    .values([...entries])
    .onConflict((c) => c.column('unique_key').doNothing())
    .returning(['season', 'user_id', 'amount', 'at'])
    .execute();
  if (fresh.length === 0) return;
  await tx
    .insertInto('league_scores')
    .values(fresh.map(({ amount, at, ...of }) => ({ ...of, slices: amount, reached_at: at })))
    .onConflict((c) =>
      c.columns(['season', 'user_id']).doUpdateSet({
        slices: sql<number>`league_scores.slices + excluded.slices`,
        reached_at: sql<number>`case when excluded.reached_at > league_scores.reached_at then excluded.reached_at else league_scores.reached_at end`,
      }),
    )
    .execute();
}

export async function leagueEntry(db: Db, key: string): Promise<EntryRow | undefined> {
  return await db.selectFrom('league_entries').selectAll().where('unique_key', '=', key).executeTakeFirst();
}

/** How many orders and matches brought a player slices in a season; orders that were taken back are none. */
export async function countsOf(db: Db, userId: string, season: string): Promise<{ orders: number; right: number }> {
  const rows = await db
    .selectFrom('league_entries')
    .select([sql<string>`substr(unique_key, 1, 5)`.as('kind'), (e) => e.fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .where('season', '=', season)
    .groupBy('kind')
    .execute();
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.count ?? 0);
  return { orders: of('order') - of('back:'), right: of('match') };
}

/** Players who have a slice, in the order of the table. */
const placed = (db: Db, season: string) =>
  db.selectFrom('league_scores').where('season', '=', season).where('slices', '>', 0);

export async function countPlaced(db: Db, season: string): Promise<number> {
  const { count } = await placed(db, season)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function placedBetween(
  db: Db,
  season: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<(ScoreRow & { nickname: string | null })[]> {
  return await placed(db, season)
    .leftJoin('league_players', 'league_players.user_id', 'league_scores.user_id')
    .selectAll('league_scores')
    .select('league_players.nickname')
    .orderBy('slices', 'desc')
    .orderBy('reached_at')
    .orderBy('league_scores.user_id')
    .offset(offset)
    .limit(limit)
    .execute();
}

/** How many players of a season have more slices. */
export async function countAbove(db: Db, season: string, slices: number): Promise<number> {
  const { count } = await placed(db, season)
    .where('slices', '>', slices)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A player's sum, and how many stand before them in the table; undefined without a slice. */
export async function placeOf(
  db: Db,
  season: string,
  userId: string,
): Promise<{ slices: number; above: number; before: number } | undefined> {
  const own = await placed(db, season).selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (own === undefined) return undefined;
  const { count } = await placed(db, season)
    .where('slices', '=', own.slices)
    .where((e) =>
      e.or([
        e('reached_at', '<', own.reached_at),
        e.and([e('reached_at', '=', own.reached_at), e('user_id', '<', userId)]),
      ]),
    )
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const above = await countAbove(db, season, own.slices);
  return { slices: own.slices, above, before: above + Number(count) };
}

export async function setPrediction(tx: Tx, row: { match_id: string; user_id: string; pick: Pick; at: number }) {
  const { pick, at } = row;
  await tx
    .insertInto('league_predictions')
    .values(row)
    .onConflict((c) => c.columns(['match_id', 'user_id']).doUpdateSet({ pick, at }))
    .execute();
}

export async function predictionsOf(
  db: Db,
  userId: string,
  matchIds: readonly string[],
): Promise<ReadonlyMap<string, Pick>> {
  if (matchIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('league_predictions')
    .select(['match_id', 'pick'])
    .where('user_id', '=', userId)
    .where('match_id', 'in', matchIds)
    .execute();
  return new Map(rows.map(({ match_id: id, pick }) => [id, pick]));
}

/** How a match ended. */
export interface MatchEnd {
  readonly id: string;
  readonly pick: Pick;
}

/** Players who have foreseen how a match ended, by id, those behind `after`. */
export async function rightPlayers(
  db: Db,
  match: MatchEnd,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('league_predictions')
    .select('user_id')
    .where('match_id', '=', match.id)
    .where('pick', '=', match.pick)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map(({ user_id: id }) => id);
}

export async function resultsOf(
  db: Db,
  matchIds: readonly string[],
): Promise<ReadonlyMap<string, { home: number; away: number }>> {
  if (matchIds.length === 0) return new Map();
  const rows = await db.selectFrom('league_results').selectAll().where('match_id', 'in', matchIds).execute();
  return new Map(rows.map(({ match_id: id, home, away }) => [id, { home, away }]));
}

/** Writes down how a match ended; the first word holds. */
export async function addResult(
  db: Db,
  row: { match_id: string; home: number; away: number; decided_at: number },
): Promise<void> {
  await db
    .insertInto('league_results')
    .values(row)
    .onConflict((c) => c.column('match_id').doNothing())
    .execute();
}

/** The question of `deliveriesBetween`. */
export const deliveries = (db: Db, country: string, from: number, to: number) =>
  db
    .selectFrom('orders')
    .select(['store_id', (e) => e.fn.countAll<number>().as('count')])
    .where('country', '=', country)
    .where('status', 'in', ['DELIVERED', 'PICKED'])
    .where('finished_at', '>=', from)
    .where('finished_at', '<', to)
    .groupBy('store_id');

/** How many orders each store has handed over in a time. */
export async function deliveriesBetween(
  db: Db,
  country: string,
  from: number,
  to: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await deliveries(db, country, from, to).execute();
  return new Map(rows.map(({ store_id: id, count }) => [id, Number(count)]));
}
