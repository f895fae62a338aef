import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { ServiceReply } from '../../../src/domain/experiments/transport.ts';
import { launch, loadSettings } from '../../../src/domain/experiments/launch.ts';
import type { ServiceRequest } from '../../../src/domain/experiments/requests.ts';

const SERVICE = 'https://dev.visualwebsiteoptimizer.com';

/** Settings with a test that all are in, whose only variation is called so. */
const settings = (name = 'Only') => ({
  version: 1,
  accountId: 7,
  sdkKey: 'own',
  campaigns: [
    {
      id: 1,
      key: 'test',
      type: 'VISUAL_AB',
      status: 'RUNNING',
      percentTraffic: 100,
      goals: [{ id: 9, identifier: 'order', type: 'CUSTOM_GOAL' }],
      segments: {},
      variations: [{ id: 1, name, weight: 100, segments: {} }],
    },
  ],
});

/** A client, what it sends, and what it logs. */
function launched(options: object, reply: (request: ServiceRequest) => Promise<ServiceReply> | ServiceReply = sent) {
  const requests: ServiceRequest[] = [];
  const logged: string[] = [];
  const transport = async (request: ServiceRequest) => {
    requests.push(request);
    return reply(request);
  };
  const logging = { level: 4, logger: { log: (level: number, text: string) => void logged.push(`${level} ${text}`) } };
  const given = { settingsFile: settings(), transport, logging, wait: () => Promise.resolve(), ...options };
  return { client: launch(given), requests, logged };
}
const sent = (): ServiceReply => ({ status: 200 });
const settled = () => new Promise((done) => void setImmediate(done));

afterEach(() => void vi.restoreAllMocks());

describe('what a client is launched with', () => {
  const stored = { userId: 'ann', campaignKey: 'test', variationName: 'Only' };
  const storage = { get: () => stored, set: () => true };
  test.each<[object]>([
    [{}],
    [{ isDevelopmentMode: true }],
    [{ isDevelopmentMode: false, shouldTrackReturningUser: true }],
    [{ userStorageService: storage }],
    [{ integrations: {} }],
    [{ integrations: { callback: () => {} } }],
    [{ goalTypeToTrack: 'ALL' }],
    [{ goalTypeToTrack: 'CUSTOM_GOAL' }],
    [{ goalTypeToTrack: 'REVENUE_TRACKING' }],
    [{ goalTypeToTrack: '' }],
    [{ batchEvents: { eventsPerRequest: 1 } }],
    [{ batchEvents: { eventsPerRequest: 5000 } }],
    [{ batchEvents: { requestTimeInterval: 1 } }],
    [{ batchEvents: { eventsPerRequest: 2, flushCallback: () => {} } }],
    [{ logging: { level: 4 } }],
    [{ logging: { level: 4, logger: { log: () => {} } } }],
    [{ logging: {} }],
    [{ pollingInterval: 0 }],
    [{ sdkKey: 'k' }],
  ])('decides with %o', (options) => {
    expect(launched(options).client.getVariationName('test', 'ann')).toBe('Only');
  });

  test.each<[object]>([
    [{ isDevelopmentMode: 'yes' }],
    [{ isDevelopmentMode: null }],
    [{ shouldTrackReturningUser: 1 }],
    [{ batchEvents: [] }],
    [{ batchEvents: {} }],
    [{ batchEvents: { eventsPerRequest: 0 } }],
    [{ batchEvents: { eventsPerRequest: 5001 } }],
    [{ batchEvents: { eventsPerRequest: '5' } }],
    [{ batchEvents: { requestTimeInterval: 0.5 } }],
    [{ batchEvents: { requestTimeInterval: '5' } }],
    [{ batchEvents: { eventsPerRequest: 5, flushCallback: 'f' } }],
    [{ integrations: () => {} }],
    [{ integrations: null }],
    [{ userStorageService: 'disk' }],
    [{ goalTypeToTrack: 'OTHER' }],
    [{ goalTypeToTrack: 7 }],
    [{ logging: { level: 0 } }],
    [{ logging: { level: 5 } }],
    [{ logging: { level: '4' } }],
    [{ logging: { logger: 'l' } }],
    [{ logging: { logger: {} } }],
    [{ logging: { logger: { log: 'l' } } }],
    [{ pollingInterval: 5 }],
    [{ pollingInterval: 5, sdkKey: 7 }],
    [{ pollingInterval: '5', sdkKey: 'k' }],
  ])('answers nothing and sends nothing with %o, and says that it is invalid', async (options) => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    const { client, requests } = launched(options);
    expect([
      client.activate('test', 'ann'),
      client.getVariationName('test', 'ann'),
      client.isFeatureEnabled('test', 'ann'),
      client.getFeatureVariableValue('test', 'v', 'ann'),
      client.track('test', 'ann', 'order'),
      client.push('tag', 'value', 'ann'),
    ]).toEqual([null, null, false, null, null, false]);
    expect(await client.getAndUpdateSettingsFile()).toBeNull();
    expect(await client.flushEvents()).toEqual({ status: false, message: 'NOT_SENT' });
    expect(client.setOptOut()).toBe(true);
    expect(requests).toEqual([]);
    expect(said.mock.calls).toEqual([['launch:INVALID']]);
  });

  it.each([[null], [undefined], [7]])('is inert when it is launched with %j', (options) => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    expect(launch(options as never).getVariationName('test', 'ann')).toBeNull();
    expect(said.mock.calls).toEqual([['launch:INVALID']]);
  });

  it('tells its own logger of settings that are invalid', () => {
    const { logged, client } = launched({ settingsFile: { version: 1 } });
    expect(logged).toEqual(['4 launch:INVALID']);
    expect(client.activate('test', 'ann')).toBeNull();
  });
});

