import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as activity from '../../src/contract/activity.ts';
import * as contract from '../../src/contract/experiments.ts';
import { EVENT, type BatchEvent } from '../../src/contract/experiments.ts';
import { launch } from '../../src/domain/experiments/launch.ts';
import { campaignList, createCampaign, withCampaigns } from '../../src/server/rules/experiments/run.ts';
import { resultsOf, allCampaigns } from '../../src/server/rules/experiments/results.ts';
import { openDb } from '../../src/server/store/db.ts';
import { addCampaign } from '../../src/server/store/experiments.ts';
import { sweep } from '../../src/server/store/sweep.ts';
import { engines, startServer } from '../kit/server.ts';
import { guest, logIn } from './people.ts';
import { Customer, openShop, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const TYPED = { variations: 'small:50,big:50', traffic: undefined, base: undefined, effect: undefined };

describe.each(await engines())('the experiment service on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  test('each country has the menu card experiment with five variants, in the form the engine reads [EXP-02] [EXP-16] [API-77]', async () => {
    for (const [apiKey, accountId, sdkKey] of [
      ['in-web', 1, 'golden-oven-in'],
      ['lk-web', 2, 'golden-oven-lk'],
      ['bg-web', 3, 'golden-oven-bg'],
    ] as const) {
      const { body } = await server.call(
        contract.settings,
        { query: { a: String(accountId), i: sdkKey, r: '0.5' } },
        { apiKey },
      );
      expect(body).toMatchObject({ accountId, sdkKey, version: 1 });
      const cards = body.campaigns.find(({ key }) => key === 'NextgenProductCardsV2')!;
      expect(cards).toMatchObject({ type: 'VISUAL_AB', status: 'NOT_STARTED', percentTraffic: 100 });
      expect(cards.variations.map(({ name }) => name)).toEqual([
        'nextgen variant s',
        'nextgen variant u',
        'nextgen variant w',
        'nextgen variant x',
        'nextgen variant y',
      ]);
      expect(cards.variations.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      expect(cards).not.toHaveProperty('plan');
    }
  });

  /** What an operator types, and reads. */
  const experiments = (...typed: string[]) =>
    new Promise<{ code: number; said: string }>((done) => {
      const script = path.resolve(import.meta.dirname, '../../src/server/commands/experiments.ts');
      const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: server.database.target };
      execFile(process.execPath, [script, ...typed], { env }, (error, out, wrong) =>
        done({ code: Number(error?.code ?? 0), said: (out + wrong).trim() }),
      );
    });
  /** What is known of an experiment of India: of each goal the variations, with visitors, those who reached it, and money. */
  async function found(key: string) {
    const campaign = (await allCampaigns(db, ['IN'])).find((one) => one.key === key)!;
    const { goals, ...result } = await resultsOf(db, campaign);
    const rows = (goal: string) =>
      goals
        .find((one) => one.goal === goal)!
        .variations.map(({ visitors, converted, revenue, mixed }) => [visitors, converted, revenue, mixed]);
    return { ...result, orders: rows('order_placed'), carts: rows('added_to_cart') };
  }
  const shown = (u: string, e: number, c: number, id: string, sId: number): BatchEvent => ({
    eT: EVENT.impression,
    id,
    u,
    e,
    c,
    sId,
  });

  test('the operator creates, starts, stops and reads an experiment; each message counts once by any call [API-77] [EXP-17]', async () => {
    const bad = ['--create', 'big-button', '--country', 'IN', '--variations', 'small:50,big:40'];
    expect(await experiments(...bad)).toEqual({
      code: 1,
      said: 'experiments: the weights of --variations are 100 together, not 90',
    });
    await createCampaign(db, 'IN', 'big-button', TYPED);
    await expect(createCampaign(db, 'IN', 'big-button', TYPED)).rejects.toThrow(
      'IN has an experiment big-button already',
    );
    await expect(createCampaign(db, 'FR', 'big-button', TYPED)).rejects.toThrow('there is no country FR');
    for (const key of ['', 'big button', 'button ', ' button', 'b'.repeat(81)])
      await expect(createCampaign(db, 'IN', key, TYPED), key).rejects.toThrow(
        'the name of an experiment has letters, digits, _ . and -',
      );
    const { id } = (await allCampaigns(db, ['IN'])).find(({ key }) => key === 'big-button')!;
    const at = Math.floor(Date.now() / 1000);
    const batch = (ev: BatchEvent[]) => server.call(contract.batch, { body: { ev } });
    // Before it runs nothing of it is counted.
    await batch([shown('v0', id, 1, 'm0', at)]);
    expect((await found('big-button')).visitors).toBe(0);
    const today = async () => new Date(await server.advance(0)).toISOString().slice(0, 10);
    const line = 'IN  big-button  RUNNING, 100 % of visitors, 2 variations, from';
    expect(await withCampaigns(db, ['IN', 'LK'], 'big-button', 'start')).toEqual([`${line} ${await today()} to -`]);
    expect(await campaignList(db, ['IN'])).toContain(`${line} ${await today()} to -`);
    await expect(withCampaigns(db, ['IN'], 'big-button', 'start')).rejects.toThrow('it cannot be started');

    const first = [
      shown('v1', id, 1, 'm1', at),
      shown('v2', id, 2, 'm2', at),
      { eT: EVENT.goal, id: 'm3', u: 'v2', e: id, c: 2, g: 2, sId: at },
      { eT: EVENT.push, id: 'm4', u: 'v2', sId: at, t: '{"u":{"plan":"%F0%9F%8D%95"}}' },
    ];
    for (let again = 0; again < 3; again += 1) expect((await batch(first)).status).toBe(200);
    // The calls by GET, repeated as after an answer that was lost.
    const one = { u: 'v3', sId: String(at), random: '0.25' };
    const of = { experiment_id: String(id), combination: '2' };
    for (let again = 0; again < 2; again += 1) {
      expect((await server.call(contract.trackUser, { query: { ...one, ...of } })).body).toEqual({ status: 'SUCCESS' });
      await server.call(contract.trackGoal, { query: { ...one, ...of, goal_id: '2' } });
      await server.call(contract.push, { query: { ...one, tags: '{"u":{"plan":"gold"}}' } });
    }
    // And the newer form.
    const d = (name: string, props: Record<string, unknown>) => ({
      d: { msgId: 'E6F3-1', visId: 'v4', event: { name, props } },
    });
    for (let again = 0; again < 2; again += 1) {
      await server.call(contract.events, {
        query: { en: 'vwo_variationShown' },
        body: d('vwo_variationShown', { id, variation: 1, isFirst: 1 }),
      });
      await server.call(contract.events, {
        query: { en: 'added_to_cart' },
        body: d('added_to_cart', { isCustomEvent: true, vwoMeta: { metric: { [`id_${id}`]: ['g_2'] } } }),
      });
    }
    // Several goals of one visitor are one visitor who reached it.
    await batch([{ eT: EVENT.goal, id: 'm5', u: 'v2', e: id, c: 2, g: 2, sId: at + 1 }]);
    // Who saw both counts for none.
    await batch([shown('v5', id, 1, 'm6', at), shown('v5', id, 2, 'm7', at)]);
    const result = await found('big-button');
    expect(result.carts).toEqual([
      [2, 1, 0, 1],
      [2, 2, 0, 0],
    ]);
    const tags = await db
      .selectFrom('experiment_events')
      .select('tag')
      .where('goal_id', '=', 0)
      .orderBy('tag')
      .execute();
    expect(tags.map(({ tag }) => tag)).toEqual(['plan=gold', 'plan=🍕']);
    const { said } = await experiments('--results', 'big-button');
    for (const part of [
      '4 visitors, and 1 who saw several',
      '1 small (control): 2 visitors',
      'added_to_cart',
      'split as the weights say',
    ])
      expect(said).toContain(part);
    const over = `${line.replace('RUNNING', 'STOPPED')} ${await today()} to ${await today()}`;
    expect(await withCampaigns(db, ['IN'], 'big-button', 'stop')).toEqual([over]);
    await expect(withCampaigns(db, ['IN'], 'big-button', 'stop')).rejects.toThrow(
      'big-button in IN is STOPPED: it cannot be stopped',
    );
    expect((await server.call(contract.settings, { query: {} })).body.campaigns.map(({ key }) => key)).toEqual([
      'NextgenProductCardsV2',
    ]);
  });

  test.each<[string, Partial<typeof TYPED> | Record<string, string>, string]>([
    ['no variations', { variations: undefined as never }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['one variation', { variations: 'small:100' }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['no name', { variations: 'small:50,:50' }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['a long name', { variations: `small:50,${'b'.repeat(61)}:50` }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['no weight', { variations: 'small:50,big' }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['a weight with three decimals', { variations: 'small:50,big:50.001' }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['something before it', { variations: 'x:small:50,big:50' }, '--variations NAME:WEIGHT,NAME:WEIGHT'],
    ['too little together', { variations: 'small:50,big:49.9' }, 'are 100 together, not 99.9'],
    ['too much together', { variations: 'small:50,big:50.02' }, 'are 100 together, not 100.02'],
    ['one name twice', { variations: 'small:50,small:50' }, 'each variation has its own name'],
    ['no traffic', { traffic: '0' }, '--traffic is a number above 0, at most 100'],
    ['too much traffic', { traffic: '100.5' }, '--traffic is a number above 0, at most 100'],
    ['words for traffic', { traffic: 'all' }, '--traffic is a number above 0, at most 100'],
    ['nobody who orders', { base: '0' }, '--base is a number above 0, at most 99'],
    ['everybody who orders', { base: '100' }, '--base is a number above 0, at most 99'],
    ['no effect', { effect: '0' }, '--effect is a number above 0, at most 89'],
    ['an effect beyond everybody', { base: '90', effect: '9.5' }, '--effect is a number above 0, at most 9'],
  ])('an experiment typed with %s is not created, and it is said why', async (_, typed, said) => {
    const before = await campaignList(db, ['IN']);
    await expect(createCampaign(db, 'IN', 'typed', { ...TYPED, ...typed })).rejects.toThrow(said);
    expect(await campaignList(db, ['IN'])).toEqual(before);
  });

  test('what is typed is what runs; what is not typed is all visitors, ten percent who order, and two points more', async () => {
    const key = `${'k'.repeat(70)}_Of-2.0`;
    const typed = { variations: ' old look:33.33, new:66.67', traffic: '40.5', base: '30', effect: '69' };
    expect(await createCampaign(db, 'BG', key, typed)).toBe(
      `BG  ${key} is created. npm run experiments -- --start ${key} --country BG begins it.`,
    );
    await createCampaign(db, 'BG', 'plain', TYPED);
    const [cards, own, plain] = await allCampaigns(db, ['BG']);
    expect(own).toMatchObject({
      ...{ id: cards!.id + 1, key, name: key, type: 'VISUAL_AB', status: 'NOT_STARTED', percentTraffic: 40.5 },
      ...{ segments: {}, isBucketingSeedEnabled: true, startedAt: null, stoppedAt: null },
      goals: [
        { id: 1, identifier: 'order_placed', type: 'REVENUE_TRACKING' },
        { id: 2, identifier: 'added_to_cart', type: 'CUSTOM_GOAL' },
      ],
      variations: [
        { id: 1, name: 'old look', weight: 33.33, changes: {} },
        { id: 2, name: 'new', weight: 66.67, changes: {} },
      ],
      plan: { base: 0.3, effect: 0.69, alpha: 0.05, power: 0.8, orderValue: 90_000 },
    });
    expect(plain).toMatchObject({ id: cards!.id + 2, percentTraffic: 100, plan: { base: 0.1, effect: 0.02 } });
    expect((await campaignList(db, ['LK', 'BG'])).map((line) => line.split(',')[0])).toEqual([
      'LK  NextgenProductCardsV2  NOT_STARTED',
      'BG  NextgenProductCardsV2  NOT_STARTED',
      `BG  ${key}  NOT_STARTED`,
      'BG  plain  NOT_STARTED',
    ]);
    await expect(withCampaigns(db, ['BG'], 'plain', 'stop')).rejects.toThrow(
      'plain in BG is NOT_STARTED: it cannot be stopped',
    );
    expect(await withCampaigns(db, ['BG'], 'nobody', 'start')).toEqual([]);
  });

  test('event tags are kept as written, twenty of a message and none too long; a fast clock dates nothing into the future', async () => {
    const at = Math.floor(Date.now() / 1000) + 86_400 * 365;
    const of = { ...(await guest(server)).as };
    const push = async (u: string, t: string) =>
      await server.call(contract.batch, { body: { ev: [{ eT: EVENT.push, u, sId: at, t }] } }, of);
    const tagsOf = async (u: string) =>
      (
        await db.selectFrom('experiment_events').select(['tag', 'at']).where('visitor', '=', u).orderBy('tag').execute()
      ).map((row) => {
        expect(row.at).toBeLessThan(at * 1000);
        return row.tag;
      });
    const long = 'x'.repeat(255);
    const u = { [long]: 'a', [`${long}x`]: 'b', c: long, d: `${long}x`, '': 'e', f: '', 'g%20h': '100%', i: 7 };
    await push('t1', JSON.stringify({ u }));
    expect(await tagsOf('t1')).toEqual([`c=${long}`, 'g h=100%', 'i=7', `${long}=a`]);
    await push('t2', JSON.stringify({ u: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`n${n}`, n])) }));
    expect(await tagsOf('t2')).toHaveLength(20);
    // A message without a name of its own is known by its time, which stays what it is.
    for (const sId of [1_000, 1_001, 1_000])
      await server.call(
        contract.batch,
        { body: { ev: [{ eT: EVENT.push, u: 't4', sId, t: '{"u":{"plan":"gold"}}' }] } },
        of,
      );
    const twice = await db.selectFrom('experiment_events').select(['tag', 'at']).where('visitor', '=', 't4').execute();
    expect(twice.toSorted((a, b) => a.at - b.at)).toEqual([
      { tag: 'plan=gold', at: 1_000_000 },
      { tag: 'plan=gold', at: 1_001_000 },
    ]);
    for (const none of ['{}', '[]', 'null', '{"u":', 'plan', ''])
      expect((await push('t3', none)).status, none).toBe(200);
    expect(await tagsOf('t3')).toEqual([]);
  });

  test('each variation is compared with the first once both have 25 conversions; money counts for money goals alone', async () => {
    const body = (await allCampaigns(db, ['LK']))[0]!;
    const goals = [
      { id: 1, identifier: 'paid', type: 'REVENUE_TRACKING' },
      { id: 2, identifier: 'looked', type: 'CUSTOM_GOAL' },
    ] as const;
    const variations = ['old', 'new', 'newer', 'gone'].map((name, index) => ({
      ...{ id: index + 1, name, weight: index === 3 ? 0 : 33, changes: {} },
    }));
    const plan = { base: 0.1, effect: 0.02, alpha: 0.05, power: 0.8, orderValue: 60_000 };
    await addCampaign(
      db,
      { country: 'LK', id: 9, key: 'compared', body: { ...body, goals: [...goals], variations, plan } },
      1,
    );
    await withCampaigns(db, ['LK'], 'compared', 'start');
    const sId = Math.floor(Date.now() / 1000);
    const send = async (ev: BatchEvent[]) => {
      for (let from = 0; from < ev.length; from += 20)
        expect(
          (await server.call(contract.batch, { body: { ev: ev.slice(from, from + 20) } }, { apiKey: 'lk-web' })).status,
        ).toBe(200);
    };
    const seen: BatchEvent[] = [];
    const done: BatchEvent[] = [];
    for (const [c, count, converted] of [
      [1, 100, 25],
      [2, 90, 40],
      [3, 100, 24],
    ] as const)
      for (let n = 0; n < count; n += 1) {
        const u = `r${c}-${n}`;
        seen.push(shown(u, 9, c, `s${u}`, sId));
        if (n >= converted) continue;
        const r = c === 2 && n >= 20 ? 60_000 : 30_000;
        for (const g of [1, 2]) done.push({ eT: EVENT.goal, id: `g${g}${u}`, u, e: 9, c, g, r, sId });
      }
    // Ten more saw the second and another one: they came, and count for none.
    for (let n = 0; n < 10; n += 1) for (const c of [2, 3]) seen.push(shown(`both${n}`, 9, c, `b${c}${n}`, sId));
    // Neither is a variation nor a goal of it.
    seen.push(shown('r0', 9, 7, 'r0', sId));
    done.push({ eT: EVENT.goal, id: 'g0', u: 'r1-99', e: 9, c: 1, g: 3, sId });
    await send(seen);
    await send(done);
    const result = await resultsOf(
      db,
      (await allCampaigns(db, ['LK'])).find(({ key }) => key === 'compared')!,
    );
    expect(result).toMatchObject({ visitors: 290, isSplitBroken: false });
    expect(result.ratio).toBeCloseTo(1, 6);
    const near = (value: number) => expect.closeTo(value, 5) as number;
    const rows = result.goals.map(({ goal, hasRevenue, variations: of }) => [goal, hasRevenue, ...of]);
    const known = (id: number, visitors: number, mixed: number, converted: number, revenue: number) => ({
      ...{ id, name: variations[id - 1]!.name, weight: id === 4 ? 0 : 33, visitors, mixed, converted, revenue },
    });
    const none = { conversion: null, perVisitor: null };
    const conversion = { difference: near(0.194_444), from: near(-0.842_889), to: near(1.231_777), isFound: false };
    const perVisitor = {
      difference: near(12_500),
      from: near(-19_381.336_003),
      to: near(44_381.336_003),
      isFound: false,
    };
    expect(rows).toEqual([
      [
        ...['paid', true],
        { ...known(1, 100, 0, 25, 750_000), ...none },
        { ...known(2, 90, 10, 40, 1_800_000), conversion, perVisitor },
        { ...known(3, 100, 0, 24, 720_000), ...none },
        { ...known(4, 0, 0, 0, 0), ...none },
      ],
      [
        ...['looked', false],
        { ...known(1, 100, 0, 25, 0), ...none },
        { ...known(2, 90, 10, 40, 0), conversion, perVisitor: null },
        { ...known(3, 100, 0, 24, 0), ...none },
        { ...known(4, 0, 0, 0, 0), ...none },
      ],
    ]);
    // One in four of the first never tells of itself.
    await send(Array.from({ length: 100 }, (_, n) => shown(`more${n}`, 9, 3, `m${n}`, sId)));
    const broken = await resultsOf(
      db,
      (await allCampaigns(db, ['LK'])).find(({ key }) => key === 'compared')!,
    );
    expect(broken).toMatchObject({ visitors: 390, isSplitBroken: true });
  });

  test("the server counts each order once for the variation seen, not if cancelled; a page's own word counts nothing", async () => {
    await withCampaigns(db, ['IN'], 'NextgenProductCardsV2', 'start');
    const at = Math.floor(Date.now() / 1000);
    const see = async (who: Customer, u: string, c: number) =>
      await who.call(contract.batch, { body: { ev: [shown(u, 1, c, `s-${u}`, at)] } });
    const order = async (who: Customer) => {
      const { order: placed, next } = await who.order();
      await pay(server, next);
      await who.confirm(placed);
      return await who.read(placed.orderId);
    };
    const stays = await visitor(server, 'IN', PICKUP);
    await see(stays, 'a', 1);
    const kept = await order(stays);
    const regrets = await visitor(server, 'IN', PICKUP);
    await see(regrets, 'b', 2);
    expect((await regrets.cancel((await order(regrets)).orderId)).status).toBe(200);
    // A guest logs in before ordering.
    const stranger = await guest(server);
    await server.call(contract.batch, { body: { ev: [shown('c', 1, 2, 's-c', at)] } }, stranger.as);
    const known = new Customer(
      server,
      await logIn(server, '9876012345', 'in-web', stranger),
      PICKUP,
      'PZ001',
      '9876012345',
    );
    const second = await order(known);
    // Somebody claims a large order.
    await see(await visitor(server), 'd', 3);
    await server.call(contract.batch, {
      body: { ev: [{ eT: EVENT.goal, id: 'x', u: 'd', e: 1, c: 3, g: 1, r: 99_999_999, sId: at }] },
    });
    const { orders } = await found('NextgenProductCardsV2');
    expect(orders).toEqual([
      [1, 1, kept.bill.total, 0],
      [2, 1, second.bill.total, 0],
      [1, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    expect(Number.isSafeInteger(kept.bill.total)).toBe(true);

    // Who takes the consent back is forgotten, and who does not is after 90 days.
    expect((await known.call(activity.forget, {})).status).toBe(200);
    expect((await found('NextgenProductCardsV2')).orders[1]).toEqual([1, 0, 0, 0]);
    await sweep(db, Date.now() + 91 * 86_400_000);
    expect((await found('NextgenProductCardsV2')).visitors).toBe(0);
  });
});

test('a restarted campaign draws and counts every visitor anew; the run before keeps its counts and late events', async () => {
  const server = await startServer();
  const { db } = await openDb(server.database.target);
  const KEY = 'NextgenProductCardsV2';
  try {
    const at = Math.floor(Date.now() / 1000);
    const shown = (u: string, e: number, id: string): BatchEvent => ({ eT: EVENT.impression, id, u, e, c: 2, sId: at });
    const tell = async (...ev: BatchEvent[]) =>
      expect((await server.call(contract.batch, { body: { ev } })).status).toBe(200);
    const counted = async (key: string) =>
      (
        await resultsOf(
          db,
          (await allCampaigns(db, ['IN'])).find((one) => one.key === key)!,
        )
      ).visitors;
    await withCampaigns(db, ['IN'], KEY, 'start');
    await tell(shown('v1', 1, 'm1'), shown('v2', 1, 'm2'));
    await expect(withCampaigns(db, ['IN'], KEY, 'restart')).rejects.toThrow('only a stopped one begins anew');
    await withCampaigns(db, ['IN'], KEY, 'stop');
    expect(await withCampaigns(db, ['IN'], KEY, 'restart')).toEqual([
      expect.stringMatching(
        `^IN {2}${KEY} {2}RUNNING, 100 % of visitors, 5 variations, from \\d{4}-\\d\\d-\\d\\d to -; its run before is ${KEY}.1$`,
      ),
    ]);
    const { campaigns } = (await server.call(contract.settings, { query: {} })).body;
    expect(campaigns.map(({ key, id, status }) => [key, id, status])).toEqual([[KEY, 2, 'RUNNING']]);
    await tell(shown('v1', 2, 'm3'), shown('v3', 1, 'm4'));
    expect([await counted(KEY), await counted(`${KEY}.1`)]).toEqual([1, 3]);
    await withCampaigns(db, ['IN'], KEY, 'stop');
    expect((await withCampaigns(db, ['IN'], KEY, 'restart')).join()).toContain(`its run before is ${KEY}.2`);

    // A device that had a variation of the run before has one of this run.
    const settingsFile = (await server.call(contract.settings, { query: {} })).body;
    const drawn = Array.from({ length: 200 }, (_, user) => launch({ settingsFile }).activate(KEY, String(user)));
    const before = { ...settingsFile, campaigns: settingsFile.campaigns.map((one) => ({ ...one, id: 1 })) };
    const earlier = Array.from({ length: 200 }, (_, user) =>
      launch({ settingsFile: before }).activate(KEY, String(user)),
    );
    expect(drawn.filter((name, user) => name !== earlier[user]).length).toBeGreaterThan(100);
  } finally {
    await db.destroy();
    await server.stop();
  }
});

test('an outside experiment service supplies the campaigns and gets each event once, later if it was away [EXP-04]', async () => {
  const heard: { path: string; authorization: string | undefined; body: { ev?: unknown[] } }[] = [];
  const life = { isAway: false };
  const campaign = {
    id: 7,
    key: 'theirs',
    name: 'theirs',
    type: 'VISUAL_AB',
    // As the service may write it.
    status: 'Running',
    percentTraffic: 100,
    goals: [
      { id: 3, identifier: 'order_placed', type: 'REVENUE_TRACKING' },
      { id: 4, identifier: 'order_placed', type: 'CUSTOM_GOAL' },
      { id: 5, identifier: 'added_to_cart', type: 'REVENUE_TRACKING' },
    ],
    segments: {},
    variations: [{ id: 1, name: 'a', weight: 100, changes: {} }],
    isOB: true,
  };
  const paused = { ...campaign, id: 8, key: 'paused', status: 'PAUSED' };
  const elsewhere = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      if (life.isAway) return response.writeHead(503).end();
      const { pathname } = new URL(request.url!, 'http://x');
      heard.push({
        path: pathname,
        authorization: request.headers.authorization,
        body: JSON.parse(text || '{}') as object,
      });
      return response.end(
        JSON.stringify({ sdkKey: 'k', version: 3, accountId: 99, isNB: true, campaigns: [campaign, paused] }),
      );
    });
  });
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  const { port } = elsewhere.address() as AddressInfo;
  const server = await startServer({
    settings: {
      environment: { EXPERIMENTS_URL: `http://127.0.0.1:${port}`, EXPERIMENTS_ACCOUNT: '99', EXPERIMENTS_KEY: 'k' },
    },
  });
  try {
    const settings = async () => (await server.call(contract.settings, { query: {} })).body;
    expect(await settings()).toMatchObject({ accountId: 99, isNB: true });
    expect((await settings()).campaigns).toMatchObject([{ key: 'theirs', isOB: true }, { key: 'paused' }]);
    life.isAway = true;
    expect(await settings()).toMatchObject({ accountId: 99 });
    const event = { eT: EVENT.impression, id: 'm1', u: 'v', e: 7, c: 1, sId: 1_700_000_000 };
    for (let again = 0; again < 3; again += 1)
      expect((await server.call(contract.batch, { body: { ev: [event] } })).status).toBe(200);
    life.isAway = false;
    await server.advance(600);
    const { id: _own, ...told } = event;
    expect(heard.filter(({ path: asked }) => asked === '/server-side/batch-events')).toEqual([
      { path: '/server-side/batch-events', authorization: 'k', body: { ev: [told] } },
    ]);

    // Without names of their own, what is told of two campaigns at one moment is two things.
    const both = [7, 8].map((e) => ({ eT: EVENT.impression, u: 'w', e, c: 1, sId: 1_700_000_001 }));
    for (let again = 0; again < 2; again += 1) await server.call(contract.batch, { body: { ev: both } });
    await server.advance(600);
    expect(heard.flatMap(({ body }) => body.ev ?? []).filter((one) => (one as BatchEvent).u === 'w')).toEqual(both);

    // An order is told by us, once, with what it cost: of a visitor who saw it, and as long as they agree.
    await openShop(server);
    const orders = () =>
      heard.flatMap(({ body }) => (body.ev ?? []).filter((one) => (one as BatchEvent).eT === EVENT.goal));
    const orderOf = async (who: Customer) => {
      const { order, next } = await who.order();
      await pay(server, next);
      await who.confirm(order);
      return await who.read(order.orderId);
    };
    const stays = await visitor(server, 'IN', PICKUP);
    const regrets = await visitor(server, 'IN', PICKUP);
    for (const [who, u] of [
      [stays, 'stays'],
      [regrets, 'regrets'],
    ] as const)
      await who.call(contract.batch, {
        body: {
          ev: [
            { ...event, id: u, u },
            { ...event, id: `${u}-8`, u, e: 8 },
          ],
        },
      });
    expect((await regrets.call(activity.forget, {})).status).toBe(200);
    const [{ bill }] = [
      await orderOf(stays),
      await orderOf(regrets),
      await orderOf(await visitor(server, 'IN', PICKUP)),
    ];
    await server.advance(600);
    const goal = { eT: EVENT.goal, u: 'stays', e: 7, c: 1, sId: expect.any(Number) as number };
    expect(orders()).toEqual([
      { ...goal, g: 3, r: bill.total },
      { ...goal, g: 4 },
    ]);
  } finally {
    await server.stop();
    elsewhere.close();
  }
});
