import { afterEach, describe, expect, test, vi } from 'vitest';
import { uuidOf } from '../../../src/domain/experiments/decide.ts';
import { isBatchOptions, persist, queueOf, waitFor } from '../../../src/domain/experiments/transport.ts';
import { messagesOf, settingsRequest, type BatchEvent } from '../../../src/domain/experiments/requests.ts';
import { segmentFits, type Variables } from '../../../src/domain/experiments/segments.ts';
import { settingsFrom, share, shareAt, type Share } from '../../../src/domain/experiments/settings.ts';

const ANY = expect.any(Number) as number;
const SDK = { sdk: 'golden-oven-experiments', 'sdk-v': '1.0.0' };
const GOAL = { id: 9, identifier: 'order', type: 'CUSTOM_GOAL' };
const EARNED = { ...GOAL, type: 'REVENUE_TRACKING', revenueProp: 'amount' };
const SHOWN = { campaign: 1, variation: 2 };
/** At one and a half seconds. */
const written = (more: object = {}) => {
  const settings = settingsFrom({ version: 1, accountId: 7, sdkKey: 'own', campaigns: [], ...more })!;
  return { ...messagesOf(settings, { eb: 1 }, () => 1_500), u: uuidOf(settings, 'ann') };
};

describe('what is sent', () => {
  const { happened, reached, pushed, event, tagEvents, batch, u } = written();
  const who = { sId: 2, u };
  const get = (path: string, fields: object) => ({
    method: 'GET',
    url: `https://dev.visualwebsiteoptimizer.com/server-side/${path}`,
    query: { ...who, ...SDK, env: 'own', account_id: 7, random: ANY, ap: 'server', ...fields },
  });
  const nobody = { visitor_ua: '', visitor_ip: '' };
  const of = { experiment_id: 1, combination: 2, ...nobody };

  test('of a variation that was shown, and of a goal that was reached', () => {
    expect(happened('ann', SHOWN)).toEqual(get('track-user', { ...of, ed: '{"p":"server"}', eb: 1 }));
    expect(happened('ann', { ...SHOWN, goal: GOAL, revenue: 5 })).toEqual(get('track-goal', { ...of, goal_id: 9 }));
    expect(happened('ann', { ...SHOWN, goal: EARNED, revenue: 5 })).toEqual(
      get('track-goal', { ...of, goal_id: 9, r: 5 }),
    );
    expect(happened('ann', { ...SHOWN, goal: EARNED })).toEqual(get('track-goal', { ...of, goal_id: 9 }));
    const events = [SHOWN, { ...SHOWN, campaign: 3 }].map((one) => ({ ...one, goal: GOAL }));
    const found = { answer: {}, events, collected: [], revenueProps: new Set<string>(), user: 'ann', goal: 'order' };
    expect(reached({ ...found, options: {} }).map(({ query }) => query['experiment_id'])).toEqual([1, 3]);
  });

  test('of tags', () => {
    expect(pushed('ann', { 'a b': 'c/d', n: 5 })).toEqual([
      get('push', { tags: '{"u":{"a%20b":"c%2Fd"}}' }),
      get('push', { tags: '{"u":{"n":"5"}}' }),
    ]);
  });

  test('in a batch', () => {
    const base = { e: 1, c: 2, ...who };
    expect(event('ann', SHOWN)).toStrictEqual({ ...base, eT: 1 });
    expect(event('ann', { ...SHOWN, revenue: 5 }, { amount: 6 })).toStrictEqual({ ...base, eT: 1 });
    expect(event('ann', { ...SHOWN, goal: GOAL, revenue: 5 })).toStrictEqual({ ...base, eT: 2, g: 9 });
    expect(event('ann', { ...SHOWN, goal: EARNED, revenue: 5 })).toStrictEqual({ ...base, eT: 2, g: 9, r: 5 });
    // What was earned stands among the properties in event mode alone.
    expect(event('ann', { ...SHOWN, goal: EARNED }, { amount: 6 })).toStrictEqual({ ...base, eT: 2, g: 9 });
    const inEvents = written({ isEventArchEnabled: true });
    expect(inEvents.event('ann', { ...SHOWN, goal: EARNED }, { amount: 6 })).toEqual({ ...base, eT: 2, g: 9, r: 6 });
    expect(inEvents.event('ann', { ...SHOWN, goal: EARNED, revenue: 5 }, { amount: 6 }).r).toBe(5);
    expect(inEvents.event('ann', { ...SHOWN, goal: GOAL, revenue: 5 }, { amount: 6 })).toEqual({
      ...base,
      eT: 2,
      g: 9,
    });
    expect(inEvents.event('ann', SHOWN)).toEqual({ ...base, eT: 1 });
    expect(tagEvents('ann', { plan: 'gold', n: 5 })).toEqual(
      ['{"u":{"plan":"gold"}}', '{"u":{"n":"5"}}'].map((text) => ({ ...who, eT: 3, t: encodeURIComponent(text) })),
    );
    const ev = [event('ann', SHOWN)];
    const sent = {
      method: 'POST',
      url: 'https://dev.visualwebsiteoptimizer.com/server-side/batch-events',
      query: { a: 7, eb: 1, ...SDK, env: 'own' },
      body: { ev },
      headers: { Authorization: 'own' },
    };
    expect(batch(ev)).toEqual(sent);
    expect(written({ sdkKey: undefined }).batch(ev).headers).toEqual({ Authorization: '' });
  });

  test('in event mode is one request for all', () => {
    const post = written({ isEventArchEnabled: true, collectionPrefix: 'eu' });
    const body = (name: string, props: object, visitor: object = {}) => ({
      d: {
        msgId: `${u}-1500`,
        visId: u,
        sessionId: 2,
        event: {
          props: { vwo_sdkName: SDK.sdk, vwo_sdkVersion: '1.0.0', vwo_envKey: 'own', ...props },
          name,
          time: 1_500,
        },
        visitor: { props: { vwo_fs_environment: 'own', ...visitor } },
      },
    });
    const query = (en: string) => ({ en, a: 7, env: 'own', eTime: 1_500, random: ANY, p: 'FS', ...nobody });
    const url = 'https://dev.visualwebsiteoptimizer.com/eu/events/t';
    expect(post.happened('ann', SHOWN)).toEqual({
      method: 'POST',
      url,
      query: { ...query('vwo_variationShown'), eb: 1 },
      body: body('vwo_variationShown', { id: 1, variation: 2, isFirst: 1 }),
    });
    expect(post.pushed('ann', { plan: 'gold', n: 5 })).toEqual([
      {
        method: 'POST',
        url,
        query: query('vwo_syncVisitorProp'),
        body: body('vwo_syncVisitorProp', { isCustomEvent: true }, { plan: 'gold', n: '5' }),
      },
    ]);
    const events = [1, 3].map((campaign) => ({ campaign, variation: 2, goal: EARNED }));
    const found = {
      answer: {},
      events,
      collected: [],
      revenueProps: new Set(['amount']),
      user: 'ann',
      goal: 'order',
    };
    const metric = { id_1: ['g_9'], id_3: ['g_9'] };
    const bodiesOf = (options: object) => post.reached({ ...found, options }).map((request) => request.body);
    expect(bodiesOf({ revenueValue: 5, eventProperties: { dish: 'a' } })).toEqual([
      body('order', { vwoMeta: { metric, amount: 5 }, isCustomEvent: true, dish: 'a' }),
    ]);
    expect(bodiesOf({})).toEqual([body('order', { vwoMeta: { metric }, isCustomEvent: true })]);
    expect(JSON.stringify(bodiesOf({}))).not.toContain('amount');
    expect(post.reached({ ...found, events: [], options: {} })).toEqual([]);
  });

  test('for the settings', () => {
    const query = { a: 7, i: 'own', r: ANY, platform: 'server', ...SDK };
    expect(settingsRequest(7, 'own')).toEqual({
      method: 'GET',
      url: 'https://dev.visualwebsiteoptimizer.com/server-side/settings',
      query,
    });
    expect(settingsRequest(7, 'own', true).url).toBe('https://dev.visualwebsiteoptimizer.com/server-side/pull');
  });
});

