import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import * as cards from '../../src/contract/cards.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as favourites from '../../src/contract/favourites.ts';
import * as fingerprint from '../../src/contract/fingerprint.ts';
import * as group from '../../src/contract/group.ts';
import * as league from '../../src/contract/league.ts';
import * as linkedWallets from '../../src/contract/linkedWallets.ts';
import * as login from '../../src/contract/login.ts';
import * as memory from '../../src/contract/memory.ts';
import * as profile from '../../src/contract/profile.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as serverText from '#text/server.ts';
import { nicknameKey } from '../../src/domain/nickname.ts';
import type { Call } from '../../src/server/call/call.ts';
import { ordersOf, PERSONAL } from '../../src/server/store/personal.ts';
import { columnsOf } from '../../src/server/store/migrate.ts';
import { sweep } from '../../src/server/store/sweep.ts';
import { logIn as logInto } from '../../src/server/rules/login/logIn.ts';
import { jobs } from '../../src/server/call/jobs.ts';
import type { Services } from '../../src/server/call/services.ts';
import { deletionOf, forgetPerson, whoIs } from '../../src/server/store/deletions.ts';
import { lockUser, userById } from '../../src/server/store/sessions.ts';
import { transact, type Root } from '../../src/server/store/db.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { violations } from './invariants.ts';
import { engines, type TestServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, logIn, logInByPaytm, person } from './people.ts';
import { Customer, member, openedShop, pay, PLACES, visitor, type Shop } from './shop.ts';
import { enteredCard } from './typed.ts';

const DAY = 86_400;
const FIRST = 'Zebedia';
const LAST = 'Quillfeather';
const EMAIL = 'zebedia.quillfeather@example.in';
const STREET = 'Nightingale Passage';
const HOME = {
  latitude: 28.64,
  longitude: 77.22,
  houseNo: '1788 Wrenhouse',
  address: STREET,
  type: 'home' as const,
  receiverName: `${FIRST} ${LAST}`,
};