describe('what is logged', () => {
  const textsAt = (level: number | undefined) => {
    const log = vi.fn();
    launched({ logging: { level, logger: { log } } }).client.activate('test', 'ann');
    return log.mock.calls.map(([of]) => of as number);
  };

  test.each([
    [undefined, [2]],
    [1, [2]],
    [2, [2]],
    [3, []],
    [4, []],
  ] as const)('at level %s the levels %j of a decision', (level, levels) => {
    expect(textsAt(level)).toEqual(levels);
  });

  it('without a logger, errors only, on the console', () => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    launched({ logging: undefined }).client.activate('test', 'ann');
    expect(said).not.toHaveBeenCalled();
    launched({ logging: { level: 2 } }).client.activate('test', 'ann');
    expect(said).toHaveBeenCalledOnce();
  });

  it('a decision with whom, what and why, and nothing that arrived', async () => {
    const { client, logged } = launched({});
    client.activate('test', 'ann');
    await settled();
    expect(logged).toEqual([]);
    const log = vi.fn();
    const own = { campaigns: [{ ...settings().campaigns[0], percentTraffic: 0 }] };
    const all = { level: 1, logger: { log } };
    launched({ logging: all }).client.activate('test', 'ann');
    expect(
      launched({ logging: all, settingsFile: { ...settings(), ...own } }).client.activate('test', 'ann'),
    ).toBeNull();
    expect(log.mock.calls).toEqual([
      [2, 'activate:test:ann:Only:SPLIT'],
      [2, 'activate:test:ann:undefined:DEFAULT'],
    ]);
  });

  it('a logger that throws changes no answer', () => {
    const log = () => {
      throw new Error('full');
    };
    expect(launched({ logging: { level: 1, logger: { log } } }).client.activate('test', 'ann')).toBe('Only');
    expect(launched({ settingsFile: null, logging: { logger: { log } } }).client.activate('test', 'ann')).toBeNull();
  });

  it('what broke, by the name of the call, which answers as if nobody were in the test', () => {
    const get = () => {
      throw new Error('broken disk');
    };
    const { client, logged } = launched({ integrations: { callback: get } });
    expect(client.activate('test', 'ann')).toBeNull();
    expect(client.getVariation('test', 'ann')).toBeNull();
    expect(logged).toEqual(['4 activate:Error: broken disk', '4 getVariationName:Error: broken disk']);
  });

  it('what broke in each call, by its name', () => {
    const file = settings();
    const settingsFile = { ...file, campaigns: file.campaigns.map((one) => ({ ...one, type: 'FEATURE_TEST' })) };
    const { client, logged } = launched({ settingsFile });
    // Half a pair of characters, which fails.
    const half = '\ud83c';
    expect([
      client.isFeatureEnabled('test', half),
      client.getFeatureVariableValue('test', 'text', half),
      client.track('test', half, 'order'),
      client.push('tag', 'value', half),
    ]).toEqual([false, null, null, false]);
    expect(logged.map((text) => text.split(':')[0])).toEqual([
      '4 isFeatureEnabled',
      '4 getFeatureVariableValue',
      '4 track',
      '4 push',
    ]);
  });

  it('nothing of what is asked for wrongly', () => {
    const { client, logged, requests } = launched({});
    expect([
      client.track(7, 'ann', 'order'),
      client.track({}, 'ann', 'order'),
      client.push('tag', 'value', 'ann', 'more'),
      client.push('tag'),
      client.push('tag', 'ann'),
      client.push({}, 'ann'),
      client.activate('other', 'ann'),
      client.isFeatureEnabled('test', 'ann'),
    ]).toEqual([null, null, false, false, false, false, null, false]);
    expect([logged, requests]).toEqual([[], []]);
  });
});

