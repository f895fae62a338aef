import { DAY_MS } from '../../domain/time.ts';
import { createHash } from 'node:crypto';
import type { Db } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** `card`: by what the vault knows the same card again; '' where it does not say. */
    card_offers: { token_hash: string; user_id: string; codes: string; card: string; ends_at: number };
  }
}

const KEPT_MS = DAY_MS;
const hashed = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Remembers for which coupons a card may be used, and nothing of the card itself. */
export async function keepCardOffers(
  db: Db,
  userId: string,
  { token, fingerprint = '' }: { readonly token: string; readonly fingerprint?: string | undefined },
  codes: readonly string[],
  at: number,
): Promise<void> {
  const row = {
    user_id: userId,
    codes: JSON.stringify(codes),
    card: fingerprint === '' ? '' : hashed(fingerprint),
    ends_at: at + KEPT_MS,
  };
  await db
    .insertInto('card_offers')
    .values({ token_hash: hashed(token), ...row })
    .onConflict((c) => c.column('token_hash').doUpdateSet(row))
    .execute();
  await db.deleteFrom('card_offers').where('ends_at', '<=', at).execute();
}

/** The card behind a token; nothing for an unknown token, and for another person's. */
async function cardBehind(db: Db, userId: string, token: string | null | undefined, at: number) {
  if (!token) return undefined;
  return await db
    .selectFrom('card_offers')
    .select(['card', 'codes'])
    .where('token_hash', '=', hashed(token))
    .where('user_id', '=', userId)
    .where('ends_at', '>', at)
    .executeTakeFirst();
}
type TokenQuestion = Parameters<typeof cardBehind>;

/** The coupons that the card behind a token may be used for. */
export async function cardOffersOf(...asked: TokenQuestion): Promise<ReadonlySet<string>> {
  return new Set(JSON.parse((await cardBehind(...asked))?.codes ?? '[]') as string[]);
}

/** By what the card behind a token is known again; '' when that is not known. */
export async function cardOfToken(...asked: TokenQuestion): Promise<string> {
  return (await cardBehind(...asked))?.card ?? '';
}

/** Whether this customer was given this token, and it still holds. */
export async function isOwnCardToken(db: Db, userId: string, token: string, at: number): Promise<boolean> {
  return (
    (await db
      .selectFrom('card_offers')
      .select('user_id')
      .where('token_hash', '=', hashed(token))
      .where('user_id', '=', userId)
      .where('ends_at', '>', at)
      .executeTakeFirst()) !== undefined
  );
}

/** A guest who logs in keeps the card that was just entered. */
export async function moveCardOffers(db: Db, fromUserId: string, toUserId: string): Promise<void> {
  await db.updateTable('card_offers').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}
