import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as serverText from '#text/server.ts';
import { countryConfig } from '../../country/index.ts';
import * as contract from '../../src/contract/feedback.ts';
import * as push from '../../src/contract/push.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as errors from '#text/errors.ts';
import { feedbackState, feedbackView, orderSummary, templateView } from '../../src/server/rules/feedback/feedback.ts';

import type { FeedbackRow } from '../../src/server/store/feedback.ts';
import type { OrderRow } from '../../src/server/store/orders.ts';
import { engines } from '../kit/server.ts';
import { codeOf, logIn } from './people.ts';
import { pushService } from './pushService.ts';
import { Customer, openShop, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const COMMENT = 'The crust was just right, and the rider found us.';

describe.each(await engines())('feedback on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3600);

  async function eaten(who: Customer): Promise<OrderView> {
    const { order, next } = await who.order();
    await pay(server, next);
    await who.confirm(order);
    await server.advance(2400);
    return await who.read(order.orderId);
  }
  const said = { overall: 4, nps: 9, aspects: ['taste' as const], comment: COMMENT };
  const rate = (who: Customer, body: Parameters<typeof send>[1]) => send(who, body);
  const send = (who: Customer, body: typeof said & { orderId: string; token?: string }, key: string = randomUUID()) =>
    who.call(contract.submit, { body }, { 'idempotency-key': key });
  const open = (who: Customer, orderId: string, token?: string) =>
    who.call(contract.template, { query: { orderId, ...(token === undefined ? {} : { token }) } });
  const linkIn = async (mobile: string) => {
    const text = (await server.inbox(`+91${mobile}`)).find((one) => one.includes('/uf?')) ?? '';
    const query = new URLSearchParams(/\/uf\?(\S+)/.exec(text)?.[1] ?? '');
    return { orderId: query.get('orderId') ?? '', token: query.get('token') ?? '' };
  };

  test('feedback is asked for, given, changed and added to; a second time it is already rated [HIST-18] [HIST-23] [API-74]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const order = await eaten(who);
    const asked = (await open(who, order.orderId)).body;
    expect(asked).toMatchObject({
      state: 'OPEN',
      feedback: null,
      template: { nps: { min: 0, max: 10 }, overall: { max: 5 }, comment: { minChars: 30, maxChars: 250 } },
      order: { orderNumber: order.orderNumber },
    });
    // Nobody brought what was collected.
    expect(asked.template.aspects.map(({ id }) => id)).not.toContain('rider');
    const key = randomUUID();
    const first = await send(who, { orderId: order.orderId, ...said }, key);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect((await send(who, { orderId: order.orderId, ...said }, key)).body).toEqual(first.body);
    const again = await rate(who, { orderId: order.orderId, ...said });
    expect([again.status, (again.body as { errors?: unknown }).errors]).toEqual([
      409,
      [expect.objectContaining({ code: 'ALREADY_RATED', displayMsg: 'You have already rated this order' })],
    ]);
    const { feedbackId } = first.body.feedback;
    const changed = await who.call(contract.update, { feedbackId, body: { ...said, overall: 2, aspects: ['heat'] } });
    expect(changed.body.feedback).toMatchObject({ overall: 2, helps: [{ issue: 'cold' }] });
    await who.call(contract.additional, { body: { feedbackId, comment: 'And the dip was missing.' } });
    expect((await open(who, order.orderId)).body).toMatchObject({
      state: 'RATED',
      feedback: { overall: 2, additional: 'And the dip was missing.' },
    });
    const stranger = await visitor(server, 'IN', PICKUP);
    expect((await stranger.call(contract.update, { feedbackId, body: said })).status).toBe(404);
    await server.advance(8 * 86_400);
    expect(codeOf(await who.call(contract.update, { feedbackId, body: said }))).toBe('FEEDBACK_OVER');
  });

  test('what is still on its way, or was called off, takes no rating, and the reason is said', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { order, next } = await who.order();
    const rated = async (orderId: string) => {
      const { status, body } = await rate(who, { orderId, ...said });
      const [error] = (body as { errors?: { code: string; displayMsg: string }[] }).errors ?? [];
      return [status, error?.code, error?.displayMsg];
    };
    expect(await rated(order.orderId)).toEqual([409, 'FEEDBACK_EARLY', serverText.feedbackEarly]);
    await pay(server, next);
    await who.confirm(order);
    expect(await rated(order.orderId)).toEqual([409, 'FEEDBACK_EARLY', serverText.feedbackEarly]);
    await who.cancel(order.orderId);
    expect(await rated(order.orderId)).toEqual([409, 'FEEDBACK_OVER', serverText.feedbackOver]);
    expect((await open(who, order.orderId)).body).toMatchObject({ state: 'CLOSED', feedback: null });
  });

  test('an order is rated at its own path as well: by whoever ordered, once, by the rules of the form [API-43]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { orderId } = await eaten(who);
    const at = (one: Customer, body: object, key: string = randomUUID()) =>
      one.call(contract.ofOrder, { orderId, body: { ...said, ...body } }, { 'idempotency-key': key });
    expect(codeOf(await at(await visitor(server, 'IN', PICKUP), {}))).toBe('LOGIN');
    expect(codeOf(await at(who, { comment: 'Too short.' }))).toBe('FEEDBACK');
    const key = randomUUID();
    // What is said twice is kept once, and without the blanks around it.
    const more = { aspects: ['taste' as const, 'taste' as const], comment: `  ${COMMENT} ` };
    const first = await at(who, more, key);
    expect(first.body.feedback).toMatchObject({ overall: 4, nps: 9, aspects: ['taste'], comment: COMMENT });
    // The form's own call is the same one, also for an answer that was lost.
    expect((await send(who, { orderId, ...said, ...more }, key)).body).toEqual(first.body);
    expect((await open(who, orderId)).body).toMatchObject({ state: 'RATED', feedback: { overall: 4 } });
    expect(codeOf(await at(who, {}))).toBe('ALREADY_RATED');
  });

  test('30 to 250 characters as a person counts them, and both ratings, each with its sentence [HIST-19] [HIST-20] [HIST-21]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { orderId } = await eaten(who);
    const wrong = async (more: object) =>
      (
        (await who.call(contract.submit, { body: { orderId, ...said, ...more } }, { 'idempotency-key': randomUUID() }))
          .body as unknown as { errors: { field: string; displayMsg: string }[] }
      ).errors.map(({ field, displayMsg }) => [field, displayMsg]);
    expect(await wrong({ comment: 'x'.repeat(29) })).toEqual([
      ['comment', 'Your feedback should have at least 30 characters'],
    ]);
    expect(await wrong({ comment: 'x'.repeat(251) })).toEqual([
      ['comment', 'You have reached maximum character limit of 250'],
    ]);
    expect(await wrong({ overall: null, nps: null })).toEqual([
      ['nps', errors.npsMissing],
      ['overall', errors.ratingMissing],
    ]);
    expect(await wrong({ nps: 11 })).toEqual([['nps', errors.npsMissing]]);
    // 250 signs of a family each are 250 characters, whatever they take to write.
    const families = await send(who, { orderId, ...said, comment: '👨‍👩‍👧'.repeat(250) });
    expect(families.status, JSON.stringify(families.body)).toBe(200);
  });

  test('a feedback link is sent once, an hour after handover, unless rated or unwanted, and opens only for its number [HIST-24]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { orderId, orderNumber: number } = await eaten(who);
    await server.advance(3 * 3600);
    const link = await linkIn(who.mobile);
    expect(link.orderId).toBe(orderId);
    const { appName: app } = countryConfig('IN');
    const address = `${server.url.replace('127.0.0.1', 'localhost')}/in/uf?orderId=${orderId}&token=${link.token}`;
    expect(await server.inbox(`+91${who.mobile}`)).toContain(serverText.feedbackAskSms({ app, number, link: address }));
    await server.advance(86_400);
    expect((await server.inbox(`+91${who.mobile}`)).filter((text) => text.includes('/uf?'))).toHaveLength(1);

    // On another phone: a guest has to log in first, whether the link is one or not.
    const elsewhere = await visitor(server, 'IN', PICKUP);
    for (const [id, token] of [
      [orderId, link.token],
      [orderId, 'guessed'],
      ['ord_none', undefined],
    ] as const)
      expect(codeOf(await open(elsewhere, id, token)), id).toBe('LOGIN');
    const stranger = new Customer(server, await logIn(server, '9811122233'), PICKUP, 'PZ001', '9811122233');
    for (const token of [undefined, 'guessed', link.token]) {
      const refused = await open(stranger, orderId, token);
      expect(codeOf(refused)).toBe('NOT_FOUND');
      expect(JSON.stringify(refused.body)).toContain("We're sorry. The link you clicked is not a working one!");
      expect(codeOf(await send(stranger, { orderId, ...said, ...(token === undefined ? {} : { token }) }))).toBe(
        'NOT_FOUND',
      );
    }
    const theirs = new Customer(server, await logIn(server, who.mobile), PICKUP, 'PZ001', who.mobile);
    expect(codeOf(await open(theirs, orderId, 'guessed'))).toBe('NOT_FOUND');
    expect((await open(theirs, orderId, link.token)).body.state).toBe('OPEN');
    const low = { ...said, overall: 1, aspects: ['heat' as never] };
    expect((await send(theirs, { orderId, token: link.token, ...low })).body.feedback.helps).toEqual([]);
    // Money is a matter of the one whose order it is.
    expect((await open(who, orderId)).body).toMatchObject({ state: 'RATED', feedback: { helps: [{ issue: 'cold' }] } });
  });

  test('who has asked a browser for news is asked there, and not before an hour has gone since the food was handed over', async () => {
    await openShop(server);
    const service = pushService();
    await service.listen();
    try {
      const who = await visitor(server, 'IN', PICKUP);
      const phone = service.browser('phone');
      await who.call(push.subscribe, { body: { subscription: phone.subscription, mount: '/in/' } });
      const { order, next } = await who.order();
      await pay(server, next);
      await who.confirm(order);
      const { orderId, orderNumber: number } = order;
      const { life } = await db.selectFrom('orders').select('life').where('id', '=', orderId).executeTakeFirstOrThrow();
      const plan = JSON.parse(life!) as { steps: { at: number }[] };
      const handedOver = plan.steps.at(-1)!;
      handedOver.at += 3_600_000;
      const changed = { life: JSON.stringify(plan) };
      await db.updateTable('orders').set(changed).where('id', '=', orderId).execute();
      const asked = () =>
        service.got.flatMap(({ body }) => {
          const news = phone.read(body);
          return news.title === serverText.feedbackAskTitle({ number }) ? [news] : [];
        });
      const until = async (at: number) => await server.advance(Math.floor((at - (await server.advance(0))) / 1000));
      await until(handedOver.at + 59 * 60_000);
      expect((await who.read(orderId)).orderStatus).toBe('PICKED');
      expect(asked()).toEqual([]);
      await until(handedOver.at + 61 * 60_000);
      const { token } = await db
        .selectFrom('feedback_asks')
        .select('token')
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow();
      await expect.poll(asked).toEqual([
        {
          title: serverText.feedbackAskTitle({ number }),
          body: serverText.feedbackAskBody,
          tag: orderId,
          path: `/in/uf?orderId=${orderId}&token=${token}`,
        },
      ]);
      expect((await server.inbox(`+91${who.mobile}`)).filter((text) => text.includes('/uf?'))).toEqual([]);
    } finally {
      service.close();
    }
  });

  test('nobody is asked who has rated, who said no, or who ordered in a payment app', async () => {
    const [rated, unwilling, inApp] = [
      await visitor(server, 'IN', PICKUP),
      await visitor(server, 'IN', PICKUP),
      await visitor(server, 'IN', PICKUP, 'in-paytm'),
    ];
    const first = await eaten(rated);
    await send(rated, { orderId: first.orderId, ...said });
    const second = await eaten(unwilling);
    await unwilling.call(contract.dismiss, { body: { orderId: second.orderId } });
    expect((await open(unwilling, second.orderId)).body.isDismissed).toBe(true);
    const { order, next } = await inApp.order({ paymentMode: 'PAYTM' });
    await pay(server, next);
    await inApp.confirm(order);
    await server.advance(6 * 3600);
    for (const one of [rated, unwilling, inApp])
      expect((await server.inbox(`+91${one.mobile}`)).filter((text) => text.includes('/uf?'))).toEqual([]);
    expect(codeOf(await open(inApp, order.orderId))).toBe('FEATURE_BLOCKED');
  });

  test('of no known order: an experience or a rating, and a phone number; sent twice it is there once [HIST-22]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const key = randomUUID();
    const tell = (body: { experience: string; rating: number | null; mobile: string }) =>
      who.call(contract.offline, { body }, { 'idempotency-key': key });
    const wrong = async (body: Parameters<typeof tell>[0]) =>
      ((await tell(body)).body as unknown as { errors: { field: string }[] }).errors.map(({ field }) => field);
    expect(await wrong({ experience: '', rating: null, mobile: '9876543210' })).toEqual(['experience']);
    expect(await wrong({ experience: 'Fine', rating: null, mobile: '12' })).toEqual(['mobile']);
    const body = { experience: '', rating: 5, mobile: '9876543210' };
    expect((await tell(body)).status).toBe(200);
    expect((await tell(body)).status).toBe(200);
    const rows = await db.selectFrom('offline_feedbacks').select('rating').where('user_id', '=', who.userId).execute();
    expect(rows).toEqual([{ rating: 5 }]);
  });
});