describe('which options are used is told with what is sent', () => {
  const storage = { get: () => null, set: () => true };
  const logger = { log: () => {} };
  test.each<[object, Readonly<Record<string, number>>]>([
    [{ logging: undefined }, {}],
    [{ logging: { level: 4 } }, { ll: 4, _l: 1 }],
    [{ logging: { logger } }, { cl: 1, _l: 1 }],
    [{ logging: { level: 3, logger } }, { cl: 1, ll: 3, _l: 1 }],
    [
      { logging: undefined, integrations: {} },
      { ig: 1, _l: 1 },
    ],
    [
      { logging: undefined, userStorageService: storage },
      { ss: 1, _l: 1 },
    ],
    [
      { logging: undefined, shouldTrackReturningUser: true },
      { tr: 1, _l: 1 },
    ],
    [{ logging: undefined, shouldTrackReturningUser: false }, {}],
    [
      { logging: undefined, goalTypeToTrack: 'ALL' },
      { gt: 1, _l: 1 },
    ],
    [
      { logging: undefined, batchEvents: { eventsPerRequest: 1 } },
      { eb: 1, _l: 1 },
    ],
  ])('%o', async (options, flags) => {
    const { client, requests } = launched(options);
    client.activate('test', 'ann');
    await settled();
    const known = ['eb', 'ig', 'ss', 'cl', 'tr', 'gt', 'pi', 'll', '_l'];
    expect(requests).toHaveLength(1);
    expect(Object.fromEntries(Object.entries(requests[0]!.query).filter(([name]) => known.includes(name)))).toEqual(
      flags,
    );
  });
});

describe('an answer', () => {
  it('in development says so where it is an object, and nothing is sent', () => {
    const { client, requests } = launched({ isDevelopmentMode: true });
    expect(client.activate('test', 'ann')).toBe('Only');
    expect(client.track('test', 'ann', 'order')).toEqual({ test: true, isDevelopmentMode: true });
    expect(client.push('tag', 'value', 'ann')).toEqual({ tag: true, isDevelopmentMode: true });
    expect(client.push()).toBe(false);
    expect(client.track('test', 'ann', 7)).toBeNull();
    expect(requests).toEqual([]);
  });

  it('does not say so in production', () => {
    expect(launched({}).client.track('test', 'ann', 'order')).toEqual({ test: true });
  });

  it('is told to whoever is integrated, with the version of the engine', () => {
    const callback = vi.fn();
    launched({ integrations: { callback } }).client.activate('test', 'ann');
    expect(callback).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ campaignKey: 'test', userId: 'ann', sdkVersion: '1.0.0' }),
    );
  });

  it('comes also if what is integrated is no function', () => {
    expect(launched({ integrations: { callback: 'c' } }).client.activate('test', 'ann')).toBe('Only');
  });
});