/** Every value of every row of every table, as `table.column: value`. */
async function everything(db: Root): Promise<string[]> {
  const found: string[] = [];
  for (const table of (await columnsOf(db)).keys())
    for (const row of (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows)
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string') found.push(`${table}.${column}: ${value}`);
  return found;
}

describe.each(await engines())('deleting an account, on %s', (engine) => {
  let shop: Shop;
  let server: TestServer;
  let db: Root;
  beforeAll(async () => {
    shop = await openedShop({ engine });
    ({ server, db } = shop);
    await server.switches({ kitchen: 'steady' });
  });
  afterAll(() => shop.close(1));

  const codeOfDeletion = async (one: Customer) => {
    await server.advance(31);
    const sent = await one.call(deletion.sendCode, { body: {} });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    return await codeFor(server, one.mobile);
  };
  const ask = async (one: Customer, giveUp?: number) =>
    await one.call(deletion.ask, {
      body: { code: await codeOfDeletion(one), ...(giveUp === undefined ? {} : { giveUp }) },
    });

  test('every table and every column says what becomes of it [AUTH-25]', async () => {
    const said = Object.entries(PERSONAL).map(([table, { columns }]) => [
      table,
      (Array.isArray(columns) ? [...columns] : Object.keys(columns)).toSorted(),
    ]);
    const there = [...(await columnsOf(db))]
      .filter(([table]) => !table.startsWith('kysely_'))
      .map(([table, columns]) => [table, columns.toSorted()]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(there));
  });

  // What PostgreSQL reads for it is judged as that of all statements is (test/statements).
  if (engine === 'sqlite')
    test('uses of a coupon are found by their orders, however often others used it', async () => {
      const { coupon_redemptions: uses } = PERSONAL;
      const keys = {
        userIds: ['user_a'],
        country: 'IN',
        mobile: '9800000001',
        international: null,
        nobody: 'nobody_a',
      };
      const found = uses.fate === 'stays' ? uses.spare!({ ...keys, orderIds: ['ord_a'] }) : sql`true`;
      const { rows } = await sql<{
        detail: string;
      }>`explain query plan delete from coupon_redemptions where ${found}`.execute(db);
      const ways = rows.map(({ detail }) => detail).filter((detail) => /\bother\b/.test(detail));
      expect(ways).toEqual([expect.stringContaining('(order_id=?)')]);
    });

  test('nothing of the person is left in any table a week later, the books add up, and others keep theirs [AUTH-25]', async () => {
    const mobile = freshMobile();
    const before = await guest(server);
    const asGuest = new Customer(server, before, PLACES['IN']!.where, 'PZ001', mobile);
    await asGuest.call(favourites.addProduct, { body: { productId: 'PZ001' } });
    // As a guest, and with names that come along with the login.
    const { order: early } = await asGuest.order({
      paymentMode: 'UPI',
      body: {
        customer: { firstName: FIRST, lastName: LAST, mobile, email: EMAIL },
        address: HOME,
        note: `For ${FIRST}`,
      },
    });
    await server.advance(60);
    await server.call(login.sendOtp, { body: { mobile, firstName: FIRST, lastName: LAST, email: EMAIL } }, before.as);
    const done = await server.call(
      login.validateOtp,
      { body: { mobile, code: await codeFor(server, mobile) } },
      before.as,
    );
    const me = new Customer(server, person(done.body), PLACES['IN']!.where, 'PZ001', mobile);
    await me.call(addresses.create, { mobNo: mobile, body: HOME });
    const typed = { number: '4111111111111111', expiry: '12/39', cvv: '123', name: `${FIRST} ${LAST}` };
    const cardToken = await enteredCard(me, typed);
    await me.call(cards.save, { body: { cardToken } });
    await server.advance(31);
    const asked = await me.call(linkedWallets.link, { provider: 'PAYTM', body: { mobile } });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    await me.call(linkedWallets.verify, {
      provider: 'PAYTM',
      body: { state: asked.body.state, code: await codeFor(server, mobile) },
    });
    const issued = (await server.call(vouchers.issue, { body: { amount: 90_000 } })).body;
    await me.call(vouchers.link, { body: { number: issued.number, pin: issued.pin } });
    await server.call(wallet.credit, { body: { mobile, amount: 50_000 } });
    await me.call(memory.give, {
      body: { memory: { usual: [], favourites: [], addresses: [HOME], household: [], vegOnly: false } },
    });
    await me.call(fingerprint.send, {
      body: { ua: FIRST, av: '', ww: 1, wh: 1, pl: 0, mt: 0, ln: '', tz: '', tp: 0, st: '', ls: '', uid: me.userId },
    });
    const nickname = `${FIRST} ${LAST.slice(0, 5)}`;
    const { rounds } = (await me.call(league.play, { body: { nickname } })).body.league;
    await me.call(league.predict, { matchId: rounds.at(-1)!.matches[0]!.id, body: { pick: 'DRAW' } });
    const body = {
      customer: { firstName: FIRST, lastName: LAST, mobile, email: EMAIL },
      address: HOME,
      note: `${FIRST} is hungry`,
      funds: { wallet: 10_000 },
    };
    await me.call(cart.change, { cartId: me.cartId, body: { items: [], options: { cutlery: true } } });
    const { order, next } = await me.order({ paymentMode: 'UPI', body });
    expect(order.cutlery).toBe(true);
    await pay(server, next);
    await me.confirm(order);
    await me.call(tracking.share, { orderHistoryId: order.orderId });
    await me.call(tracking.tellRider, { orderHistoryId: order.orderId, body: { text: `Ring for ${FIRST}` } });
    const { order: linked } = await me.order({ paymentMode: 'LINK', body: { customer: body.customer, address: HOME } });

    // With friends: once as the host, once as a guest.
    await me.fill();
    const rules = { diet: [], minutes: 30, limit: null };
    await me.call(group.start, { cartId: me.cartId, body: { name: FIRST, ...rules } });
    const friend = await member(server);
    await friend.fill();
    const { code } = (await friend.call(group.start, { cartId: friend.cartId, body: { name: 'Asha', ...rules } })).body
      .group;
    await me.call(group.join, { code, body: { name: FIRST, diet: [] } });
    await friend.call(group.rule, { code, body: { close: true } });
    const shared = await friend.submit({ paymentMode: 'COD' });
    expect(shared.status, JSON.stringify(shared.body)).toBe(200);
    const bill = async () => {
      const row = await db
        .selectFrom('orders')
        .selectAll()
        .where('id', '=', shared.body.order.orderId)
        .executeTakeFirst();
      return JSON.parse(row!.snapshot) as { group?: { people: { name: string }[] }; customer: { firstName: string } };
    };
    expect((await bill()).group?.people.map(({ name }) => name)).toContain(FIRST);

    const needles = [
      ...[FIRST, LAST, EMAIL, STREET, 'Wrenhouse', mobile, me.userId, before.userId, me.cartId],
      ...[nickname, nicknameKey(nickname)],
    ];
    const knows = async () => {
      const all = await everything(db);
      return needles.map((needle) => all.filter((line) => line.includes(needle)));
    };
    expect((await knows()).map((lines) => lines.length > 0)).toEqual(needles.map(() => true));

    const open = await ask(me);
    expect([open.status, codeOf(open)]).toEqual([409, 'ORDER_OPEN']);
    await server.advance(3 * 3_600);
    // Two of its orders have arrived.
    const inLeague = async () =>
      (await everything(db)).filter((line) => line.startsWith('league_') && line.endsWith(`user_id: ${me.userId}`));
    expect(new Set((await inLeague()).map((line) => line.split('.')[0]))).toEqual(
      new Set(['league_players', 'league_predictions', 'league_entries', 'league_scores']),
    );
    const { standing } = (await me.call(deletion.look, {})).body;
    expect(standing).toMatchObject({
      orders: [],
      wallet: 40_000,
      cards: 1,
      linkedWallets: ['Paytm wallet'],
      vouchers: 1,
    });
    expect(standing.mobile).not.toContain(mobile.slice(0, 6));
    const rich = await me.call(deletion.ask, { body: { code: await codeOfDeletion(me) } });
    expect([rich.status, codeOf(rich)]).toEqual([409, 'BALANCE_LEFT']);
    const sums = async () =>
      (
        await sql`select kind, sum(balance) as balance from ledger_accounts group by kind
          union all select 'entries', sum(amount) from ledger_entries
          union all select 'orders', sum(total) from orders union all select 'captures', sum(amount) from captures
          union all select 'refunds', sum(amount) from refunds order by 1`.execute(db)
      ).rows;
    const books = await sums();
    const theirs = await friend.read(shared.body.order.orderId);
    // What it refused for another reason, the code is still good for.
    const asleep = await me.call(deletion.ask, { body: { code: await codeFor(server, mobile), giveUp: 40_000 } });
    expect(asleep.status, JSON.stringify(asleep.body)).toBe(200);

    await server.advance(7 * DAY + 60);
    for (const lines of await knows()) expect(lines).toEqual([]);
    if (engine === 'sqlite') {
      const { target } = server.database;
      for (const file of [target, `${target}-wal`]) {
        // Not in pages that are free, either.
        const bytes = readFileSync(file);
        expect(
          [FIRST, STREET, EMAIL, mobile].filter((word) => bytes.includes(word)),
          file,
        ).toEqual([]);
        expect(statSync(file).mode & 0o777, file).toBe(0o600);
      }
    }
    expect(await sums()).toEqual(books);
    expect(await violations(db)).toEqual([]);
    for (const id of [order.orderId, early.orderId, linked.orderId]) {
      const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const kept = JSON.parse(row.snapshot) as { bill: { total: number }; lines: unknown[]; customer: object };
      expect([row.number, row.total, kept.bill.total, kept.lines.length > 0, row.mobile, row.cutlery]).toEqual([
        row.number,
        row.total,
        row.total,
        true,
        '',
        null,
      ]);
    }
    expect(await friend.read(shared.body.order.orderId)).toMatchObject({
      bill: theirs.bill,
      customer: theirs.customer,
    });
    expect((await bill()).group?.people.map(({ name }) => name)).toEqual(['Asha', '–']);
    const { rows } =
      await sql`${ordersOf({ userIds: [me.userId], country: 'IN', mobile, international: '', nobody: 'nobody' })}`.execute(
        db,
      );
    expect(rows).toEqual([]);

    const anew = await logIn(server, mobile);
    expect(anew.userId).not.toBe(me.userId);
    expect(anew.reply.attributes.firstName).toBeUndefined();
  }, 60_000);

  test('for a week the account sleeps: a login says so, leaves its code good, and brings it back [AUTH-25]', async () => {
    const me = await member(server);
    await server.advance(31);
    const other = await logIn(server, me.mobile);
    const { body } = await me.call(deletion.look, {});
    expect(body.standing).toMatchObject({ orders: [], wallet: null, cards: 0 });
    const wrong = await me.call(deletion.ask, { body: { code: '000000' } });
    expect(wrong.status).toBe(422);
    expect((await me.call(deletion.ask, { body: {} })).status).toBe(422);
    expect((await ask(me)).body).toMatchObject({ status: 'SUCCESS' });
    for (const one of [me.person, other]) expect((await server.call(deletion.look, {}, one.as)).status).toBe(401);
    await server.advance(1);
    expect((await server.inbox(`+91${me.mobile}`))[0]).toContain('will be deleted on');

    await server.advance(6 * DAY);
    const visitorOf = await guest(server);
    await server.call(login.sendOtp, { body: { mobile: me.mobile } }, visitorOf.as);
    const typed = { mobile: me.mobile, code: await codeFor(server, me.mobile) };
    const refused = await server.call(login.validateOtp, { body: typed }, visitorOf.as);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'ACCOUNT_ASLEEP']);
    expect(refused.body.errors?.[0]).toMatchObject({
      header: serverText.asleepHeader,
      btnMsg: serverText.asleepButton,
    });
    const back = await server.call(
      login.validateOtp,
      { body: typed },
      { ...visitorOf.as, headers: { [deletion.WAKE_HEADER]: 'yes' } },
    );
    expect(back.body.attributes.userId).toBe(me.userId);
    await server.advance(3 * DAY);
    expect((await logIn(server, me.mobile)).userId).toBe(me.userId);
  });

  test('deleting an account tries a failing provider three times, then goes on without it, and never before its day', async () => {
    const me = await member(server);
    const typed = { number: '4111111111111111', expiry: '12/39', cvv: '123', name: `${FIRST} ${LAST}` };
    const cardToken = await enteredCard(me, typed);
    await me.call(cards.save, { body: { cardToken } });
    expect((await ask(me)).status).toBe(200);
    const { due_at: dueAt } = (await deletionOf(db, me.userId))!;
    const warned: string[] = [];
    const noted: string[] = [];
    const services = {
      noteDeleted: async (userId: string) => void noted.push(userId),
      payments: { forget: () => Promise.reject(new Error('the vault is away')) },
      log: { warn: (_: object, what: string) => warned.push(what) },
    } as unknown as Services;
    const tries = (attempt: number, now = dueAt) =>
      jobs.of('account.delete')!({ userId: me.userId } as never, { db, services, now, jobId: 'none', attempt });
    const isThere = async () => (await userById(db, me.userId)) !== undefined;
    await tries(4, dueAt - 1);
    for (const attempt of [1, 3]) await expect(tries(attempt)).rejects.toThrow('the vault is away');
    expect([await isThere(), warned]).toEqual([true, []]);
    await tries(4);
    expect([await isThere(), warned]).toEqual([false, ['a provider was not told of a deletion']]);
    expect(noted).toEqual([me.userId]);
    // A job that comes once more finds nobody: the one before may have ended before it could say so.
    await tries(4);
    expect(noted).toEqual([me.userId, me.userId]);
  });

  test('an account of a payment app without a number is deleted by a login of just now, with its tie to the vendor', async () => {
    const paytm = () => logInByPaytm(server, '');
    const me = await paytm();
    const sent = await server.call(deletion.sendCode, { body: {} }, me.as);
    expect([sent.status, codeOf(sent)]).toEqual([403, 'LOGIN_AGAIN']);
    await server.advance(11 * 60);
    const late = await server.call(deletion.ask, { body: {} }, me.as);
    expect([late.status, codeOf(late)]).toEqual([403, 'LOGIN_AGAIN']);
    const again = await paytm();
    expect(again.userId).toBe(me.userId);
    expect((await server.call(deletion.ask, { body: {} }, again.as)).status).toBe(200);
    await server.advance(7 * DAY + 60);
    expect((await everything(db)).filter((line) => line.includes(me.userId))).toEqual([]);
    expect((await paytm()).userId).not.toBe(me.userId);
  });

  test('a deletion waits for an order that came in the meantime with the same number', async () => {
    const me = await member(server);
    await ask(me);
    await server.advance(7 * DAY - 600);
    const asGuest = new Customer(server, (await visitor(server)).person, PLACES['IN']!.where, 'PZ001', me.mobile);
    const { order } = await asGuest.order({
      paymentMode: 'NETBANKING',
      body: { customer: { firstName: 'Ottoline', lastName: '', mobile: me.mobile } },
    });
    await server.advance(700);
    const users = () => db.selectFrom('users').select('id').where('id', '=', me.userId).execute();
    expect(await users()).toHaveLength(1);
    await server.advance(DAY);
    expect(await users()).toHaveLength(0);
    const knows = (line: string) => line.includes(me.mobile) || line.includes('Ottoline');
    expect((await everything(db)).filter(knows)).toEqual([]);
    expect(
      (await db.selectFrom('orders').select('mobile').where('id', '=', order.orderId).executeTakeFirst())?.mobile,
    ).toBe('');
  });

  test('no chain of orders that strangers place with the number puts a deletion off', async () => {
    const me = await member(server);
    await ask(me);
    await server.advance(7 * DAY - 600);
    const stranger = async () => {
      const one = new Customer(server, (await visitor(server)).person, PLACES['IN']!.where, 'PZ001', me.mobile);
      const body = { customer: { firstName: 'Ottoline', lastName: '', mobile: me.mobile } };
      await one.order({ paymentMode: 'NETBANKING', body });
    };
    await stranger();
    await server.advance(6 * 3_600);
    await stranger();
    await server.advance(700);
    expect(await db.selectFrom('users').select('id').where('id', '=', me.userId).execute()).toEqual([]);
  });

  test.each(['before', 'during'])(
    '64 that want an account back %s its deletion are all let in: into it, or into a new one',
    async (when) => {
      const me = await member(server);
      expect((await ask(me)).status).toBe(200);
      const { now } = await readSystem(db);
      const nobody = { sessionId: 'none', userId: 'none', cartId: 'none', isLoggedIn: false };
      // Each of them says that the account is to wake.
      const call = { caller: { country: 'IN', host: 'web', ...nobody }, now, header: () => 'yes' } as unknown as Call;
      const enter = async () =>
        await transact(db, async (tx) => {
          const userId = (await userById(tx, me.userId))?.id ?? null;
          const login = { loginType: 'otp', mobile: me.mobile, userId, from: undefined, profile: {} };
          const reply = await logInto(tx, call, login);
          return reply.attributes.userId;
        });
      const enterAll = async () => await Promise.all(Array.from({ length: 64 }, enter));
      let entered: Promise<string[]> | undefined;
      if (when === 'during') {
        const user = (await userById(db, me.userId))!;
        const who = await whoIs(db, user, '+91', (await deletionOf(db, me.userId))!.nobody);
        await db.transaction().execute(async (tx) => {
          await lockUser(tx, me.userId);
          await forgetPerson(tx, who, now);
          entered = enterAll();
          // SQLite lets nobody in until this is over.
          if (engine === 'postgres')
            await expect
              .poll(async () => {
                const { rows } = await sql`select 1 from pg_locks where not granted and locktype = 'transactionid'
                  and transactionid = pg_current_xact_id()::xid`.execute(tx);
                return rows.length;
              })
              .toBeGreaterThan(0);
        });
      }
      const ids = [...new Set(await (entered ?? enterAll()))];
      expect(ids).toHaveLength(1);
      expect(ids[0] === me.userId).toBe(when === 'before');
      await server.advance(8 * DAY);
      expect(await userById(db, ids[0]!)).toBeDefined();
      expect(await deletionOf(db, ids[0]!)).toBeUndefined();
    },
    60_000,
  );

  test('deleting an account also removes earlier numbers, friends’ numbers and the name on old group bills', async () => {
    const [old, theirs, next] = [freshMobile(), freshMobile(), freshMobile()];
    const { where, productId } = PLACES['IN']!;
    const me = new Customer(server, await logIn(server, old), where, productId, old);
    const paid = async (mobile: string) => {
      const body = { customer: { firstName: 'Ottoline', lastName: '', mobile } };
      const { order, next: step } = await me.order({ paymentMode: 'UPI', body });
      await pay(server, step);
      await me.confirm(order);
    };
    await paid(old);
    await paid(theirs);
    const friend = await member(server);
    await friend.fill();
    const rules = { diet: [], minutes: 30, limit: null };
    const { code } = (await friend.call(group.start, { cartId: friend.cartId, body: { name: 'Asha', ...rules } })).body
      .group;
    await me.call(group.join, { code, body: { name: 'Ottoline', diet: [] } });
    const line = { lineId: randomUUID(), productId: 'SD001', quantity: 1 };
    const added = await me.call(cart.add, { cartId: code, body: { items: [{ operationId: randomUUID(), line }] } });
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    await friend.call(group.rule, { code, body: { close: true } });
    const shared = await friend.submit({ paymentMode: 'COD' });
    expect(shared.status, JSON.stringify(shared.body)).toBe(200);
    expect(shared.body.order.lines.map(({ by }) => by?.name)).toContain('Ottoline');
    await server.advance(3 * 3_600);
    const again = await logIn(server, old);
    for (const to of ['OLD', 'NEW'] as const)
      expect((await server.call(profile.sendNumberCode, { body: { mobile: next, to } }, again.as)).status).toBe(200);
    const codes = { oldCode: await codeFor(server, old), newCode: await codeFor(server, next) };
    expect((await server.call(profile.changeNumber, { body: { mobile: next, ...codes } }, again.as)).status).toBe(200);

    await server.advance(40 * DAY);
    await sweep(db, await server.advance(1));
    expect(await db.selectFrom('group_orders').selectAll().where('code', '=', code).execute()).toEqual([]);
    const last = new Customer(server, await logIn(server, next), where, productId, next);
    expect(last.userId).toBe(me.userId);
    expect((await ask(last)).status).toBe(200);
    await server.advance(7 * DAY + 60);
    const all = await everything(db);
    const needles = [me.userId, old, theirs, next, 'Ottoline'];
    expect(all.filter((line) => needles.some((needle) => line.includes(needle)))).toEqual([]);
    expect(await violations(db)).toEqual([]);
  });
});
