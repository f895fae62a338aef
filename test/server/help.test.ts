import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as contract from '../../src/contract/help.ts';
import * as push from '../../src/contract/push.ts';
import * as stores from '../../src/contract/stores.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as serverText from '#text/server.ts';
import * as orderText from '#text/orders.ts';
import { timeText } from '../../src/domain/hours.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { refundExpected } from '../../src/server/call/bankDays.ts';
import { dayText, inLanguage, t } from '../../src/server/call/language.ts';
import { countryConfig } from '../../country/index.ts';
import { answerByPerson, waitingList } from '../../src/server/rules/help/operatorDesk.ts';

import { plannedLife } from '../../src/server/store/orders.ts';
import { engines } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { about, ask, eats, handsOver } from './claims.ts';
import { codeOf } from './people.ts';
import { pushService } from './pushService.ts';
import { type Customer, late, member, openShop, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('help with an order on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3600);

  const eaten = (who: Customer, quantity = 2, paymentMode: 'UPI' | 'COD' = 'UPI', size?: 'L') =>
    eats(server, who, { quantity, paymentMode, size });
  const handedOver = (who: Customer) => handsOver(server, who, { paymentMode: 'UPI' });
  const refundsOf = async (orderId: string) =>
    await db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute();
  const sumOf = (rows: readonly { amount: number }[]) => rows.reduce((sum, row) => sum + row.amount, 0);

  test('if one of two dishes is missing, half of their cost goes back the way it was paid, and only once [HIST-25] [API-73]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const order = await eaten(who);
    const guide = await who.call(contract.guide, { query: { orderId: order.orderId } });
    expect(guide.body.categories.filter((one) => one.isOpen).map((one) => one.id)).toEqual([
      'missing',
      'wrong',
      'cold',
      'damaged',
      'taste',
      'late',
      'bill',
      'payment',
    ]);
    expect(guide.body.items).toEqual([{ lineId: order.lines[0]!.lineId, left: 2, paid: 125_00, parts: [] }]);
    // The older calls: every kind of question there is, and those of this order.
    const older = (await who.call(contract.orderCategories, { query: { orderId: order.orderId } })).body.categories;
    expect(older).toEqual(guide.body.categories);
    const oldest = (await who.call(contract.categories, {})).body.categories.map(({ id }) => id);
    expect(oldest).toEqual(guide.body.categories.map(({ id }) => id));
    const quote = (await who.call(contract.quote, { body: about(order) })).body;
    // Both dishes are all that was paid for, with what the bill was rounded by.
    const amount = order.bill.total / 2;
    expect(quote).toMatchObject({ kind: 'PAY', amount });
    expect(quote.ways.map((way) => way.id)).toEqual(['SOURCE']);
    expect(quote.answer).toContain(`₹${amount / 100}`);

    const key = randomUUID();
    const { status, body } = await ask(who, about(order), key);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.ticket).toMatchObject({ state: 'DONE', money: { amount, way: 'SOURCE', state: 'STARTED' } });
    expect(body.ticket.answer).toMatch(new RegExp(`^₹${amount / 100} back to your UPI by \\w+,? \\d+`));
    expect((await ask(who, about(order), key)).body).toEqual(body);
    expect(await refundsOf(order.orderId)).toMatchObject([{ amount, reason: 'HELP' }]);
    // The order itself stands: what came back is told with the ticket.
    expect((await who.read(order.orderId)).refund).toBeNull();
    expect((await who.call(contract.status, { eventId: body.ticket.eventId })).body.ticket).toEqual(body.ticket);
    expect((await who.call(contract.tickets, {})).body.tickets.map((one) => one.eventId)).toEqual([
      body.ticket.eventId,
    ]);
    const both = about(order, { items: [{ lineId: order.lines[0]!.lineId, quantity: 2 }] });
    expect(codeOf(await ask(who, both))).toBe('HELP_CLAIMED');
    const stranger = await visitor(server, 'IN', PICKUP);
    expect((await stranger.call(contract.status, { eventId: body.ticket.eventId })).status).toBe(404);
    expect((await ask(stranger, about(order))).status).toBe(404);

    await server.advance(12 * 86_400);
    const later = (await who.call(contract.status, { eventId: body.ticket.eventId })).body.ticket;
    expect(later.money).toMatchObject({ state: 'PAID', amount });
    expect(later.answer).toMatch(/is back in your UPI since/);
  });

  test('half of a pizza is half of its price; a part that was named is not named again with the whole', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.call(cart.add, {
      cartId: who.cartId,
      body: {
        items: [
          {
            operationId: randomUUID(),
            line: { lineId: 'half', productId: 'PZ001', quantity: 1, size: 'M', build: { secondHalf: 'PZ002' } },
          },
        ],
        options: { storeId: '10101', deliveryType: 'PICKUP' },
      },
    });
    const order = await handedOver(who);
    const items = (part?: string) => [{ lineId: 'half', quantity: 1, ...(part === undefined ? {} : { part }) }];
    const guide = await who.call(contract.guide, { query: { orderId: order.orderId } });
    expect(guide.body.items[0]!.parts.map(({ id, left }) => [id, left])).toEqual([
      ['LEFT', 1],
      ['RIGHT', 1],
    ]);
    const whole = (await who.call(contract.quote, { body: about(order, { items: items() }) })).body.amount!;
    const left = (await ask(who, about(order, { items: items('LEFT') }))).body.ticket;
    expect(Math.abs(left.money!.amount - whole / 2)).toBeLessThanOrEqual(100);
    expect(left.items).toEqual([expect.stringContaining('left half')]);
    expect(codeOf(await ask(who, about(order, { items: items() })))).toBe('HELP_CLAIMED');
    expect((await ask(who, about(order, { items: items('RIGHT') }))).status).toBe(200);
    expect(codeOf(await ask(who, about(order, { items: items('SLOT-1') })))).toBe('HELP_ITEMS');
  });

  test('the customer chooses: back to UPI, or at once into the wallet, whose statement says why', async () => {
    const who = await member(server, 'IN', PICKUP);
    const order = await eaten(who);
    const { ways } = (await who.call(contract.quote, { body: about(order) })).body;
    expect(ways.map((way) => way.id)).toEqual(['SOURCE', 'WALLET']);
    const { ticket } = (await ask(who, about(order, { way: 'WALLET' }))).body;
    expect(ticket).toMatchObject({ money: { way: 'WALLET', state: 'PAID' } });
    const { body } = await who.call(wallet.statement, { query: {} });
    expect(JSON.stringify(body)).toContain(serverText.walletHelp({ number: order.orderNumber }));
    expect(await refundsOf(order.orderId)).toEqual([]);
    expect(codeOf(await ask(who, about(order, { issue: 'cold', way: 'COUNTER' })))).toBe('HELP_WAY');
  });

  test('each refusal says of what and why, in a quote as in a claim', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const order = await eaten(who, 1);
    const { lineId } = order.lines[0]!;
    type Errors = { errors?: { code: string; field?: string; displayMsg: string }[] };
    const refused = async (claim: contract.Claim) => {
      const both = [await who.call(contract.quote, { body: claim }), await ask(who, claim)];
      return both.map(({ status, body }) => {
        const { code, field, displayMsg } = (body as Errors).errors?.[0] ?? {};
        return [status, code, field, displayMsg];
      });
    };
    const twice = (...said: unknown[]) => [said, said];
    const { orderId } = order;
    for (const items of [[], [{ lineId: 'none', quantity: 1 }], [{ lineId, quantity: 2 }]])
      expect(await refused(about(order, { items }))).toEqual(twice(422, 'HELP_ITEMS', 'items', serverText.helpItems));
    expect(await refused({ orderId, issue: 'rider' })).toEqual(
      twice(409, 'HELP_CLOSED', 'issue', serverText.helpClosed({ state: 'SERVICE' })),
    );
    const elsewhere = await refused(about(order, { issue: 'cold', way: 'COUNTER' }));
    expect(elsewhere[1]).toEqual([422, 'HELP_WAY', 'way', serverText.helpWayGone]);
    const said = { orderId, issue: 'bill' } as const;
    for (const claim of [about(order), said]) {
      expect((await ask(who, claim)).status).toBe(200);
      expect(await refused(claim)).toEqual(twice(409, 'HELP_CLAIMED', undefined, serverText.helpClaimed));
    }
    // To a person it may be said once more.
    expect((await ask(who, { ...said, person: true })).status).toBe(200);
    expect(await refused({ ...said, person: true })).toEqual(
      twice(409, 'HELP_CLAIMED', undefined, serverText.helpClaimed),
    );
    await server.advance(8 * 86_400);
    expect(await refused(about(order))).toEqual(
      twice(409, 'HELP_CLOSED', 'issue', serverText.helpClosed({ state: 'OVER' })),
    );
  });

  test('a quote says what comes, how and by when; a ticket all that is known of it, to the one who asked', async () => {
    await openShop(server);
    const india = countryConfig('IN');
    const who = await member(server, 'IN', PICKUP);
    const order = await eaten(who, 2);
    const [line] = order.lines;
    const at = await server.advance(0);
    const claim = about(order);
    const quote = (await who.call(contract.quote, { body: claim })).body;
    const amount = quote.amount!;
    const paid = formatMoney(amount, india);
    expect(quote.answer).toBe(serverText.helpWillPay({ amount: paid, share: 'ALL' }));
    const date = dayText(refundExpected(at, 'INR').to, india);
    expect(quote.ways).toEqual([
      {
        id: 'SOURCE',
        label: serverText.helpWay({ way: 'SOURCE', label: 'UPI' }),
        detail: serverText.helpWayWhen({ way: 'SOURCE', date, amount: paid }),
      },
      {
        id: 'WALLET',
        label: serverText.helpWay({ way: 'WALLET', label: 'UPI' }),
        detail: serverText.helpWayWhen({ way: 'NOW', date, amount: paid }),
      },
    ]);
    const part = (await who.call(contract.quote, { body: about(order, { issue: 'cold' }) })).body;
    expect(part.answer).toBe(serverText.helpWillPay({ amount: formatMoney(part.amount!, india), share: 'PART' }));
    const words = (await who.call(contract.quote, { body: { orderId: order.orderId, issue: 'bill' } })).body;
    expect([words.kind, words.amount, words.ways]).toEqual(['PERSON', null, []]);
    const clock = (time: number) => timeText(time, india.timeZone, orderText.clock);
    expect(
      [0, 1].map((minute) => serverText.helpWillAsk({ reason: 'RULE', time: clock(at + (30 + minute) * 60_000) })),
    ).toContain(words.answer);

    const { ticket } = (await ask(who, { ...claim, comment: '  ' })).body;
    const { by } = ticket.money!;
    expect(dayText(by, india)).toBe(date);
    const same = { orderId: order.orderId, orderNumber: order.orderNumber, items: [`1 × ${line!.product.name}`] };
    expect(ticket).toEqual({
      ...{ ...same, eventId: ticket.eventId, issue: 'missing', label: serverText.helpIssue({ issue: 'missing' }) },
      ...{ state: 'DONE', comment: null, createdAt: ticket.createdAt, answeredAt: ticket.createdAt, answerBy: null },
      money: { amount, way: 'SOURCE', label: quote.ways[0]!.label, state: 'STARTED', by },
      answer: serverText.helpMoney({
        ...{ amount: paid, label: quote.ways[0]!.label, date, number: order.orderNumber, state: 'COMES' },
      }),
      mayAskPerson: false,
    });
    const asked = (await ask(who, { ...about(order, { issue: 'taste' }), person: true })).body.ticket;
    expect(asked).toEqual({
      ...{ ...same, eventId: asked.eventId, issue: 'taste', label: serverText.helpIssue({ issue: 'taste' }) },
      ...{ state: 'PERSON', comment: null, createdAt: asked.createdAt, answeredAt: null, money: null },
      answerBy: asked.createdAt + 30 * 60_000,
      answer: serverText.helpWaits({ time: clock(asked.createdAt + 30 * 60_000) }),
      mayAskPerson: false,
    });
    // The newest first, and each as it was told.
    expect((await who.call(contract.tickets, {})).body.tickets).toEqual([asked, ticket]);
  });

  test('a dish of a combo is named by its own name, and costs its part of the combo', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.call(cart.add, {
      cartId: who.cartId,
      body: {
        items: [{ operationId: randomUUID(), line: { lineId: 'combo', productId: 'DL001', quantity: 1 } }],
        options: { storeId: '10101', deliveryType: 'PICKUP' },
      },
    });
    const order = await handedOver(who);
    const slots = order.lines[0]!.slots!;
    const guide = await who.call(contract.guide, { query: { orderId: order.orderId } });
    expect(guide.body.items[0]!.parts.map(({ id, label, left }) => [id, label, left])).toEqual(
      slots.map(({ name }, index) => [`SLOT-${index}`, name, 1]),
    );
    const items = [{ lineId: 'combo', quantity: 1, part: 'SLOT-2' }];
    const { ticket } = (await ask(who, about(order, { items }))).body;
    expect(ticket.items).toHaveLength(1);
    expect(ticket.items[0]).toContain(slots[2]!.name);
    expect(ticket.items[0]).not.toContain(slots[1]!.name);
  });

  test('what the wallet paid alone goes back there at once, and there is no other way', async () => {
    const who = await member(server, 'IN', PICKUP);
    await server.call(wallet.credit, { body: { mobile: who.mobile, amount: 500_000 } });
    const { bill } = await who.fill(1);
    const order = await handsOver(server, who, { body: { funds: { wallet: bill.total } } });
    const { ways } = (await who.call(contract.quote, { body: about(order) })).body;
    expect(ways.map(({ id, label }) => [id, label])).toEqual([
      ['SOURCE', serverText.helpWay({ way: 'SOURCE', label: 'Pizza wallet' })],
    ]);
    expect(ways[0]!.detail).toBe(
      serverText.helpWayWhen({ way: 'NOW', date: '', amount: formatMoney(bill.total, countryConfig('IN')) }),
    );
    const { ticket } = (await ask(who, about(order))).body;
    expect(ticket.money).toMatchObject({ way: 'SOURCE', label: ways[0]!.label, state: 'PAID', by: ticket.createdAt });
    expect((await who.call(wallet.summary, {})).body.balance).toBe(500_000 - bill.total + ticket.money!.amount);
  });

  test('help answers a subscribed browser in its page’s language and sends no SMS; a browser that is gone is asked no more', async () => {
    await openShop(server);
    const service = pushService();
    await service.listen();
    try {
      const who = await visitor(server, 'IN', PICKUP);
      const order = await eaten(who, 1);
      const { orderId, orderNumber: number } = order;
      const [english, hindi] = [service.browser('english'), service.browser('hindi')];
      await who.call(push.subscribe, { body: { subscription: english.subscription, mount: '/in/' } });
      const spoken = { 'accept-language': 'hi-IN' };
      await who.call(push.subscribe, { body: { subscription: hindi.subscription, mount: '/in/hi/' } }, spoken);
      const refuses = async (claim: contract.Claim, sentence: string) => {
        const { eventId } = (await ask(who, claim)).body.ticket;
        await db.deleteFrom('jobs').where('kind', '=', 'help.desk').execute();
        await answerByPerson(db, eventId, { isRefused: true, sentence });
        await server.advance(1);
        return eventId;
      };
      const heard = (name: string) => service.got.filter((one) => one.path === `/${name}`);
      const texts = async (eventId: string) =>
        (await server.inbox(`+91${who.mobile}`)).filter((text) => text.includes(`ticket/${eventId}`));

      const first = await refuses({ orderId, issue: 'bill' }, 'The bill is right.');
      await expect.poll(() => [heard('english').length, heard('hindi').length]).toEqual([1, 1]);
      const news = { body: 'The bill is right.', tag: first };
      const title = inLanguage('hi', () => t.helpNewsTitle({ number }));
      expect([english.read(heard('english')[0]!.body), hindi.read(heard('hindi')[0]!.body)]).toEqual([
        { ...news, title: serverText.helpNewsTitle({ number }), path: `/in/ticket/${first}` },
        { ...news, title, path: `/in/hi/ticket/${first}` },
      ]);
      expect(title).not.toBe(serverText.helpNewsTitle({ number }));

      const of = (tag: string) =>
        heard('english')
          .map(({ body }) => english.read(body))
          .filter((one) => (one as { tag?: string }).tag === tag);
      service.answer(410);
      const second = await refuses({ orderId, issue: 'payment' }, 'You were charged once.');
      await expect.poll(() => of(second).length).toBe(1);
      const counts = [heard('english').length, heard('hindi').length];
      expect((await Promise.all([first, second].map(texts))).flat()).toEqual([]);
      const third = await refuses({ orderId, issue: 'payment', person: true }, 'Once, and no more.');
      const link = `${server.url.replace('127.0.0.1', 'localhost')}/in/ticket/${third}`;
      const { appName: app } = countryConfig('IN');
      expect(await texts(third)).toEqual([serverText.helpNewsSms({ app, number, answer: 'Once, and no more.', link })]);
      expect([heard('english').length, heard('hindi').length]).toEqual(counts);
    } finally {
      service.close();
    }
  });

  test('no money is put into a wallet that is switched off [CFG-X03]', async () => {
    const who = await member(server, 'IN', PICKUP);
    const order = await eaten(who);
    const ways = async () => (await who.call(contract.quote, { body: about(order) })).body.ways.map((way) => way.id);
    await server.switches({ features: JSON.stringify({ features: [{ name: 'wallet', value: 'D' }] }) });
    try {
      expect(await ways()).toEqual(['SOURCE']);
    } finally {
      await server.switches({ features: JSON.stringify({ features: [] }) });
    }
    expect(await ways()).toEqual(['SOURCE', 'WALLET']);
  });

  test('cash comes back as an e-voucher of the guest, and over the counter where there is neither wallet nor e-voucher', async () => {
    for (const [country, way] of [
      ['LK', 'VOUCHER'],
      ['BG', 'COUNTER'],
    ] as const) {
      const who = await visitor(server, country);
      const order = await eaten(who, 1, 'COD');
      const { ticket } = (await ask(who, about(order, { issue: 'cold' }))).body;
      expect(ticket, country).toMatchObject({ state: 'DONE', money: { way } });
      expect(await refundsOf(order.orderId)).toEqual([]);
      if (way === 'VOUCHER') {
        expect((await who.call(vouchers.balance, {})).body.vouchers).toMatchObject([{ balance: ticket.money!.amount }]);
      } else expect(ticket.answer).toContain(order.orderNumber);
    }
  });

  test('after three claims in a month a person decides and says the outcome, and answers by the shop’s clock', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const claims = [];
    for (let n = 0; n < 4; n += 1) claims.push((await ask(who, about(await eaten(who, 1)))).body.ticket);
    expect(claims.map((ticket) => ticket.state)).toEqual(['DONE', 'DONE', 'DONE', 'PERSON']);
    const { eventId, answer, money } = claims[3]!;
    expect(money).toBeNull();
    expect(answer).toMatch(/answers by \d/);
    await server.advance(1300);
    const { ticket } = (await who.call(contract.status, { eventId })).body;
    expect(ticket).toMatchObject({ state: 'DONE', money: { way: 'SOURCE' } });
    expect((await server.inbox(`+91${who.mobile}`)).some((text) => text.includes(`ticket/${eventId}`))).toBe(true);
    // A month later it begins again.
    await server.advance(31 * 86_400);
    await openShop(server);
    expect((await ask(who, about(await eaten(who, 1)))).body.ticket.state).toBe('DONE');
  });

  test('who asked where it stays while it was under way may still say that it came late', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { order, next } = await who.order();
    await pay(server, next);
    await who.confirm(order);
    const claim = { orderId: order.orderId, issue: 'late' } as const;
    expect((await ask(who, claim)).body.ticket).toMatchObject({ answer: serverText.helpOnItsWay, money: null });
    const { life } = await db
      .selectFrom('orders')
      .select('life')
      .where('id', '=', order.orderId)
      .executeTakeFirstOrThrow();
    const plan = JSON.parse(life!) as { steps: { at: number }[] };
    plan.steps.at(-1)!.at += 3_600_000;
    await db
      .updateTable('orders')
      .set({ life: JSON.stringify(plan) })
      .where('id', '=', order.orderId)
      .execute();
    await server.advance(7200);
    const { ticket } = (await ask(who, claim)).body;
    expect(ticket).toMatchObject({ state: 'DONE', money: { amount: Math.round(order.bill.total / 1000) * 100 } });
    expect(codeOf(await ask(who, claim))).toBe('HELP_CLAIMED');
  });

  test('another number with each order does not make another customer of an account', async () => {
    const who = await member(server, 'IN', PICKUP);
    const states = [];
    for (let n = 0; n < 4; n += 1) {
      await who.fill(1);
      const customer = { firstName: 'Asha', lastName: 'Rao', mobile: (await visitor(server)).mobile };
      const { body } = await who.submit({ body: { customer } });
      await pay(server, body.next);
      await who.confirm(body.order);
      await server.advance(2400);
      states.push((await ask(who, about(await who.read(body.order.orderId)))).body.ticket.state);
    }
    expect(states).toEqual(['DONE', 'DONE', 'DONE', 'PERSON']);
  });

  /** What an operator types, and reads. */
  const tickets = (...typed: string[]) =>
    new Promise<{ code: number; said: string }>((done) => {
      const script = path.resolve(import.meta.dirname, '../../src/server/commands/tickets.ts');
      const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: server.database.target };
      execFile(process.execPath, [script, ...typed], { env }, (error, out, wrong) =>
        done({ code: Number(error?.code ?? 0), said: (out + wrong).trim() }),
      );
    });

  test('the operator sees who waits, answers each once with money or a refusal, and never gives more than is left', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const order = await eaten(who, 1);
    const said = { orderId: order.orderId, comment: 'Charged for a dip that I did not have.' };
    const bill = (await ask(who, { ...said, issue: 'bill' })).body.ticket;
    const paying = (await ask(who, { orderId: order.orderId, issue: 'payment' })).body.ticket;
    expect([bill.state, paying.state]).toEqual(['PERSON', 'PERSON']);
    const listed = (await tickets()).said;
    for (const part of [bill.eventId, paying.eventId, `order ${order.orderNumber}@`, said.comment, 'to be answered by'])
      expect(listed).toContain(part);

    const wrong = await tickets('--answer', bill.eventId, '--amount', '100000');
    expect(wrong).toEqual({ code: 1, said: expect.stringContaining('of this order can go back') });
    for (const [answer, why] of [
      [{ amount: 'ten', isRefused: false }, '--amount ten is no amount of money'],
      [{ isRefused: true }, 'a refusal needs --say'],
    ] as const)
      await expect(answerByPerson(db, bill.eventId, answer)).rejects.toThrow(why);
    expect(await answerByPerson(db, 'tsg_nobody', { isRefused: false })).toBeNull();
    expect(await refundsOf(order.orderId)).toEqual([]);

    const sentence = 'The dip should not have been on the bill.';
    const both = await Promise.allSettled([
      tickets('--answer', bill.eventId, '--amount', '40.50', '--say', sentence).then(({ said: told, code }) =>
        code === 0 ? told : Promise.reject(new Error(told)),
      ),
      answerByPerson(db, bill.eventId, { amount: '40.50', isRefused: false, sentence }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const late = both.find((one) => one.status === 'rejected');
    expect(String(late?.reason)).toContain(`${bill.eventId} is answered already`);
    const refused = await tickets('--answer', paying.eventId, '--refuse', '--say', 'You were charged once.');
    expect(refused).toMatchObject({ code: 0, said: 'The customer is told: You were charged once.' });
    expect(await refundsOf(order.orderId)).toMatchObject([{ amount: 4_050, reason: 'HELP' }]);
    const { ticket } = (await who.call(contract.status, { eventId: bill.eventId })).body;
    expect(ticket).toMatchObject({ state: 'DONE', money: { amount: 4_050 } });
    expect(ticket.answer).toMatch(/^The dip should not have been on the bill\. ₹40\.50 back to your UPI by /);
    await server.advance(1300);
    const told = (await server.inbox(`+91${who.mobile}`)).filter((text) => text.includes(`ticket/${bill.eventId}`));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(sentence);
  });

  test('what waits for a person is listed whole: which dish of which order, what it is worth, and by when; after that it is late', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const order = await eaten(who, 1);
    const [line] = order.lines;
    const { ticket } = (await ask(who, about(order, { person: true, comment: ' It was squashed. ' }))).body;
    expect(ticket).toMatchObject({ state: 'PERSON', comment: 'It was squashed.' });
    const { worth, reason } = await db
      .selectFrom('help_tickets')
      .select(['worth', 'reason'])
      .where('id', '=', ticket.eventId)
      .executeTakeFirstOrThrow();
    expect(reason).toBe('ASKED');
    const clock = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    const money = (amount: number) => formatMoney(amount as never, countryConfig('IN'));
    const own = async () => (await waitingList(db)).find((text) => text.startsWith(ticket.eventId))?.split('\n');
    const rest = [
      `  order ${order.orderNumber}@10101 in IN, ${order.orderId}; asked ${clock(ticket.createdAt)}; why a person: ASKED`,
      `  1 × ${line!.product.name}`,
      '  “It was squashed.”',
      `  worth ${money(worth)}, at most ${money(order.bill.total)} can go back`,
    ];
    const head = `${ticket.eventId}  ${ticket.label}`;
    expect(await own()).toEqual([`${head}  to be answered by ${clock(ticket.answerBy!)} UTC`, ...rest]);
    // Nobody has come to it in time.
    const due = ticket.createdAt - 60_000;
    const set = (values: { answer_by?: number; pieces?: string; comment?: null }) =>
      db.updateTable('help_tickets').set(values).where('id', '=', ticket.eventId).execute();
    await set({ answer_by: due, pieces: '[]', comment: null });
    expect(await own()).toEqual([`${head}  LATE, was to be answered by ${clock(due)} UTC`, rest[0], rest[3]]);
    for (const answer of [
      { amount: '10', isRefused: true, sentence: 'No.' },
      { amount: '0', isRefused: false },
      { amount: '-5', isRefused: false },
      { isRefused: true, sentence: '  ' },
    ])
      await expect(answerByPerson(db, ticket.eventId, answer)).rejects.toThrow(/refusal needs|no amount of money/);
    expect(await refundsOf(order.orderId)).toEqual([]);
    // What the rules say, where nothing else is said.
    expect(await answerByPerson(db, ticket.eventId, { isRefused: false })).toMatch(/^₹[\d,.]+ back to your UPI by /);
    expect(await own()).toBeUndefined();
    expect(await refundsOf(order.orderId)).toMatchObject([
      { reason: 'HELP', amount: expect.closeTo(worth, -2) as number },
    ]);
  });

  test('without a named amount the rules set it: a share of the dishes, or all that is left of an order that never came', async () => {
    const who = await visitor(server);
    const order = await eaten(who, 3);
    const decided = async (claim: contract.Claim, amount?: string) => {
      const { ticket } = (await ask(who, { ...claim, person: true })).body;
      expect(ticket.state).toBe('PERSON');
      await answerByPerson(db, ticket.eventId, { amount, isRefused: false });
      return (await who.call(contract.status, { eventId: ticket.eventId })).body.ticket.money?.amount;
    };
    expect(await decided({ orderId: order.orderId, issue: 'bill' }, '40.70')).toBe(4_070);
    for (const issue of ['cold', 'taste'] as const) {
      const claim = about(order, { issue });
      const { amount } = (await who.call(contract.quote, { body: claim })).body;
      expect(amount).toBeGreaterThan(0);
      expect(await decided(claim), issue).toBe(amount);
    }
    const left = order.bill.total - sumOf(await refundsOf(order.orderId));
    expect(await decided({ orderId: order.orderId, issue: 'notDelivered' })).toBe(left);
  });

  test('more than the limit of an order goes to a person, as does what nobody can know by rule; late is late', async () => {
    const who = await visitor(server);
    const order = await eaten(who, 4, 'UPI', 'L');
    const all = about(order, { items: [{ lineId: order.lines[0]!.lineId, quantity: 4 }] });
    expect((await who.call(contract.quote, { body: all })).body.kind).toBe('PERSON');
    for (const issue of ['notDelivered', 'rider', 'bill', 'payment'] as const)
      expect((await who.call(contract.quote, { body: { orderId: order.orderId, issue } })).body.kind, issue).toBe(
        'PERSON',
      );
    const { body } = await who.call(contract.quote, { body: { orderId: order.orderId, issue: 'late' } });
    expect(body.kind).toBe('ANSWER');
    const told = await ask(who, { orderId: order.orderId, issue: 'late' });
    expect(told.body.ticket).toMatchObject({ state: 'DONE', money: null, mayAskPerson: true });
    expect(codeOf(await ask(who, { orderId: order.orderId, issue: 'late' }))).toBe('HELP_CLAIMED');
    expect((await ask(who, { orderId: order.orderId, issue: 'late', person: true })).body.ticket.state).toBe('PERSON');
    await server.advance(2 * 86_400);
    expect((await who.call(contract.quote, { body: about(order) })).body.kind).toBe('PERSON');
    await server.advance(6 * 86_400);
    expect(codeOf(await ask(who, about(order)))).toBe('HELP_CLOSED');
  });

  test('an order that is not there yet can only be late or about money; one that was cancelled says where its money is', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { order, next } = await who.order();
    await pay(server, next);
    await who.confirm(order);
    expect(codeOf(await ask(who, about(order)))).toBe('HELP_CLOSED');
    expect((await who.call(contract.quote, { body: { orderId: order.orderId, issue: 'late' } })).body.answer).toBe(
      serverText.helpOnItsWay,
    );
    await who.cancel(order.orderId);
    const { ticket } = (await ask(who, { orderId: order.orderId, issue: 'payment' })).body;
    const [refund] = await refundsOf(order.orderId);
    const by = dayText(refund!.expected_to, countryConfig('IN'));
    expect(ticket.answer).toMatch(new RegExp(`₹.* is on its way back and arrives by ${by}`));
  });

  test('a claim that an order came late, which it did not, is answered with the handover time and what was said', async () => {
    await openShop(server);
    const { timeZone } = countryConfig('IN');
    const clock = (at: number) => timeText(at, timeZone, orderText.clock);
    for (const [who, isPromised] of [
      [await visitor(server), true],
      [await visitor(server, 'IN', PICKUP), false],
    ] as const) {
      const { orderId } = await eaten(who, 1);
      const row = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
      expect(row.promise_deadline !== null).toBe(isPromised);
      const stated = row.promise_deadline ?? plannedLife(row)!.first!.to + 15 * 60_000;
      const quote = (await who.call(contract.quote, { body: { orderId, issue: 'late' } })).body;
      expect(quote).toMatchObject({ kind: 'ANSWER', amount: null, ways: [] });
      expect(quote.answer).toBe(serverText.helpInTime({ time: clock(row.finished_at!), stated: clock(stated) }));
    }
  });

  test('who asks why it came late is told what the promise has given back by itself: by when, or less at the door [ORD-26]', async () => {
    await openShop(server);
    const lateAnswer = async (who: Customer, orderId: string) =>
      (await who.call(contract.quote, { body: { orderId, issue: 'late' } })).body.answer;
    const online = await member(server);
    const { order, next } = await online.order();
    await pay(server, next);
    await online.confirm(order);
    await late(server, db, order.orderId);
    await online.read(order.orderId);
    const [refund] = await refundsOf(order.orderId);
    const by = dayText(refund!.expected_to, countryConfig('IN'));
    expect(await lateAnswer(online, order.orderId)).toBe(
      serverText.helpPromisePaid({ way: 'REFUND', amount: `₹${refund!.amount / 100}`, date: by }),
    );
    const atDoor = await member(server);
    await atDoor.fill(3, 'L');
    const placed = (await atDoor.submit({ paymentMode: 'COD' })).body.order;
    await late(server, db, placed.orderId);
    await atDoor.read(placed.orderId);
    expect(await lateAnswer(atDoor, placed.orderId)).toMatch(/^We were late, .*: you paid ₹300 less at the door\.$/);
  });

  test('an order under way gives nothing back yet, whoever is asked: its cancellation or its promise may give back all of it', async () => {
    await openShop(server);
    const probe = await visitor(server);
    const { timeSlots } = (await probe.call(stores.byId, { storeId: '10101', query: { timeSlots: 'true' } })).body;
    const planned = await member(server, 'IN', { ...probe.where, slotId: timeSlots!.at(-1)!.id });
    const hurried = await member(server);
    const placed = [];
    for (const who of [planned, hurried]) {
      const { order, next } = await who.order();
      await pay(server, next);
      await who.confirm(order);
      const claim = { orderId: order.orderId, issue: 'late', person: true, way: 'WALLET' } as const;
      expect((await ask(who, claim)).body.ticket.state).toBe('PERSON');
      placed.push(order);
    }
    await late(server, db, placed[1]!.orderId);
    expect((await planned.cancel(placed[0]!.orderId)).body.order.orderStatus).toBe('CANCELLED');
    await server.advance(60);
    for (const order of placed) expect(sumOf(await refundsOf(order.orderId))).toBe(order.bill.total);
    expect((await planned.call(contract.tickets, {})).body.tickets).toMatchObject([{ state: 'DONE', money: null }]);
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  test('sixteen at once for the same dish pay it once, and four for four dishes of a customer stay within what the rules give', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const order = await eaten(who, 1);
    const many = await Promise.all(Array.from({ length: 16 }, () => ask(who, about(order))));
    expect(many.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(sumOf(await refundsOf(order.orderId))).toBe(
      many.find(({ status }) => status === 200)!.body.ticket.money!.amount,
    );

    const orders = [];
    for (let n = 0; n < 4; n += 1) orders.push(await eaten(who, 1));
    const answers = await Promise.all(orders.map((own) => ask(who, about(own))));
    expect(answers.map(({ body }) => body.ticket.state).sort()).toEqual(['DONE', 'DONE', 'PERSON', 'PERSON']);
    await server.advance(1);
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  test('whatever is claimed of whatever was ordered, and whether it is cancelled: never more goes back than was paid', async () => {
    const claims = fc.array(
      fc.record({
        issue: fc.constantFrom(...contract.Issue.options),
        line: fc.nat(1),
        quantity: fc.integer({ min: 1, max: 4 }),
        person: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ quantity: fc.integer({ min: 1, max: 5 }), cancels: fc.boolean(), claims }),
        async (plan) => {
          await openShop(server);
          const who = await visitor(server, 'IN', PICKUP);
          await who.fill(plan.quantity);
          const { body } = await who.submit({ paymentMode: 'UPI' });
          await pay(server, body.next);
          await who.confirm(body.order);
          if (plan.cancels) await who.cancel(body.order.orderId);
          await server.advance(2400);
          const order = await who.read(body.order.orderId);
          await Promise.all(
            plan.claims.map(({ issue, line, quantity, person }) =>
              ask(who, {
                orderId: order.orderId,
                issue,
                person,
                items: [{ lineId: order.lines[line % order.lines.length]!.lineId, quantity }],
              }),
            ),
          );
          if (plan.cancels) await who.cancel(order.orderId);
          await server.advance(1300);
          expect(await violations(db, { settled: true })).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('inside a payment app there is no help desk', async () => {
    const who = await visitor(server, 'IN', PICKUP, 'in-gpay');
    for (const path of [contract.categories, contract.tickets] as const)
      expect(codeOf(await who.call(path, {}))).toBe('FEATURE_BLOCKED');
  });
});
