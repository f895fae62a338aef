import { expect, it, vi } from 'vitest';
import type { ScenarioName } from '../../hosts/imitated/scenarios.ts';
import type { Diagnostic, HostBridge } from '../../src/bridge/hostBridge.ts';
import { end, fate, ORDER_ID, orderFor, pass, REFERENCE, stage, type StagedHost } from './stage.ts';
import { makeStorage } from './phone.ts';

/** Plays a behaviour in every host that it concerns. */
type Each = (row: number, title: string, run: (id: StagedHost) => Promise<void>) => void;

const login = (bridge: HostBridge) => bridge.login({ nonce: 'nonce-1', interactive: true });
const pay = (bridge: HostBridge, id: StagedHost) => bridge.requestPayment(orderFor(id));

/** Hosts that are not only late or wrong, but strange. */
export function hostile(each: Each): void {
  for (const scenario of ['bridge-without-event', 'bridge-in-halves'] as const)
    each(38, `${scenario}: found without being told of it, by who waits and by who comes later`, async (id) => {
      const { bridge } = stage(id, { scenario });
      const upgraded = vi.fn();
      bridge.on('support', upgraded);
      const waiting = fate(bridge.ready());
      await pass(2_000);
      expect([waiting.done, waiting.error]).toEqual([true, undefined]);
      expect(upgraded).toHaveBeenCalledTimes(1);
      expect((await end(login(bridge))).value).toBeDefined();
    });

  each(39, 'the script is fetched once, and its global waited for', async (id) => {
    const { bridge, phone } = stage(id, { scenario: 'sdk-global-late' });
    const called = fate(login(bridge));
    await pass(2_000);
    expect(called.value).toBeDefined();
    // The fake swallows the script; a second one would be a second element in the making.
    expect(phone.elements.filter(({ tag }) => tag === 'script')).toEqual([]);
  });

  each(40, 'it is taken for a plain browser', async (id) => {
    const { bridge } = stage(id, { scenario: 'agent-lookalike' });
    expect([bridge.hosted, bridge.version]).toEqual([false, null]);
    expect((await end(pay(bridge, id), 0)).error?.code).toBe('NOT_READY');
  });

  for (const scenario of ['bridge-vanishes', 'bridge-replaced'] as const)
    each(41, `${scenario}: the call that it took along ends, and later ones reach what is there then`, async (id) => {
      const { bridge, fake } = stage(id, { scenario });
      await end(bridge.ready(), 10);
      const lost = fate(login(bridge));
      await pass(100);
      expect(lost.done).toBe(false);
      await pass(130_000);
      expect(lost.error).toMatchObject({ code: 'TIMEOUT', retryable: true });
      expect((await end(login(bridge))).value).toBeDefined();
      fake.gone();
      // Whether the host had opened its sheet before it was gone, the page cannot know.
      expect((await end(pay(bridge, id), 6_000)).value).toEqual({
        status: 'unknown',
        because: id === 'tarnpay' ? 'no-reply-channel' : 'unclassified-reply',
      });
      expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
      fake.ready();
      expect((await end(login(bridge))).value).toBeDefined();
    });

  each(43, 'unavailable is none, and the medium is known by its other names', async (id) => {
    const gone = stage(id, { scenario: 'network-unavailable' }).bridge;
    expect((await end(gone.network.getNetworkType())).value).toEqual({ isConnected: false, networkType: 'none' });
    const own = stage(id, { scenario: 'network-own-words' });
    expect((await end(own.bridge.network.getNetworkType())).value).toEqual({
      isConnected: true,
      networkType: 'wifi',
    });
  });

  for (const scenario of ['reply-getter', 'reply-proxy', 'reply-cyclic', 'reply-huge', 'reply-deep'] as const)
    each(46, `${scenario}: an answer as good as none, and no exception of the host's gets out`, async (id) => {
      const { bridge } = stage(id, { scenario });
      // Where the answer keeps a promise, an object that throws when its `then` is read breaks it.
      expect((await end(login(bridge))).error).toMatchObject({
        name: 'HostError',
        code: id === 'gpay' ? 'HOST_FAILURE' : 'MALFORMED_REPLY',
      });
      expect((await end(pay(bridge, id))).value).toEqual({
        status: 'unknown',
        because: id === 'gpay' && scenario === 'reply-proxy' ? 'unclassified-reply' : 'malformed-reply',
      });
      // The sheet was opened: whether money moved is the server's to say.
      expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
    });

  each(47, 'what counts is what it was when it came', async (id) => {
    const { bridge } = stage(id, { scenario: 'reply-changed-after' });
    expect((await end(login(bridge))).value).toMatchObject({ kind: 'proof' });
    expect((await end(pay(bridge, id))).value?.status).toBe('reported-success');
  });

  each(48, 'it is waited for all the same', async (id) => {
    const { bridge } = stage(id, { scenario: id === 'paytm' ? 'reply-promise' : 'reply-thenable' });
    expect((await end(login(bridge))).value).toMatchObject({ kind: 'proof' });
    expect((await end(pay(bridge, id))).value?.status).toBe('reported-success');
  });

  each(49, 'it answers nobody', async (id) => {
    const { bridge } = stage(id, { scenario: 'reply-other-call' });
    expect((await end(login(bridge))).value).toMatchObject({ kind: 'proof' });
    expect((await end(pay(bridge, id))).value?.status).toBe('reported-success');
  });

  each(50, 'whoever waited is told so at once, and the late answer does nothing', async (id) => {
    const { bridge } = stage(id, { scenario: 'reply-after-dispose' });
    await end(bridge.ready(), 10);
    const [news, seen] = [vi.fn(), [] as Diagnostic[]];
    bridge.on('payment', news);
    bridge.on('diagnostic', (event) => seen.push(event));
    const paying = fate(pay(bridge, id));
    await pass(300);
    bridge.dispose();
    await pass();
    expect(paying.error?.code).toBe('ABORTED');
    await pass(1_000);
    expect([news.mock.calls, seen.filter(({ kind }) => kind !== 'late-reply')]).toEqual([[], []]);
    expect((await end(login(bridge), 0)).error?.code).toBe('ABORTED');
    expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
    expect(vi.getTimerCount()).toBe(0);
  });

  each(51, 'an empty error is none', async (id) => {
    const { bridge } = stage(id, { scenario: 'error-empty' });
    expect((await end(login(bridge))).value).toMatchObject({ kind: 'proof' });
    expect((await end(pay(bridge, id))).value?.status).toBe('reported-success');
  });

  for (const scenario of ['call-throws-text', 'error-nothing', 'error-unreadable'] as const)
    each(52, `${scenario}: a failure of the host, to be tried again; a payment is unknown then`, async (id) => {
      const { bridge } = stage(id, { scenario });
      expect((await end(login(bridge))).error).toMatchObject({ name: 'HostError', retryable: true });
      expect((await end(pay(bridge, id))).value).toMatchObject({ status: 'unknown' });
      expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
    });

  each(53, 'it is read as what it says', async (id) => {
    const { bridge, server } = stage(id, { scenario: 'receipt-numbers' });
    expect((await end(pay(bridge, id))).value?.status).toBe('reported-success');
    expect(server.paid.get(REFERENCE)).toBe('success');
    if (id !== 'paytm' && id !== 'frame') return;
    const odd = stage(id, { scenario: 'address-odd' }).bridge;
    expect((await end(odd.pickAddress())).value).toMatchObject({
      line1: 'Flat 12, Rose Apartments',
      mobile: '9876543210',
      pincode: '110001',
      area: null,
      // Not the place where both are 0.
      latitude: null,
      longitude: null,
    });
  });

  each(54, 'the rest is null, and can be asked for', async (id) => {
    const { bridge } = stage(id, { scenario: 'address-bare' });
    expect((await end(bridge.pickAddress())).value).toEqual({
      name: null,
      mobile: null,
      line1: 'Flat 12, Rose Apartments',
      line2: null,
      area: null,
      city: null,
      state: null,
      pincode: null,
      latitude: null,
      longitude: null,
    });
  });

  each(55, 'there is no position then, and nothing is drawn at a place that is none', async (id) => {
    const odd = stage(id, { scenario: 'position-nonsense' }).bridge;
    expect((await end(odd.getLocation())).error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    const forbidden = stage(id, { scenario: 'position-forbidden' }).bridge;
    expect((await end(forbidden.getLocation())).error).toMatchObject({ name: 'HostError', retryable: true });
  });

  each(56, 'what can be kept is kept, and what is in use outlives a storage that is emptied', async (id) => {
    const storage = makeStorage();
    const first = stage(id, { scenario: 'storage-session-only', phone: { storage } }).bridge;
    await first.storage.set('cart', '1');
    expect([await first.storage.get('cart'), first.storage.durability]).toEqual(['1', 'session']);
    expect(storage).toHaveLength(0);
    const { bridge, fake } = stage(id, { scenario: 'storage-cleared', phone: { storage } });
    await bridge.storage.set('payment', ORDER_ID);
    fake.hide();
    fake.show();
    expect(storage).toHaveLength(0);
    expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
    await bridge.paymentSettled(ORDER_ID);
    expect(await bridge.unfinishedPayment()).toBeNull();
  });

  each(58, 'listeners hear each change once, and the host is not asked for each', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'visibility-flapping' });
    await end(bridge.ready(), 10);
    const states: string[] = [];
    bridge.on('lifecycle', (state) => states.push(state));
    bridge.on('network', () => {});
    await pass(100);
    const before = fake.log.length;
    fake.hide();
    fake.show();
    await pass(100);
    expect(states.every((state, at) => state === (at % 2 === 0 ? 'hidden' : 'shown'))).toBe(true);
    expect(states.at(-1)).toBe('shown');
    expect(fake.log.length - before).toBeLessThanOrEqual(2);
    expect(bridge.network.getSnapshot().isConnected).toBe(true);
  });

  each(59, 'it is shown again, and asks anew for what may have changed meanwhile', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'page-restored' });
    await end(bridge.ready(), 10);
    const states: string[] = [];
    bridge.on('lifecycle', (state) => states.push(state));
    bridge.on('network', () => {});
    await pass(100);
    fake.hide();
    // Frozen, a page hears nothing of the line.
    fake.controls.networkType = 'none';
    fake.show();
    await pass(100);
    expect(states).toEqual(['hidden', 'shown']);
    expect(bridge.network.getSnapshot()).toEqual({ isConnected: false, networkType: 'none' });
  });

  each(64, 'back then has its usual meaning, and nothing breaks', async (id) => {
    const { bridge, fake, phone } = stage(id, { scenario: 'history-full' });
    const asked = vi.fn(() => 'handled' as const);
    const seen: Diagnostic[] = [];
    bridge.on('diagnostic', (event) => seen.push(event));
    const stop = bridge.on('back', asked);
    await pass(400);
    stop();
    await pass(400);
    expect(phone.depth()).toBe(1);
    expect(seen).toEqual([]);
    fake.set({ history: 'works' });
    const again = bridge.on('back', asked);
    await pass(400);
    phone.history.back();
    await pass(400);
    expect(asked).toHaveBeenCalledTimes(1);
    again();
  });

  const sharing: readonly [ScenarioName, string | undefined, string | undefined][] = [
    ['share-sheet-forbidden', 'copied', undefined],
    ['share-forbidden', undefined, 'HOST_FAILURE'],
  ];
  each(65, 'it is copied where it may be, else the page is told', async (id) => {
    for (const [scenario, value, code] of sharing) {
      const { bridge } = stage(id, { scenario });
      const shared = await end(bridge.share({ title: 'Pizza', path: '/menu' }));
      expect([shared.value, shared.error?.code], scenario).toEqual([value, code]);
    }
  });

  it('33. a vibration that throws is none', () => {
    for (const id of ['browser', 'gpay', 'paytm', 'sixpay'] as const)
      expect(stage(id, { scenario: 'vibrate-throws' }).bridge.vibrate('success')).toBe(false);
  });
}
