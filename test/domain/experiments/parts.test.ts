import { afterEach, describe, expect, test, vi } from 'vitest';
import { uuidOf } from '../../../src/domain/experiments/decide.ts';
import { persist, queueOf } from '../../../src/domain/experiments/transport.ts';
import { messagesOf, settingsRequest, type BatchEvent } from '../../../src/domain/experiments/requests.ts';
import { segmentFits } from '../../../src/domain/experiments/segments.ts';
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
  const { happened, event, tagEvents, batch, u } = written();
  const who = { sId: 2, u };

  // Addresses, fields and bodies are those of the service's own SDK (differential.test.ts).
  test('is asked for by its address, and in event mode posted', () => {
    expect(happened('ann', SHOWN).method).toBe('GET');
    expect(written({ isEventArchEnabled: true }).happened('ann', SHOWN).method).toBe('POST');
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

  test('of another shape are refused', () => {
    for (const more of [
      { campaignGroups: { 1: 'x' } },
      { campaignGroups: null },
      { groups: 5 },
      { sdkKey: 5 },
      { version: null },
      { accountId: {} },
      { campaigns: 'x' },
      { isEventArchEnabled: 'yes' },
    ])
      expect(read(more), JSON.stringify(more)).toBeNull();
    for (const own of [
      { id: null },
      { key: 5 },
      { percentTraffic: '100' },
      { goals: null },
      { segments: null },
      { variations: 'x' },
      { variables: 5 },
    ])
      expect(read({}, own), JSON.stringify(own)).toBeNull();
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

// All else of segments is compared with the service's own SDK (differential.test.ts), whose dice rarely fall on a limit.
test('a segment fits at its limits and no further, and a star at one end is none at the other', () => {
  const fits = (operand: string, held: readonly unknown[]) =>
    held.map((city) => (segmentFits({ custom_variable: { city: operand } }, { city }) ? '+' : '-')).join('');
  const numbers = ['gt(5)', 'gte(5)', 'lt(5)', 'lte(5)'].map((operand) => fits(operand, [4.9, 5, 5.1]));
  expect(numbers).toEqual(['--+', '-++', '+--', '++-']);
  const stars = ['*une', 'Pu*', '*un*', 'Pune'].map((inside) => fits(`wildcard(${inside})`, ['Pune', 'unePa', 'aPu']));
  expect(stars).toEqual(['+--', '+--', '++-', '+--']);
});