describe('how it is sent', () => {
  afterEach(() => void vi.useRealTimers());
  const event = (e: number): BatchEvent => ({ eT: 1, sId: 1, u: 'u', e });
  const queued = (options: Parameters<typeof queueOf>[0], isSent = true) => {
    vi.useFakeTimers();
    const sent: unknown[][] = [];
    const queue = queueOf(options, async (events) => {
      sent.push(events.map(({ e }) => e));
      return isSent;
    });
    return { queue, sent };
  };

  test('a batch goes when it is full', () => {
    const { queue, sent } = queued({ eventsPerRequest: 2 });
    for (const e of [1, 2, 3]) queue.add(event(e));
    expect(sent).toEqual([[1, 2]]);
  });

  test('a batch goes after its time, counted from its first event', async () => {
    const { queue, sent } = queued({ requestTimeInterval: 2 });
    queue.add(event(1));
    await vi.advanceTimersByTimeAsync(1_500);
    queue.add(event(2));
    await vi.advanceTimersByTimeAsync(499);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([[1, 2]]);
    queue.add(event(3));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toEqual([[1, 2], [3]]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(2);
  });

  test('what was sent before its time does not hurry the next batch', async () => {
    const { queue, sent } = queued({ requestTimeInterval: 2 });
    queue.add(event(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await queue.flush()).toBe(true);
    queue.add(event(2));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sent).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([[1], [2]]);
    expect(await queue.flush()).toBeNull();
  });

  test('without a number or a time a hundred events or ten minutes are', async () => {
    const { queue, sent } = queued({});
    for (let e = 1; e < 100; e += 1) queue.add(event(e));
    await vi.advanceTimersByTimeAsync(599_999);
    expect(sent).toEqual([]);
    queue.add(event(100));
    expect(sent).toHaveLength(1);
  });

  test('whoever wants to hear of a batch does, also that it did not arrive', async () => {
    const heard = vi.fn();
    const arrived = queued({ flushCallback: heard });
    arrived.queue.add(event(1));
    await arrived.queue.flush();
    expect(heard).toHaveBeenCalledExactlyOnceWith(null, [event(1)]);
    heard.mockClear();
    const lost = queued({ flushCallback: heard }, false);
    lost.queue.add(event(2));
    expect(await lost.queue.flush()).toBe(false);
    expect(heard).toHaveBeenCalledExactlyOnceWith(new Error('The events did not arrive.'), [event(2)]);
  });

  test.each([
    [199, 6],
    [200, 1],
    [299, 1],
    [300, 6],
    [500, 6],
  ])('an answer with status %i is asked for %i times', async (status, times) => {
    const transport = vi.fn(async () => ({ status }));
    const reply = await persist(transport, settingsRequest(1, 'k'), () => Promise.resolve());
    expect(transport).toHaveBeenCalledTimes(times);
    expect(reply).toEqual(times === 1 ? { status } : null);
  });

  test('a wait is over after its time', async () => {
    vi.useFakeTimers();
    const over = vi.fn();
    void waitFor(50).then(over);
    await vi.advanceTimersByTimeAsync(49);
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(over).toHaveBeenCalledOnce();
  });

  test.each<[object, boolean]>([
    [{ eventsPerRequest: 1 }, true],
    [{ eventsPerRequest: 5_000 }, true],
    [{ eventsPerRequest: 0, requestTimeInterval: 1 }, true],
    [{ eventsPerRequest: 5_001 }, false],
    [{ eventsPerRequest: 0 }, false],
    [{ requestTimeInterval: 0.9 }, false],
    [{ eventsPerRequest: 1, flushCallback: 'f' }, false],
    [{}, false],
  ])('options of a batch %j are good: %s', (options, are) => {
    expect(isBatchOptions(options)).toBe(are);
  });
});

describe('whom a segment fits', () => {
  const city = (operand: unknown) => ({ custom_variable: { city: operand } });
  test.each<[string, object, Variables, boolean]>([
    ['the same text', city('Pune'), { city: 'Pune' }, true],
    ['another text', city('Pune'), { city: 'pune' }, false],
    ['a variable that is not there', city(''), {}, false],
    ['in small letters', city('lower(PUNE)'), { city: 'puNe' }, true],
    ['in small letters, another', city('lower(PUNE)'), { city: 'pun' }, false],
    ['an end', city('wildcard(*une)'), { city: 'Pune' }, true],
    ['an end that is a beginning', city('wildcard(*une)'), { city: 'unePa' }, false],
    ['a beginning', city('wildcard(Pu*)'), { city: 'Pune' }, true],
    ['a beginning that is an end', city('wildcard(Pu*)'), { city: 'aPu' }, false],
    ['a part', city('wildcard(*un*)'), { city: 'Pune' }, true],
    ['a part that is none', city('wildcard(*nu*)'), { city: 'Pune' }, false],
    ['all without a star', city('wildcard(Pune)'), { city: 'Pune' }, true],
    ['all without a star, a part', city('wildcard(Pun)'), { city: 'Pune' }, false],
    ['a star within', city('wildcard(a*b*)'), { city: 'a*bc' }, true],
    ['a star within, at the end', city('wildcard(*a*b)'), { city: 'xa*b' }, true],
    ['a pattern', city('regex(^P.ne$)'), { city: 'Pune' }, true],
    ['a pattern that is broken', city('regex([)'), { city: '[' }, false],
    ['a list, which is no text', city(['lower(pune)']), { city: 'pune' }, false],
    ['more', city('gt(5)'), { city: '6' }, true],
    ['not more', city('gt(5)'), { city: 5 }, false],
    ['as much', city('gte(5)'), { city: 5 }, true],
    ['less than as much', city('gte(5)'), { city: 4.9 }, false],
    ['less', city('lt(5)'), { city: 4 }, true],
    ['not less', city('lt(5)'), { city: 5 }, false],
    ['at most', city('lte(5)'), { city: 5 }, true],
    ['more than at most', city('lte(5)'), { city: 5.1 }, false],
    ['the same number, written otherwise', city('2.5'), { city: '2.50' }, true],
    ['another number of the same whole', city('2.5'), { city: '2.7' }, false],
    ['a number as a number', city(7), { city: '7' }, true],
    ['null, which is null', city(null), { city: null }, true],
    ['null, which a pattern reads as a word', city('regex(null)'), { city: null }, true],
    ['null, which is no small letters', city('lower(null)'), { city: null }, false],
    ['what is undefined, as an empty text', city(''), { city: undefined }, true],
    ['neither', { not: city('Pune') }, { city: 'Pune' }, false],
    ['not', { not: city('Pune') }, { city: 'Delhi' }, true],
    ['all', { and: [city('Pune'), { custom_variable: { age: 'gt(5)' } }] }, { city: 'Pune', age: 9 }, true],
    ['not all', { and: [city('Pune'), { custom_variable: { age: 'gt(5)' } }] }, { city: 'Pune', age: 1 }, false],
    ['one of them', { or: [city('Pune'), city('Delhi')] }, { city: 'Delhi' }, true],
    ['none of them', { or: [city('Pune'), city('Delhi')] }, { city: 'Goa' }, false],
    ['one of them beside a broken one', { or: [city('Pune'), {}] }, { city: 'Pune' }, false],
    ['a person by name', { user: 'ann, bob' }, { _vwoUserId: 'bob' }, true],
    ['another person', { user: 'ann, bob' }, { _vwoUserId: 'bo' }, false],
    ['what nobody knows', { other: 1 }, {}, false],
    ['a broken one', { and: 5 }, {}, true],
    ['everybody', {}, {}, true],
  ])('%s', (_, segment, variables, fits) => {
    expect(segmentFits(segment as never, variables)).toBe(fits);
  });

  test('a segment that is none fits everybody', () => {
    for (const none of [undefined, null, [], 'x']) expect(segmentFits(none as never)).toBe(true);
  });
});

describe('settings', () => {
  const campaign = {
    id: 1,
    key: 'a',
    type: 'VISUAL_AB',
    status: 'RUNNING',
    percentTraffic: 100,
    goals: [],
    segments: {},
    variations: [{ id: 1, name: 'one', weight: 100 }],
  };
  const read = (more: object, own: object = {}) =>
    settingsFrom({ version: 1, accountId: 1, campaigns: [{ ...campaign, ...own }], ...more });

  test('are read with the places of their variations', () => {
    expect(read({})?.campaigns[0]?.variations).toEqual([
      { id: 1, name: 'one', weight: 100, startVariationAllocation: 1, endVariationAllocation: 10_000 },
    ]);
    expect(read({ campaignGroups: { 1: 5 }, groups: { 5: { campaigns: [1] } } })).not.toBeNull();
  });

  test('without campaigns have none, also as an object', () => {
    for (const campaigns of [undefined, null, {}, { a: campaign }]) expect(read({ campaigns })?.campaigns).toEqual([]);
  });

  test('whose goals are no list have none', () => {
    expect(read({}, { goals: { a: 1 } })?.campaigns[0]?.goals).toEqual([]);
    const goals = [{ id: 9, identifier: 'order', type: 'CUSTOM_GOAL' }];
    expect(read({}, { goals })?.campaigns[0]?.goals).toEqual(goals);
  });

  test.each<[object, object]>([
    [{ campaignGroups: { 1: 'x' } }, {}],
    [{ campaignGroups: 'x' }, {}],
    [{ campaignGroups: null }, {}],
    [{ groups: 5 }, {}],
    [{ sdkKey: 5 }, {}],
    [{ version: null }, {}],
    [{ accountId: {} }, {}],
    [{ campaigns: 'x' }, {}],
    [{ isEventArchEnabled: 'yes' }, {}],
    [{ collectionPrefix: 5 }, {}],
    [{}, { id: null }],
    [{}, { key: 5 }],
    [{}, { type: null }],
    [{}, { status: 5 }],
    [{}, { percentTraffic: '100' }],
    [{}, { name: 5 }],
    [{}, { goals: null }],
    [{}, { segments: null }],
    [{}, { variations: 'x' }],
    [{}, { variables: 5 }],
    [{}, { isMAB: 'yes' }],
  ])('with %j, or a campaign with %j, are refused', (more, own) => {
    expect(read(more, own)).toBeNull();
  });

  test.each([[null], [undefined], [7], ['x']])('%j are none', (from) => {
    expect(settingsFrom(from)).toBeNull();
  });

  test('each share has its part of 1 to 10000, one after the other, and what has no weight has none', () => {
    const shares = share<Share>([{ weight: 50 }, { weight: 0 }, {}, { weight: '25' }, { weight: 200 }]);
    expect(shares.map((one) => [one.startVariationAllocation, one.endVariationAllocation])).toEqual([
      [1, 5_000],
      [-1, -1],
      [-1, -1],
      [5_001, 7_500],
      [7_501, 17_500],
    ]);
    const at = (place: number) => shares.findIndex((one) => one === shareAt(shares, place));
    expect([1, 5_000, 5_001, 7_500, 7_501, 10_000].map(at)).toEqual([0, 0, 3, 3, 4, 4]);
    expect(shareAt(share([{ weight: 0.001 }]), 1)).not.toBeNull();
    expect(shareAt(share([{ weight: 50 }]), 5_001)).toBeNull();
  });
});
