import { createStore } from 'jotai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import type { ApiError } from '../../src/contract/reply.ts';
import { openDb } from '../../src/server/store/db.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import {
  deliverAtom,
  deliverLeavingAtom,
  enqueueEventAtom,
  enqueueExperimentAtom,
} from '../../src/state/telemetry/telemetryOutbox.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { schemas } from '../../src/state/schemas.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { environment: { ANALYTICS: 'on' } } });
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

test('what is told after a look that found nothing to send is sent all the same', async () => {
  const { db } = await openDb(server.database.target);
  try {
    const customer = openCustomer(server);
    await customer.set(sayAtom, 'usage', true);
    await customer.set(deliverAtom);
    customer.set(enqueueEventAtom, { name: 'page_view', at: Date.now(), properties: {} }, {});
    await customer.set(deliverAtom);
    expect(await db.selectFrom('activity').select('name').where('kind', '=', 'event').execute()).toEqual([
      { name: 'page_view' },
    ]);
  } finally {
    await db.destroy();
  }
});

describe('what waits to be told', () => {
  type Sent = {
    readonly names: readonly string[];
    readonly clientId?: string;
    readonly keepalive: boolean | undefined;
  };
  let store: ReturnType<typeof createStore>;
  let sent: Sent[];
  /** What the next calls come to; all after them are taken. */
  let fates: (Failure | undefined)[];
  let pages = 0;
  const visibility = (is: 'visible' | 'hidden') => vi.stubGlobal('document', { visibilityState: is });

  beforeEach(async () => {
    vi.useFakeTimers();
    openStorage(`delivery-${(pages += 1)}`, () => {});
    [store, sent, fates] = [createStore(), [], []];
    store.set(apiAtom, {
      ensureSession: async () => {},
      call: async (_endpoint: unknown, input: { body: Body }, options?: { keepalive?: boolean }) => {
        const { body } = input;
        const names = body.events?.map(({ name }) => name) ?? body.ev?.map(({ u }) => u);
        if (!names) return {};
        sent.push({ names, ...(body.clientId ? { clientId: body.clientId } : {}), keepalive: options?.keepalive });
        const failed = fates.shift();
        if (failed) throw failed;
        return {};
      },
    } as unknown as Api);
    store.set(wakeAtom, schemas);
    await store.set(sayAtom, 'usage', true);
  });
  afterEach(async () => {
    await store.set(sayAtom, 'usage', false);
    await store.set(deliverAtom);
    visibility('visible');
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  interface Body {
    readonly clientId?: string;
    readonly events?: readonly { readonly name: string }[];
    readonly ev?: readonly { readonly u: string }[];
  }
  const tell = (name: string, user = {}) => store.set(enqueueEventAtom, { name, at: Date.now(), properties: {} }, user);
  const names = () => sent.map((one) => one.names);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const offline = () => new Failure('offline');
  const refused = (httpStatus = 422) =>
    new Failure('refused', { httpStatus, errors: [{ code: 'NO' } as unknown as ApiError] });

  test('goes together three seconds after the last of it, under one id of this device', async () => {
    tell('first');
    await pass(2_000);
    tell('second');
    await pass(2_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(names()).toEqual([['first', 'second']]);
    tell('third');
    await pass(3_000);
    expect(names()).toEqual([['first', 'second'], ['third']]);
    expect(sent[0]!.clientId).toMatch(/./);
    expect(sent[1]!.clientId).toBe(sent[0]!.clientId);
    await pass(60_000);
    expect(sent).toHaveLength(2);
  });

  test('goes apart where the visitor is another or it is an experiment, the oldest first, and thirty at once', async () => {
    tell('guest', { plan: 'a' });
    await pass(1);
    tell('member', { plan: 'b' });
    await pass(1);
    store.set(enqueueExperimentAtom, { eT: 1, u: 'visitor', sId: 1 });
    await pass(1);
    tell('guest again', { plan: 'a' });
    await store.set(deliverAtom);
    expect(names()).toEqual([['guest', 'guest again'], ['member'], ['visitor']]);
    sent.length = 0;
    for (let at = 0; at < 65; at += 1) tell(`n${at}`);
    await store.set(deliverAtom);
    expect(names().map(({ length }) => length)).toEqual([30, 30, 5]);
  });

  test('is tried five times more, ever later, and then again with what comes next', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    fates = Array.from({ length: 7 }, offline);
    tell('first');
    await pass(3_000);
    for (const [at, wait] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
      expect(sent).toHaveLength(at + 1);
      // What comes meanwhile waits with it.
      if (at === 0) tell('second');
      await pass(wait - 1);
      expect(sent).toHaveLength(at + 1);
      await pass(1);
    }
    expect(sent).toHaveLength(6);
    await pass(600_000);
    expect(sent).toHaveLength(6);
    tell('third');
    await pass(3_000);
    await pass(1_000);
    expect(names().slice(6)).toEqual([
      ['first', 'second', 'third'],
      ['first', 'second', 'third'],
    ]);
    await pass(600_000);
    expect(sent).toHaveLength(8);
  });

  test('one that is refused for good is lost alone; one that comes too often is kept', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const name of ['good', 'bad', 'better']) {
      tell(name);
      await pass(1);
    }
    fates = [refused(), undefined, refused(), undefined];
    await store.set(deliverAtom);
    expect(names()).toEqual([['good', 'bad', 'better'], ['good'], ['bad'], ['better']]);
    expect(said).toHaveBeenCalledTimes(2);
    await pass(600_000);
    expect(sent).toHaveLength(4);
    for (const status of [408, 429]) {
      sent.length = 0;
      tell(`at ${status}`);
      fates = [refused(status)];
      await store.set(deliverAtom);
      await pass(1_000);
      expect(names()).toEqual([[`at ${status}`], [`at ${status}`]]);
    }
  });

  test('a page that is left sends it by calls that outlive it, and again on the next look if no answer was heard', async () => {
    tell('first');
    visibility('hidden');
    tell('second');
    await pass(0);
    expect(sent).toMatchObject([{ names: ['first', 'second'], keepalive: true }]);
    await pass(3_000);
    expect(sent).toHaveLength(1);
    fates = [offline()];
    tell('third');
    await pass(0);
    visibility('visible');
    await store.set(deliverAtom);
    expect(sent.slice(1)).toMatchObject([
      { names: ['third'], keepalive: true },
      { names: ['third'], keepalive: false },
    ]);
    // No more than browsers let outlive a page.
    sent.length = 0;
    const long = 'x'.repeat(400);
    for (let at = 0; at < 200; at += 1)
      store.set(enqueueEventAtom, { name: `n${at}`, at: Date.now(), properties: { long } }, {});
    store.set(deliverLeavingAtom);
    await pass(0);
    const most = sent.reduce((sum, { names: those }) => sum + those.length, 0);
    expect([most > 0, most * 400 < 48_000]).toEqual([true, true]);
  });
});
