import { afterEach, describe, expect, it, vi } from 'vitest';
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
  it('may leave anything out, or say it in each way that there is', () => {
    for (const options of [
      {},
      { batchEvents: { eventsPerRequest: 5000 } },
      { batchEvents: { requestTimeInterval: 1 } },
      { batchEvents: { eventsPerRequest: 2, flushCallback: () => {} } },
      { logging: {} },
      { pollingInterval: 0 },
      { sdkKey: 'k' },
    ])
      expect(launched(options).client.getVariationName('test', 'ann'), JSON.stringify(options)).toBe('Only');
  });

  it('is told to be invalid where it is, on the console or to its own logger, and does nothing then', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    expect(launch(null as never).getVariationName('test', 'ann')).toBeNull();
    expect(said.mock.calls).toEqual([['launch:INVALID']]);
    const { logged, client, requests } = launched({ settingsFile: { version: 1 } });
    expect(logged).toEqual(['4 launch:INVALID']);
    expect(await client.getAndUpdateSettingsFile()).toBeNull();
    expect(await client.flushEvents()).toEqual({ status: false, message: 'NOT_SENT' });
    expect([client.setOptOut(), requests]).toEqual([true, []]);
  });
});

describe('what is logged', () => {
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
});

describe('an answer', () => {
  it('is told to whoever is integrated, with the version of the engine', () => {
    const callback = vi.fn();
    launched({ integrations: { callback } }).client.activate('test', 'ann');
    expect(callback).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ campaignKey: 'test', userId: 'ann', sdkVersion: '1.0.0' }),
    );
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
});