const DAY_MS = 86_400_000;
const ATE_AT = Date.UTC(2026, 10, 25, 12);
const order = (more: Partial<OrderRow> = {}) =>
  ({
    ...{ id: 'ord_1', number: '4711', country: 'IN', delivery_type: 'DELIVERY', status: 'DELIVERED' },
    ...{ submitted_at: ATE_AT - 3_600_000, finished_at: ATE_AT },
    snapshot: JSON.stringify({
      store: { name: 'Connaught Place' },
      lines: [
        { quantity: 2, product: { name: 'Garden Four' } },
        { quantity: 1, product: { name: 'Cola 475 ml' } },
      ],
    }),
    ...more,
  }) as OrderRow;
const row: FeedbackRow = {
  ...{ id: 'fbk_1', order_id: 'ord_1', user_id: 'usr_1', overall: 2, nps: 3, aspects: '["heat","rider"]' },
  ...{ comment: COMMENT, additional: null, created_at: ATE_AT, changed_at: ATE_AT },
};

test.each<[string, Partial<OrderRow>, FeedbackRow | undefined, number, ReturnType<typeof feedbackState>]>([
  ['on its way', { finished_at: null, status: 'PICKED UP' }, undefined, 0, 'EARLY'],
  ['handed over', {}, undefined, 0, 'OPEN'],
  ['handed over sixty days ago', {}, undefined, 60 * DAY_MS, 'OPEN'],
  ['handed over longer ago', {}, undefined, 60 * DAY_MS + 1, 'CLOSED'],
  ['cancelled', { status: 'CANCELLED' }, undefined, 0, 'CLOSED'],
  ['failed before it was there', { status: 'FAILED', finished_at: null }, undefined, 0, 'CLOSED'],
  ['rated, however long ago', {}, row, 90 * DAY_MS, 'RATED'],
])('whether an order can be rated that is %s', (_, more, given, after, state) => {
  expect(feedbackState(order(more), given, ATE_AT + after)).toBe(state);
});