describe('opting out', () => {
  it('answers nothing and sends nothing from then on', async () => {
    const { client, requests } = launched({});
    expect(client.setOptOut()).toBe(true);
    expect([
      client.activate('test', 'ann'),
      client.getVariationName('test', 'ann'),
      client.isFeatureEnabled('test', 'ann'),
      client.track('test', 'ann', 'order'),
      client.push('tag', 'value', 'ann'),
    ]).toEqual([null, null, false, null, null]);
    expect(await client.getAndUpdateSettingsFile()).toBeNull();
    expect(requests).toEqual([]);
  });

  it('still sends what was collected before, and that only', async () => {
    const { client, requests } = launched({ batchEvents: { eventsPerRequest: 5 } });
    client.activate('test', 'ann');
    expect(requests).toEqual([]);
    client.setOptOut();
    client.activate('test', 'bob');
    await settled();
    expect(requests.map(({ url, body }) => [url, (body as { ev: unknown[] }).ev.length])).toEqual([
      [`${SERVICE}/server-side/batch-events`, 1],
    ]);
    expect(await client.flushEvents()).toEqual({ status: false, message: 'NOT_SENT' });
  });
});

describe('a batch', () => {
  it('is sent when asked for, and says whether it was', async () => {
    const { client, requests } = launched({ batchEvents: { eventsPerRequest: 5 } });
    expect(await client.flushEvents()).toEqual({ status: false, message: 'NOT_SENT' });
    client.activate('test', 'ann');
    client.activate('test', 'bob');
    expect(await client.flushEvents()).toEqual({ status: true, message: 'SENT' });
    expect(requests).toHaveLength(1);
    expect(await client.flushEvents()).toEqual({ status: false, message: 'NOT_SENT' });
  });

  it('that does not arrive was not sent', async () => {
    const { client } = launched({ batchEvents: { eventsPerRequest: 5 } }, () => ({ status: 500 }));
    client.activate('test', 'ann');
    expect(await client.flushEvents()).toEqual({ status: false, message: 'NOT_SENT' });
  });
});

describe('settings that are loaded', () => {
  const fresh = () => ({ status: 200, json: settings('New') });

  it('decide from then on, and are asked for with the account and key of those before', async () => {
    const { client, requests } = launched({}, fresh);
    expect(client.getVariationName('test', 'ann')).toBe('Only');
    expect(await client.getAndUpdateSettingsFile()).toEqual(settings('New'));
    expect(client.getVariationName('test', 'ann')).toBe('New');
    expect(requests).toEqual([
      expect.objectContaining({
        method: 'GET',
        url: `${SERVICE}/server-side/pull`,
        query: expect.objectContaining({ a: 7, i: 'own' }) as unknown,
      }),
    ]);
  });

  it('are asked for with an account and a key that are given', async () => {
    const { client, requests } = launched({}, fresh);
    await client.getAndUpdateSettingsFile(8, 'other');
    expect([requests[0]!.url, requests[0]!.query]).toEqual([
      `${SERVICE}/server-side/pull`,
      expect.objectContaining({ a: 8, i: 'other' }),
    ]);
  });

  it('change nothing if they are broken or do not come', async () => {
    for (const reply of [
      { status: 200, json: { version: 1 } },
      { status: 200 },
      { status: 500, json: settings('New') },
    ]) {
      const { client } = launched({}, () => reply);
      await client.getAndUpdateSettingsFile();
      expect(client.getVariationName('test', 'ann')).toBe('Only');
    }
  });

  it('do not lose what was collected by those before', async () => {
    const { client, requests } = launched({ batchEvents: { eventsPerRequest: 5 } }, fresh);
    client.activate('test', 'ann');
    await client.getAndUpdateSettingsFile();
    expect(requests.map(({ url }) => url.split('/').at(-1))).toEqual(['pull', 'batch-events']);
  });

  it('are not asked for without a transport', async () => {
    const { client } = launched({ transport: undefined });
    expect(await client.getAndUpdateSettingsFile()).toBeNull();
    expect(client.activate('test', 'ann')).toBe('Only');
  });

  it('are asked for again and again where that is wished, until somebody opts out', async () => {
    const waits: { ms: number; end: () => void }[] = [];
    const wait = (ms: number) => new Promise<void>((end) => void waits.push({ ms, end }));
    const { client, requests } = launched({ pollingInterval: 600, sdkKey: 'polled', wait }, fresh);
    await settled();
    expect([waits.map(({ ms }) => ms), requests.length]).toEqual([[600], 0]);
    waits[0]!.end();
    await settled();
    expect([waits.map(({ ms }) => ms), requests.length]).toEqual([[600, 600], 1]);
    expect([requests[0]!.url, requests[0]!.query]).toEqual([
      `${SERVICE}/server-side/settings`,
      expect.objectContaining({ a: 7, i: 'polled' }),
    ]);
    expect(client.getVariationName('test', 'ann')).toBe('New');
    client.setOptOut();
    waits[1]!.end();
    await settled();
    expect([waits.length, requests.length]).toEqual([2, 1]);
  });

  it('are not polled for without a transport, or without settings', async () => {
    const wait = vi.fn(() => new Promise<void>(() => {}));
    const polling = { pollingInterval: 600, sdkKey: 'polled', wait };
    launched({ ...polling, transport: undefined });
    launched({ ...polling, settingsFile: null });
    launched({ wait });
    await settled();
    expect(wait).not.toHaveBeenCalled();
  });

  it('are null if they do not come, and are asked for as the first ones unless they are pulled', async () => {
    const requests: ServiceRequest[] = [];
    const transport = async (request: ServiceRequest) => {
      requests.push(request);
      return { status: requests.length > 1 ? 200 : 500, json: { version: 3 } };
    };
    expect(await loadSettings(transport, 5, 'k', { wait: () => Promise.resolve() })).toEqual({ version: 3 });
    expect(
      await loadSettings(() => Promise.reject(new Error('off')), 5, 'k', { wait: () => Promise.resolve() }),
    ).toBeNull();
    expect(await loadSettings(async () => ({ status: 200 }), 5, undefined)).toBeNull();
    expect(requests.map(({ url }) => url)).toEqual(Array.from({ length: 2 }, () => `${SERVICE}/server-side/settings`));
  });
});

