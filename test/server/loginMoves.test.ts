import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LOGIN_MOVES } from '../../src/server/rules/login/loginMoves.ts';
import { transact } from '../../src/server/store/db.ts';
import { tablesHere } from '../kit/tablesHere.ts';

const tables = tablesHere('sqlite');

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}
const columnsOf = async (table: string) =>
  (await sql<ColumnRow>`select * from pragma_table_info(${table})`.execute(tables.db)).rows;

/** A row in which something stands wherever something must. */
async function addRow(table: string, own: Readonly<Record<string, string>>): Promise<void> {
  const anything = ({ name, type }: ColumnRow) =>
    /int|real/i.test(type)
      ? 1
      : name === 'account_id'
        ? 'ledger_accounts-1'
        : name.endsWith('id')
          ? `${table}-1`
          : '{}';
  const given = (await columnsOf(table))
    .filter(({ name, notnull, dflt_value, pk }) => name in own || pk > 0 || (notnull === 1 && dflt_value === null))
    .map((column) => [column.name, own[column.name] ?? anything(column)] as const);
  await sql`insert into ${sql.table(table)} (${sql.join(given.map(([name]) => sql.ref(name)))})
    values (${sql.join(given.map(([, value]) => value))})`.execute(tables.db);
}

/** Tables whose rows of a guest stay with the guest at a login, and why. */
const STAYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['favourite_orders', 'league_entries', 'league_players', 'league_predictions', 'league_scores', 'linked_wallets']
      .concat(['passwords', 'saved_cards', 'ledger_accounts', 'account_deletions'])
      .map((table) => [table, 'only an account with a number has it, and such an account joins no other']),
  ),
  ...Object.fromEntries(
    ['activity', 'experiment_elsewhere', 'experiment_events', 'experiment_visitors', 'fingerprints', 'memories'].map(
      (table) => [
        table,
        'it is of a device or a visit; whoever is asked for looks for the guest as well (users.became)',
      ],
    ),
  ),
  ...Object.fromEntries(
    ['assistant_codes', 'assistant_quotes', 'idempotency', 'nonces', 'price_locks', 'sessions', 'social_logins'].map(
      (table) => [table, 'it is of the session that has ended, or of its cart as it was'],
    ),
  ),
  carts: 'its lines move (cart/cartChanges.ts)',
  cart_spins: 'a spin moves with an open cart (offers/wheel.ts)',
  consents: 'the account has said its own',
  group_people: 'a seat moves with an open group (group/group.ts)',
  identities: "a vendor's person is tied anew (login/logIn.ts)",
  old_customers: 'what was put away is brought back first',
  promise_credits: 'it is found by its order, which moves',
};

test('whatever a table keeps of a guest goes along to the account, or is named with why it stays', async () => {
  const { db } = tables;
  const names = (await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)).rows;
  await sql`pragma foreign_keys = off`.execute(db);
  for (const id of ['guest', 'account']) await addRow('users', { id, mobile: id, cart_id: `cart of ${id}` });
  const ofUsers: string[] = [];
  for (const { name } of names)
    // Orders that were put away are brought back first (store/archive.ts), and are orders then.
    if (name !== 'old_orders' && (await columnsOf(name)).some((one) => one.name === 'user_id')) {
      await addRow(name, { user_id: 'guest' });
      ofUsers.push(name);
    }
  const move = { guestUserId: 'guest', guestCartId: 'carts-1', userId: 'account', cartId: 'cart of account', now: 1 };
  await transact(db, async (tx) => {
    for (const step of LOGIN_MOVES) await step(tx, move);
  });
  const left: string[] = [];
  for (const name of ofUsers) {
    const found = await sql`select 1 from ${sql.table(name)} where user_id = 'guest'`.execute(db);
    if (found.rows.length > 0) left.push(name);
  }
  expect(left.sort()).toEqual(Object.keys(STAYS).sort());
});
