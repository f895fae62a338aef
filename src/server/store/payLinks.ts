import type { Db } from './db.ts';

declare module './db.ts' {
  interface Tables {
    pay_links: { order_id: string; token: string; created_at: number };
  }
}

/** The token of an order's pay link: `token` if the order has none yet, otherwise the first one that was stored. */
export async function payLinkOf(db: Db, orderId: string, token: string, at: number): Promise<string> {
  await db
    .insertInto('pay_links')
    .values({ order_id: orderId, token, created_at: at })
    .onConflict((c) => c.column('order_id').doNothing())
    .execute();
  return (await db.selectFrom('pay_links').select('token').where('order_id', '=', orderId).executeTakeFirstOrThrow())
    .token;
}

export async function orderOfPayLink(db: Db, token: string): Promise<string | undefined> {
  return (await db.selectFrom('pay_links').select('order_id').where('token', '=', token).executeTakeFirst())?.order_id;
}