describe('what is told with a goal', () => {
  const earning = (more: object = {}) => {
    const file = settings();
    const goals = [{ id: 9, identifier: 'order', type: 'REVENUE_TRACKING', revenueProp: 'amount' }];
    return { ...file, ...more, campaigns: file.campaigns.map((one) => ({ ...one, goals })) };
  };

  it('is what was earned, in event mode as a property, too', () => {
    const { client } = launched({ settingsFile: earning() });
    expect(client.track('test', 'ann', 'order')).toEqual({ test: false });
    expect(client.track('test', 'ann', 'order', { eventProperties: { amount: 5 } })).toEqual({ test: false });
    expect(client.track('test', 'ann', 'order', { revenueValue: 5 })).toEqual({ test: true });
    const inEvents = launched({ settingsFile: earning({ isEventArchEnabled: true }) }).client;
    expect(inEvents.track('test', 'ann', 'order')).toEqual({ test: false });
    expect(inEvents.track('test', 'ann', 'order', { eventProperties: {} })).toEqual({ test: false });
    expect(inEvents.track('test', 'ann', 'order', { eventProperties: { amount: 5 } })).toEqual({ test: true });
  });

  it('goes into the batch where there is one, as tags do', async () => {
    const { client, requests } = launched({ batchEvents: { eventsPerRequest: 50 } });
    expect(client.track('test', 'ann', 'order')).toEqual({ test: true });
    expect(client.push('plan', 'gold', 'ann')).toEqual({ plan: true });
    await settled();
    expect(requests).toEqual([]);
    await client.flushEvents();
    const { ev } = requests[0]!.body as { ev: { eT: number; g?: number; t?: string }[] };
    expect(ev.map(({ eT, g, t }) => [eT, g, t && decodeURIComponent(t)])).toEqual([
      [2, 9, undefined],
      [3, undefined, '{"u":{"plan":"gold"}}'],
    ]);
    expect(requests).toHaveLength(1);
  });

  it('is told again only of one who comes back, where that is wished', () => {
    const userStorageService = () => {
      const row = { userId: 'ann', campaignKey: 'test', variationName: 'Only', goalIdentifier: 'order' };
      return { get: () => row, set: () => true };
    };
    const told = (options: object, own?: object) =>
      launched({ userStorageService: userStorageService(), ...options }).client.track('test', 'ann', 'order', own);
    expect(told({})).toEqual({ test: false });
    expect(told({}, { shouldTrackReturningUser: true })).toEqual({ test: true });
    expect(told({ shouldTrackReturningUser: true })).toEqual({ test: true });
    expect(told({ shouldTrackReturningUser: true }, { shouldTrackReturningUser: false })).toEqual({ test: false });
  });
});
