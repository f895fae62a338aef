import { constants, DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openDb } from '../../src/server/store/db.ts';
import { first, prepared, wroteOne } from '../../src/server/store/preparedStatement.ts';
import { bothEngines } from '../kit/server.ts';
import { tablesHere } from '../kit/tablesHere.ts';

const put = prepared((db, given: { id: string; used: number; ends_at: number }) =>
  db
    .insertInto('counters')
    .values(given)
    .onConflict((c) => c.doNothing()),
);
const found = prepared((db, given: { ids: readonly string[]; above: number }) =>
  db
    .selectFrom('counters')
    .select(['id', 'used'])
    .where('id', 'in', given.ids)
    .where('used', '>', given.above)
    .orderBy('id'),
);
const set = prepared((db, given: { id: string; used?: number | undefined; ends_at?: number | undefined }) =>
  db.updateTable('counters').set({ used: given.used, ends_at: given.ends_at }).where('id', '=', given.id),
);

describe.each(await bothEngines())('a statement that is built once, on %s', (engine) => {
  const opened = tablesHere(engine);

  test('each call has its own values, and a list may have any length', async () => {
    const { db } = opened;
    for (const [id, used] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      expect(await wroteOne(put(db, { id, used, ends_at: 0 }))).toBe(true);
    expect(await wroteOne(put(db, { id: 'a', used: 9, ends_at: 0 }))).toBe(false);
    const names = async (ids: readonly string[], above: number) =>
      (await found(db, { ids, above })).rows.map(({ id }) => id);
    expect(await names(['a', 'b'], 0)).toEqual(['a', 'b']);
    expect(await names(['c'], 0)).toEqual(['c']);
    expect(await names(['b', 'c', 'a'], 1)).toEqual(['b', 'c']);
    expect(await first(found(db, { ids: ['x'], above: 0 }))).toBeUndefined();
    // What is undefined stays as it is, whatever came before.
    expect(await wroteOne(set(db, { id: 'a', used: 5, ends_at: 7 }))).toBe(true);
    expect(await wroteOne(set(db, { id: 'a', used: 6 }))).toBe(true);
    expect(await wroteOne(set(db, { id: 'a', used: undefined, ends_at: 8 }))).toBe(true);
    expect(await db.selectFrom('counters').selectAll().where('id', '=', 'a').execute()).toEqual([
      { id: 'a', used: 6, ends_at: 8 },
    ]);
  });
});

test('SQLite prepares a statement once, also where a constant decides about an index or how rows are sorted', async () => {
  const opened = await openDb(':memory:');
  const lines = prepared((db, given: { cartId: string }) =>
    db
      .selectFrom('cart_lines')
      .select('line_id')
      .where('cart_id', '=', given.cartId)
      .where('removed', '=', 0)
      .where('aside', 'in', [0, 1])
      .orderBy('changed_at', 'desc')
      .limit(1),
  );
  const { sql, parameters } = lines.of(opened.db, { cartId: 'cart_none' });
  await opened.db.destroy();
  const db = new DatabaseSync(':memory:');
  db.exec('create table cart_lines (cart_id text, line_id text, removed int, aside int, changed_at int)');
  db.exec('create index cart_lines_removed on cart_lines (changed_at) where removed = 1');
  // SQLite asks what a statement may do whenever it prepares one.
  let preparations = 0;
  db.setAuthorizer(() => {
    preparations += 1;
    return constants.SQLITE_OK;
  });
  const again = (text: string, ...values: readonly (string | number)[]) => {
    const statement = db.prepare(text);
    preparations = 0;
    statement.all(...values);
    return preparations > 0;
  };
  expect([again(sql, ...(parameters as string[])), again('select 1 from cart_lines where removed = ?', 0)]).toEqual([
    false,
    true,
  ]);
  db.close();
});
