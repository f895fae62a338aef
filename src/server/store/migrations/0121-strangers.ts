import type { Kysely } from 'kysely';
import { nicknameKey } from '../../../domain/nickname.ts';

interface Players {
  league_players: { user_id: string; nickname: string | null; nickname_key: string | null };
}

/**
 * The keys of nicknames say what an eye takes for the same; who is taken for somebody else already keeps the old key.
 * What was said of a visit is found by its age.
 */
export async function up(db: Kysely<Players>): Promise<void> {
  await db.schema.createIndex('offline_feedbacks_at').on('offline_feedbacks').columns(['created_at']).execute();
  const players = await db
    .selectFrom('league_players')
    .select(['user_id', 'nickname', 'nickname_key'])
    .where('nickname', 'is not', null)
    .orderBy('user_id')
    .execute();
  const taken = new Set(players.map((player) => player.nickname_key));
  for (const { user_id: userId, nickname, nickname_key: before } of players) {
    const key = nicknameKey(nickname ?? '');
    if (key === before || taken.has(key)) continue;
    taken.add(key);
    await db.updateTable('league_players').set({ nickname_key: key }).where('user_id', '=', userId).execute();
  }
}