test('a rating may be changed for seven days, and says what there is help for to its owner alone', () => {
  const view = (after: number, isOwn = true) => feedbackView(row, { now: ATE_AT + after, isOwn });
  expect(view(7 * DAY_MS)).toEqual({
    ...{ feedbackId: 'fbk_1', overall: 2, nps: 3, aspects: ['heat', 'rider'], comment: COMMENT, additional: null },
    ...{ at: ATE_AT, mayChange: true },
    helps: [
      { issue: 'cold', label: 'It came cold' },
      { issue: 'rider', label: 'About the rider' },
    ],
  });
  expect(view(7 * DAY_MS + 1)).toMatchObject({ mayChange: false, helps: [{ issue: 'cold' }, { issue: 'rider' }] });
  expect(view(0, false).helps).toEqual([]);
});

test.each([
  ['DELIVERY', true, 'DELIVERY'],
  ['IRCTC', true, 'DELIVERY'],
  ['PICKUP', false, 'PICKUP'],
  ['DINEIN', false, 'DINEIN'],
])('of an order by %s the rider is asked about: %s', (delivery_type, isAsked, orderType) => {
  const asked = templateView(order({ delivery_type }));
  expect(asked).toEqual({
    overall: { question: asked.overall.question, max: 5 },
    nps: { question: asked.nps.question, min: 0, max: 10 },
    aspects: ['taste', 'heat', 'time', 'packing', 'complete', ...(isAsked ? ['rider'] : [])].map((id) => ({
      id,
      label: expect.stringMatching(/./) as string,
    })),
    comment: { minChars: 30, maxChars: 250, optional: false },
  });
  expect(asked.overall.question).not.toBe(asked.nps.question);
  expect(orderSummary(order({ delivery_type }))).toEqual({
    ...{ orderId: 'ord_1', orderNumber: '4711', orderType, storeName: 'Connaught Place' },
    ...{ placedAt: ATE_AT - 3_600_000, dishes: ['2 × Garden Four', '1 × Cola 475 ml'] },
  });
});
