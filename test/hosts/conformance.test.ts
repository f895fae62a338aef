import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SCENARIOS, type ScenarioName } from '../../hosts/imitated/scenarios.ts';
import type { Diagnostic, Feature, HostBridge } from '../../src/bridge/hostBridge.ts';
import { FORBIDDEN_FEATURES } from '../kit/forbidden.ts';
import { BEHAVIOURS } from './behaviours.ts';
import { hostile } from './hostile.ts';
import {
  end,
  fate,
  HOSTS,
  ORDER_ID,
  orderFor,
  pass,
  played,
  REFERENCE,
  RETURN_TO,
  stage,
  type StagedHost,
} from './stage.ts';
import { makePhone, makeStorage } from './phone.ts';

const NONCE = 'nonce-1';
const TOKEN = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string;
/** What was really played: each behaviour by its hosts. */
const proved = new Map<number, Set<StagedHost>>();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function prove(row: number, id: StagedHost): void {
  proved.set(row, (proved.get(row) ?? new Set()).add(id));
}

/** One test per host; a host that it does not concern has none, and a reason, here or for the whole row (behaviours.ts). */
function each(
  row: number,
  title: string,
  run: (id: StagedHost) => Promise<void>,
  not: Partial<Record<StagedHost, string>> = {},
) {
  for (const id of HOSTS) {
    const name = `${row}. ${id}: ${title}`;
    // The suite itself demands every behaviour of every host.
    if ((not[id] ?? BEHAVIOURS[row - 1]?.not?.[id]) === undefined)
      it(name, async () => {
        await run(id);
        prove(row, id);
      });
  }
}
const AROUND = 'the page around is there first';
/** The one call of each, and the name by which the server knows the host. */
const LOGIN_OF: Readonly<Record<string, string>> = { frame: 'login', paytm: 'paytmFetchAuthCode', sixpay: 'identify' };
const partnerNamed = (id: StagedHost) => (id === 'frame' ? 'frame-acme' : id);
const WEB_PAY = 'a page gets no reply from a UPI link';
const NEVER_TOLD = 'tarnpay tells the page nothing of a payment';
/** The name under which a host proves who somebody is. */
const PROOF = {
  browser: '',
  frame: 'token',
  gpay: 'idToken',
  paytm: 'authCode',
  sixpay: 'token',
  tarnpay: 'grantToken',
};
/** What a page is told of a payment, by a host that tells it anything. */
const told = (id: StagedHost, status: string) => (id === 'tarnpay' ? 'unknown' : status);
const login = (bridge: HostBridge) => bridge.login({ nonce: NONCE, interactive: true });
const pay = (bridge: HostBridge, id: StagedHost) => bridge.requestPayment(orderFor(id));

describe('start-up', () => {
  each(1, 'a bridge that was there first is used at once [MINI-01] [MINI-02]', async (id) => {
    const { bridge } = stage(id, { scenario: 'bridge-first' });
    expect(bridge.hosted).toBe(true);
    expect((await end(bridge.ready(), 0)).error).toBeUndefined();
    const said = (await end(login(bridge))).value;
    expect(said?.kind).toBe(id === 'browser' ? 'web-session' : 'proof');
    if (said?.kind === 'proof') expect(Object.keys(said.proof)[0]).toBe(PROOF[id]);
  });

  for (const [scenario, ms] of [
    ['ready-10ms', 10],
    ['ready-3s', 3_000],
  ] as const) {
    each(2, `${scenario}: a call waits for a late bridge`, async (id) => {
      const { bridge } = stage(id, { scenario });
      const called = fate(login(bridge));
      await pass(ms + 10);
      expect(called.value).toBeDefined();
    });
  }

  each(2, 'ready-60s: NOT_READY after 5 s, later calls fail at once, and the running page upgrades', async (id) => {
    const { bridge } = stage(id, { scenario: 'ready-60s' });
    const upgraded = vi.fn();
    bridge.on('support', upgraded);
    expect((await end(bridge.ready(), 5_000)).error?.code).toBe('NOT_READY');
    expect((await end(login(bridge), 0)).error).toMatchObject({ code: 'NOT_READY', retryable: true });
    expect(upgraded).not.toHaveBeenCalled();
    await pass(60_000);
    expect(upgraded).toHaveBeenCalledTimes(1);
    expect((await end(bridge.ready(), 0)).error).toBeUndefined();
    expect((await end(login(bridge))).value).toBeDefined();
  });

  each(2, 'two callers share one ready promise, and each may give up alone', async (id) => {
    const { bridge } = stage(id, { scenario: 'ready-3s' });
    const control = new AbortController();
    const first = fate(bridge.ready({ signal: control.signal }));
    const second = fate(bridge.ready());
    control.abort();
    await pass(3_100);
    expect(first.error?.code).toBe('ABORTED');
    expect(second.done && !second.error).toBe(true);
  });

  each(3, 'the ready event came before anybody listened', async (id) => {
    const { bridge } = stage(id, { scenario: 'ready-event-early' });
    expect((await end(bridge.ready(), 0)).error).toBeUndefined();
  });

  each(4, 'an event without the global is not readiness', async (id) => {
    const { bridge } = stage(id, { scenario: 'ready-event-only' });
    expect((await end(bridge.ready(), 5_000)).error?.code).toBe('NOT_READY');
  });

  each(
    4,
    'two ready events upgrade once',
    async (id) => {
      const { bridge } = stage(id, { scenario: 'ready-twice' });
      const upgraded = vi.fn();
      bridge.on('support', upgraded);
      await end(bridge.ready(), 100);
      expect(upgraded).toHaveBeenCalledTimes(1);
    },
    { gpay: 'a script loads once', tarnpay: 'a script loads once' },
  );

  each(5, 'the user agent says so and the bridge never comes: not ready, and still not the browser', async (id) => {
    for (const scenario of ['bridge-never', 'spoofed-agent'] as const) {
      const { bridge } = stage(id, { scenario });
      expect((await end(login(bridge), 5_000)).error?.code).toBe('NOT_READY');
      expect(bridge.hosted).toBe(true);
      expect(bridge.partner).toBe(partnerNamed(id));
    }
  });

  it("40. paytm: only the product token of Paytm's own webviews is its user agent", () => {
    const hosted = (userAgent: string) => {
      const { bridge } = stage('paytm', { scenario: 'bridge-with-plain-agent', phone: { userAgent } });
      return bridge.hosted && bridge.version;
    };
    const phone = 'Mozilla/5.0 (Linux; Android 14; wv) Chrome/146.0.0.0 Mobile Safari/537.36';
    expect(hosted(`${phone} AppContainer/10.5.10 AppContainer PhoenixContainer/2.0.9-10.49.0-CA-227711-IB1`)).toBe(
      '10.5.10',
    );
    expect(hosted(`${phone} AppContainer`)).toBeNull();
    expect(hosted(`${phone} appcontainer/10.5.10`)).toBe('10.5.10');
    expect(hosted(`${phone} APPCONTAINER`)).toBeNull();
    for (const other of ['MyAppContainer/1.0', 'AppContainerHost/1.0', 'Shop(AppContainer)', 'XAppContainer'])
      expect(hosted(`${phone} ${other}`), other).toBe(false);
  });

  each(5, 'a bridge global in a plain browser proves nothing [MINI-X05]', async (id) => {
    const { bridge } = stage(id, { scenario: 'bridge-with-plain-agent', phone: { parent: null } });
    expect(bridge.hosted).toBe(false);
    const seen = await end(login(bridge), 0);
    expect(seen.error?.code).toBe('NOT_READY');
    expect(bridge.supports('payment')).toEqual({ state: 'unavailable', because: 'outside-host' });
    expect((await end(pay(bridge, id), 0)).error?.code).toBe('NOT_READY');
    expect(await bridge.unfinishedPayment()).toBeNull();
    expect((await end(bridge.getLocation())).value).toMatchObject({ latitude: 28.6139 });
  });

  each(
    6,
    'a blocked script fails fast and may be tried again',
    async (id) => {
      const { bridge, fake } = stage(id, { scenario: 'sdk-blocked' });
      expect((await end(bridge.ready(), 100)).error?.code).toBe('NOT_READY');
      expect((await end(login(bridge), 100)).error?.code).toBe('NOT_READY');
      fake.set({ ready: 'late', readyAfterMs: 10 });
      // The tap on Retry fetches it: nobody else will.
      expect((await end(login(bridge))).value).toBeDefined();
      expect((await end(bridge.ready(), 0)).error).toBeUndefined();
    },
    { frame: AROUND },
  );

  each(6, 'a slow script and a mute one both end', async (id) => {
    const slow = stage(id, { scenario: 'sdk-slow' }).bridge;
    expect((await end(slow.ready(), 5_000)).error?.code).toBe('NOT_READY');
    await pass(16_000);
    expect((await end(slow.ready(), 0)).error).toBeUndefined();
    expect((await end(login(stage(id, { scenario: 'sdk-mute' }).bridge))).error?.code).toBe('TIMEOUT');
  });

  each(7, 'only a frame of a trusted origin is the host', async (id) => {
    const hosted = (phone: object) => stage(id, { scenario: 'foreign-frame', phone }).bridge.hosted;
    for (const parent of [
      ...['https://evil.example', 'https://microapps.google.com.evil.example'],
      ...['https://evilmicroapps.google.com', 'http://microapps.google.com'],
      ...['https://microapps.google.com:8443', 'https://microapps.googIe.com', 'https://google.com'],
      ...['https://microapps.google.co', 'null', 'https://xn--microapps-google.com'],
    ])
      expect(hosted({ parent }), parent).toBe(false);
    expect(hosted({ parent: 'https://microapps.google.com' })).toBe(true);
    expect(hosted({ parent: 'https://microapps.google.com', hideAncestors: true })).toBe(true);
    expect(hosted({ parent: 'https://evil.example', hideAncestors: true })).toBe(false);
    const silent = { parent: 'https://microapps.google.com', hideAncestors: true, referrer: '' };
    expect(hosted(silent)).toBe(false);
    expect(hosted({ ...silent, userAgent: 'Mobile GPay-Microapps/1.0' })).toBe(true);
    expect(hosted({ ...silent, userAgent: 'Mobile gpay-microapps/1.0' })).toBe(true);
    expect(hosted({ parent: 'https://trial.example', settings: { 'host-origins': 'https://trial.example' } })).toBe(
      true,
    );
  });

  each(8, 'a reload loses the pending call; the order is still known and a new page works', async (id) => {
    const storage = makeStorage();
    const before = stage(id, { scenario: 'reload', phone: { storage } });
    fate(pay(before.bridge, id));
    await pass(1_000);
    before.bridge.dispose();
    const after = stage(id, { phone: { storage } });
    expect(await after.bridge.unfinishedPayment()).toBe(ORDER_ID);
    expect((await end(login(after.bridge))).value).toBeDefined();
  });

  it('the address of the launch is kept as it was, with the path and the parameters of the deep link [MINI-X04]', () => {
    const data = (value: object) => encodeURIComponent(btoa(JSON.stringify(value)));
    const launch = (query: string) =>
      stage('paytm', { phone: { url: `https://pizza.example/in/paytm/${query}` } }).bridge.launch;
    expect(launch(`?data=${data({ path: '/menu?x=1', params: { coupon: 'PARTY' } })}&src=push`)).toEqual({
      href: expect.stringContaining('/in/paytm/?data=') as string,
      path: '/menu?x=1&coupon=PARTY',
      params: { coupon: 'PARTY', src: 'push' },
    });
    // The vendor's own examples have a query there, and base64 that nobody encoded for an address.
    expect(launch(`?data=${data({ path: '/customise/PZ004', params: '?coupon=PARTY&from=sms' })}`)).toMatchObject({
      path: '/customise/PZ004?coupon=PARTY&from=sms',
      params: { coupon: 'PARTY', from: 'sms' },
    });
    const plain = btoa(JSON.stringify({ path: '/menu', params: 'q=>>>?' }));
    expect(plain).toMatch(/\+/);
    for (const sent of [plain, plain.replaceAll('+', '-').replaceAll('/', '_')])
      expect(launch(`?data=${sent}`)).toMatchObject({ path: '/menu?q=%3E%3E%3E%3F' });
    for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])
      expect(launch(`?data=${data({ path })}`).path).toBeNull();
    expect(launch('?data=%%%')).toMatchObject({ path: null });
    expect(launch('?store=DL1')).toMatchObject({ path: null, params: { store: 'DL1' } });
  });
});

describe('calls', () => {
  each(9, 'a call that is never answered times out, and a payment is then unknown', async (id) => {
    const { bridge } = stage(id, { scenario: 'no-reply' });
    expect((await end(login(bridge))).error).toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect((await end(pay(bridge, id))).value).toEqual({ status: 'unknown', because: 'timeout' });
  });

  each(10, 'of two replies the first counts and the second is only news', async (id) => {
    const { bridge } = stage(id, { scenario: 'reply-twice' });
    const news = vi.fn();
    const seen: Diagnostic[] = [];
    bridge.on('payment', news);
    bridge.on('diagnostic', (event) => seen.push(event));
    expect((await end(login(bridge))).value).toMatchObject(
      id === 'paytm' ? { proof: { authCode: 'code-1' } } : { proof: { token: TOKEN } },
    );
    expect(seen).toEqual([{ kind: 'extra-reply', feature: 'login', method: LOGIN_OF[id] }]);
    expect(news).not.toHaveBeenCalled();
    expect((await end(pay(bridge, id))).value?.status).toBe('reported-success');
    expect(news.mock.calls).toEqual([[ORDER_ID]]);
  });

  each(10, 'a reply that comes before the call returns is a reply', async (id) => {
    const { bridge } = stage(id, { scenario: 'reply-sync' });
    expect((await end(login(bridge), 0)).error).toMatchObject({
      code: id === 'paytm' ? 'DENIED' : 'HOST_FAILURE',
      vendorCode: '-1',
    });
  });

  each(11, 'a reply after the deadline asks for the server instead of answering', async (id) => {
    const { bridge } = stage(id, { scenario: 'reply-late' });
    const news = vi.fn();
    const seen: Diagnostic[] = [];
    bridge.on('payment', news);
    bridge.on('diagnostic', (event) => seen.push(event));
    const paid = await end(pay(bridge, id), 20 * 60_000);
    expect(paid.value).toEqual({ status: 'unknown', because: 'timeout' });
    expect(news).not.toHaveBeenCalled();
    await pass(10 * 60_000);
    expect(news.mock.calls).toEqual([[ORDER_ID]]);
    expect(seen).toMatchObject([{ kind: 'late-reply', feature: 'payment' }]);
    expect(paid.value).toEqual({ status: 'unknown', because: 'timeout' });
  });

  each(12, 'a call that throws is a failure of the host; a payment is unknown then', async (id) => {
    const { bridge } = stage(id, { scenario: 'call-throws' });
    expect((await end(login(bridge), 0)).error).toMatchObject({ code: 'HOST_FAILURE', retryable: true });
    expect((await end(pay(bridge, id), 0)).value).toEqual({ status: 'unknown', because: 'unclassified-reply' });
  });

  it('gpay is told our merchant id where there is one', async () => {
    for (const merchantId of [undefined, 'BCR2SHOP']) {
      const { bridge, fake } = stage('gpay');
      const order = orderFor('gpay');
      const details = { ...order.details, ...(merchantId === undefined ? {} : { merchantId }) };
      await end(bridge.requestPayment({ ...order, details }));
      const asked = fake.log.at(-1)?.args as { merchantInfo?: unknown } | undefined;
      expect(asked).toHaveProperty('apiVersion', 2);
      expect(asked?.merchantInfo).toEqual(merchantId && { merchantId });
    }
  });

  each(
    12,
    'a function the host does not know is unsupported from then on, a payment until it is asked for again',
    async (id) => {
      const { bridge, fake } = stage(id, { scenario: 'no-such-function' });
      await end(bridge.ready(), 10);
      expect((await end(login(bridge))).error?.code).toBe('UNSUPPORTED');
      expect((await end(pay(bridge, id))).error?.code).toBe('UNSUPPORTED');
      expect(await bridge.unfinishedPayment()).toBeNull();
      expect(bridge.supports(id === 'paytm' ? 'login' : 'payment')).toEqual({
        state: 'unavailable',
        because: 'host-version',
      });
      const calls = fake.log.length;
      expect((await end(login(bridge), 0)).error?.code).toBe('UNSUPPORTED');
      if (id !== 'paytm') expect((await end(pay(bridge, id), 0)).error?.code).toBe('UNSUPPORTED');
      expect(fake.log.length).toBe(calls);
      if (id !== 'paytm') return;
      // An update of the app, or of its rules, needs no reload of the page.
      expect(bridge.supports('payment')).toEqual({ state: 'unknown' });
      fake.set({ reply: 'none' });
      expect((await end(pay(bridge, id))).value).toMatchObject({ status: 'reported-success' });
    },
  );

  each(12, 'a call the host does not allow is blocked from then on', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'not-authorised' });
    expect((await end(login(bridge))).error?.code).toBe(id === 'paytm' ? 'BLOCKED' : 'HOST_FAILURE');
    if (id !== 'paytm') return;
    expect(bridge.supports('login')).toEqual({ state: 'unavailable', because: 'blocked-by-host' });
    const calls = fake.log.length;
    expect((await end(login(bridge), 0)).error?.code).toBe('BLOCKED');
    expect(fake.log.length).toBe(calls);
    expect((await end(pay(bridge, id))).error?.code).toBe('BLOCKED');
    fake.set({ reply: 'none' });
    expect((await end(pay(bridge, id))).value).toMatchObject({ status: 'reported-success' });
  });

  each(13, 'answers in another order reach their own callers', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'out-of-order' });
    const slow = fate<unknown>(id === 'browser' ? bridge.getLocation() : login(bridge));
    await pass(1);
    fake.set({ replyAfterMs: 0 });
    const quick = fate(bridge.network.getNetworkType());
    await pass(10);
    expect(quick.value?.isConnected).toBe(true);
    await pass(1_000);
    expect(slow.value).toMatchObject(id === 'browser' ? { latitude: 28.6139 } : { kind: expect.any(String) as string });
  });

  each(14, 'JSON text, wrapped once or twice, is read as what it says', async (id) => {
    for (const scenario of ['data-json', 'data-double-json'] as const) {
      const { bridge } = stage(id, { scenario });
      if (id === 'paytm') expect((await end(login(bridge))).value).toMatchObject({ proof: { authCode: 'code-1' } });
      expect((await end(pay(bridge, id))).value?.status, scenario).toBe(told(id, 'reported-success'));
    }
  });

  for (const scenario of ['data-truncated', 'data-null', 'data-undefined', 'data-empty', 'data-false'] as const) {
    each(14, `${scenario}: malformed for a login, unknown for a payment`, async (id) => {
      const { bridge } = stage(id, { scenario });
      expect((await end(login(bridge))).error?.code).toBe('MALFORMED_REPLY');
      const { value } = await end(pay(bridge, id));
      expect(value?.status).toBe('unknown');
    });
  }

  for (const scenario of ['error-number', 'error-text'] as const) {
    each(15, `${scenario}: one meaning in every spelling`, async (id) => {
      const { bridge } = stage(id, { scenario });
      expect((await end(login(bridge))).error).toMatchObject({
        ...(id === 'paytm'
          ? { code: 'DENIED', vendorCode: '-1', vendorMessage: 'Consent denied' }
          : { code: 'HOST_FAILURE' }),
        retryable: true,
      });
      expect((await end(pay(bridge, id))).value).toEqual({ status: 'unknown', because: 'unclassified-reply' });
    });
  }

  each(
    15,
    'data and error together are a failure, and an unknown payment',
    async (id) => {
      const { bridge } = stage(id, { scenario: 'data-and-error' });
      expect((await end(login(bridge))).error).toMatchObject({ code: 'HOST_FAILURE', vendorCode: '5' });
      expect((await end(pay(bridge, id))).value).toEqual({ status: 'unknown', because: 'unclassified-reply' });
    },
    { gpay: 'a promise is either kept or rejected', tarnpay: 'as with gpay' },
  );

  each(16, 'fields nobody knows are passed over, values nobody knows fall back', async (id) => {
    expect((await end(pay(stage(id, { scenario: 'extra-fields' }).bridge, id))).value?.status).toBe('reported-success');
    expect((await end(pay(stage(id, { scenario: 'receipt-unknown-status' }).bridge, id))).value).toEqual({
      status: 'unknown',
      because: 'unclassified-reply',
    });
    const odd = stage(id, { scenario: 'unknown-value', controls: { replyOn: 'paytmNetworkType' } });
    expect((await end(odd.bridge.network.getNetworkType())).value).toMatchObject({ isConnected: true });
  });
});

describe('login', () => {
  each(17, 'consent refused, browsing goes on, granted on the next try [MINI-X05] [MINI-23]', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'consent-denied' });
    expect((await end(login(bridge))).error).toMatchObject({
      code: id === 'paytm' || id === 'frame' ? 'DENIED' : 'HOST_FAILURE',
      retryable: true,
    });
    expect(bridge.network.getSnapshot().isConnected).toBe(true);
    fake.set({ login: 'grant' });
    expect((await end(login(bridge))).value).toBeDefined();
  });

  each(
    17,
    'a returning user signs in without a sheet, a new one does not; not every host can promise it',
    async (id) => {
      const silent = (scenario: ScenarioName) =>
        end(stage(id, { scenario }).bridge.login({ nonce: NONCE, interactive: false }));
      if (id === 'paytm' || id === 'tarnpay')
        return expect((await silent('returning-user')).error?.code).toBe('UNSUPPORTED');
      expect((await silent('returning-user')).value).toEqual({
        kind: 'proof',
        proof: { [PROOF[id]]: TOKEN },
      });
      expect((await silent('calm')).error?.code).toBe('HOST_FAILURE');
    },
  );

  each(18, 'each login brings a new code, and one used again is passed on for the server to refuse', async (id) => {
    const fresh = stage(id).bridge;
    expect([(await end(login(fresh))).value, (await end(login(fresh))).value]).toMatchObject([
      { proof: { [PROOF[id]]: 'code-1' } },
      { proof: { [PROOF[id]]: 'code-2' } },
    ]);
    const reused = stage(id, { scenario: 'auth-code-reused' }).bridge;
    expect([(await end(login(reused))).value, (await end(login(reused))).value]).toMatchObject([
      { proof: { [PROOF[id]]: 'code-1' } },
      { proof: { [PROOF[id]]: 'code-1' } },
    ]);
  });

  each(19, 'openId is needed by nobody and passed on to nobody; a missing client is our fault', async (id) => {
    for (const scenario of ['profile-bare', 'profile-odd', 'profile-of-nobody', 'calm'] as const) {
      const { bridge } = stage(id, { scenario });
      expect((await end(login(bridge))).value).toEqual({ kind: 'proof', proof: { authCode: 'code-1' } });
    }
    const nameless = stage(id, { phone: { settings: {} } }).bridge;
    expect((await end(login(nameless))).error?.code).toBe('INVALID_ARGUMENT');
    expect(
      (await end(nameless.login({ nonce: NONCE, interactive: true, clientId: 'merchant-other' }))).value,
    ).toMatchObject({ proof: { authCode: 'code-1' } });
  });

  each(20, 'a token is passed on unread, whatever is wrong in it; what is no token is malformed', async (id) => {
    for (const scenario of [
      'calm',
      'token-expired',
      'token-wrong-nonce',
      'token-wrong-audience',
      'token-wrong-keys',
      'number-forged',
    ] as const) {
      const { bridge, server } = stage(id, { scenario });
      const { value } = await end(login(bridge));
      expect(value, scenario).toEqual({
        kind: 'proof',
        proof: { [PROOF[id]]: TOKEN },
      });
      // A partner's token has the number in it.
      if (id === 'frame') continue;
      expect((await end(bridge.getPhoneNumber({ nonce: NONCE }))).value?.token).toMatch(/\./);
      expect(server.posts[1]!.path).toBe(
        `/vendors/${id === 'sixpay' ? id : 'google'}/${/keys|forged/.test(scenario) ? 'identity' : 'phone'}`,
      );
    }
    const { bridge } = stage(id, { scenario: 'token-malformed' });
    expect((await end(login(bridge))).error?.code).toBe('MALFORMED_REPLY');
    if (id === 'frame') return;
    expect((await end(bridge.getPhoneNumber({ nonce: NONCE }))).error?.code).toBe('MALFORMED_REPLY');
  });
});

describe('payment', () => {
  const outcomes: [ScenarioName, number, object, unknown][] = [
    ['payment-success', 21, { status: 'reported-success' }, 'success'],
    ['payment-failure', 21, { status: 'reported-failure', vendorCode: '267' }, 'failure'],
    ['payment-pending', 21, { status: 'reported-pending' }, 'pending'],
    ['payment-pending-then-paid', 21, { status: 'reported-pending' }, 'pending-then-success'],
    ['payment-pending-then-failed', 21, { status: 'reported-pending' }, 'pending-then-failure'],
    ['success-claimed', 22, { status: 'reported-success' }, 'failure'],
    ['failure-claimed', 22, { status: 'reported-failure' }, 'success'],
    ['payment-cancelled', 23, { status: 'unknown', because: 'unclassified-reply' }, undefined],
    ['payment-unknown', 23, { status: 'unknown', because: 'unclassified-reply' }, 'success'],
    ['order-id-used', 25, { status: 'reported-failure', vendorCode: '334' }, 'failure'],
    ['receipt-amount-differs', 26, { status: 'unknown', because: 'unclassified-reply' }, 'success'],
    ['receipt-other-order', 26, { status: 'unknown', because: 'unclassified-reply' }, 'success'],
    ['receipt-unsigned', 26, { status: 'unknown' }, 'success'],
    ['receipt-broken-1', 26, { status: 'unknown', because: 'malformed-reply' }, 'success'],
    ['receipt-broken-2', 26, { status: 'unknown', because: 'malformed-reply' }, 'success'],
    ['receipt-broken-3', 26, { status: 'unknown', because: 'malformed-reply' }, 'success'],
    ['receipt-unknown-status', 26, { status: 'unknown', because: 'unclassified-reply' }, 'success'],
    ['receipt-empty', 26, { status: 'unknown', because: 'unclassified-reply' }, 'success'],
  ];
  for (const [scenario, row, heard, truth] of outcomes) {
    each(
      row,
      `${scenario}: the page says what it was told, the bank knows what is true`,
      async (id) => {
        const { bridge, server } = stage(id, { scenario });
        expect((await end(pay(bridge, id))).value).toMatchObject(
          id === 'tarnpay' ? { status: 'unknown', because: 'no-reply-channel' } : heard,
        );
        expect(server.paid.get(REFERENCE)).toBe(truth);
        expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
        await bridge.paymentSettled('another');
        expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
        await bridge.paymentSettled(ORDER_ID);
        expect(await bridge.unfinishedPayment()).toBeNull();
      },
      {
        ...(scenario === 'receipt-unsigned' ? { frame: 'what a page says of a payment is never signed' } : {}),
        ...(row === 25 ? { tarnpay: NEVER_TOLD } : {}),
      },
    );
  }

  it('gpay is asked exactly as documented, with the amount as rupees in text [MINI-01]', async () => {
    const { bridge, fake } = stage('gpay');
    await end(pay(bridge, 'gpay'));
    expect(fake.log).toEqual([
      {
        method: 'requestPayment',
        args: {
          apiVersion: 2,
          apiVersionMinor: 0,
          allowedPaymentMethods: [
            {
              type: 'UPI',
              parameters: {
                payeeVpa: 'pizza@bank',
                payeeName: 'Pizza',
                mcc: '5814',
                transactionReferenceId: REFERENCE,
                referenceUrl: 'https://pizza.example/',
              },
            },
          ],
          transactionInfo: {
            countryCode: 'IN',
            currencyCode: 'INR',
            totalPriceStatus: 'FINAL',
            totalPrice: '649.05',
            transactionNote: 'Order 1',
          },
        },
      },
    ]);
  });

  it('paytm is asked exactly as documented, all of it text [MINI-02]', async () => {
    const { bridge, fake } = stage('paytm');
    await end(pay(bridge, 'paytm'));
    expect(fake.log).toEqual([
      { method: 'paytmPayment', args: { mid: 'PIZZA', orderId: REFERENCE, txnToken: 'token-1', amount: '649.05' } },
    ]);
  });

  it('the browser opens the UPI app by its link and leaves the answer to the server', async () => {
    const { bridge, phone } = stage('browser');
    expect((await end(pay(bridge, 'browser'))).value).toEqual({ status: 'unknown', because: 'no-reply-channel' });
    const link = new URL(phone.assigned[0]!);
    expect(link.protocol).toBe('upi:');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      pa: 'pizza@bank',
      am: '649.05',
      cu: 'INR',
      tr: REFERENCE,
      mc: '5814',
    });
    expect(phone.assigned[0]).not.toContain('+');
    expect(phone.assigned[0]).toContain('pa=pizza@bank&');
  });

  it('tarnpay leaves the page for another app, and opens it again at the address of the order', async () => {
    const storage = makeStorage();
    const { bridge, phone, server } = stage('tarnpay', { phone: { storage } });
    expect((await end(pay(bridge, 'tarnpay'))).value).toEqual({ status: 'unknown', because: 'no-reply-channel' });
    expect([phone.assigned, server.paid.get(REFERENCE)]).toEqual([[RETURN_TO], 'success']);
    const again = stage('tarnpay', { phone: { storage, url: `https://pizza.example${RETURN_TO}` } }).bridge;
    expect(again.launch).toMatchObject({ params: { transactionId: 'T-1' } });
    expect(await again.unfinishedPayment()).toBe(ORDER_ID);
    // Closed without paying, it opens the page all the same; only the server can tell the two apart.
    const closed = stage('tarnpay', { scenario: 'payment-cancelled' });
    expect((await end(pay(closed.bridge, 'tarnpay'))).value).toEqual({
      status: 'unknown',
      because: 'no-reply-channel',
    });
    expect([closed.phone.assigned, closed.server.paid.size]).toEqual([[RETURN_TO], 0]);
  });

  each(24, 'killed while paying: the order was written down before the sheet opened', async (id) => {
    const storage = makeStorage();
    const { bridge, fake } = stage(id, { scenario: 'killed-while-paying', phone: { storage } });
    fate(pay(bridge, id));
    await pass(10);
    if (id !== 'browser') expect(fake.log).toHaveLength(1);
    expect(await stage(id, { phone: { storage } }).bridge.unfinishedPayment()).toBe(ORDER_ID);
  });

  each(25, 'an attempt that has run out is never shown to the host', async (id) => {
    const { bridge, fake } = stage(id);
    expect((await end(bridge.requestPayment(orderFor(id, { expiresAt: Date.now() - 1 })))).error?.code).toBe(
      'INVALID_ARGUMENT',
    );
    expect(fake.log).toEqual([]);
    expect(await bridge.unfinishedPayment()).toBeNull();
    const mute = stage(id, { scenario: 'no-reply' }).bridge;
    const short = fate(mute.requestPayment(orderFor(id, { expiresAt: Date.now() + 60_000 })));
    await pass(60_001);
    expect(short.value).toEqual({ status: 'unknown', because: 'timeout' });
  });

  each(
    27,
    'a double tap opens one sheet, the second is BUSY, and another sheet has to wait as well',
    async (id) => {
      const { bridge, fake } = stage(id, { scenario: 'double-tap' });
      const [first, second, third] = [fate(pay(bridge, id)), fate(pay(bridge, id)), fate(login(bridge))];
      await pass(10);
      expect(second.error?.code).toBe('BUSY');
      expect(third.error?.code).toBe('BUSY');
      await pass(2_000);
      expect(first.value?.status).toBe(told(id, 'reported-success'));
      expect(fake.log.filter(({ method }) => /pay/i.test(method) && !/network/i.test(method))).toHaveLength(1);
      expect((await end(pay(bridge, id))).value?.status).toBe(told(id, 'reported-success'));
    },
    { browser: WEB_PAY },
  );

  each(
    27,
    'a bank that reports twice, before the page hears of it',
    async (id) => {
      const { bridge, server } = stage(id, { scenario: 'bank-reports-twice' });
      const news = vi.fn();
      bridge.on('payment', news);
      expect((await end(pay(bridge, id))).value?.status).toBe(told(id, 'reported-success'));
      expect(server.posts.filter(({ path }) => path.endsWith('/pay'))).toHaveLength(2);
      if (id === 'paytm') expect(news).toHaveBeenCalledWith(ORDER_ID);
    },
    { browser: WEB_PAY },
  );

  each(
    27,
    'giving up waiting does not lose the order',
    async (id) => {
      const { bridge } = stage(id, { scenario: 'no-reply' });
      const control = new AbortController();
      const paying = fate(bridge.requestPayment(orderFor(id), { signal: control.signal }));
      await pass(100);
      control.abort();
      await pass();
      expect(paying.error?.code).toBe('ABORTED');
      expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
    },
    { browser: WEB_PAY },
  );

  each(27, 'the order of another host, or an amount that is none, is our own fault', async (id) => {
    const { bridge, fake } = stage(id);
    const other = orderFor(id === 'paytm' ? 'gpay' : 'paytm');
    expect((await end(bridge.requestPayment(other))).error?.code).toBe('INVALID_ARGUMENT');
    for (const amount of [0, -1, 1.5, NaN]) {
      expect((await end(bridge.requestPayment({ ...orderFor(id), amount: amount as never }))).error?.code).toBe(
        'INVALID_ARGUMENT',
      );
    }
    expect(fake.log).toEqual([]);
    expect(await bridge.unfinishedPayment()).toBeNull();
  });
});

describe('device', () => {
  each(28, 'the position after a permission not yet determined', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'permission-undetermined' });
    expect((await end(bridge.getLocation())).value).toMatchObject({ latitude: 28.6139, longitude: 77.209 });
    if (id === 'paytm')
      expect(fake.log.map(({ method }) => method)).toEqual(['paytmCheckPermission', 'paytmRequestPermission']);
  });

  each(28, 'one permission at a time, so that an iPhone takes it', async (id) => {
    const { bridge } = stage(id, { phone: { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)' } });
    expect((await end(bridge.getLocation())).value).toBeDefined();
  });

  each(28, 'refused, and granted but never found', async (id) => {
    const denied = stage(id, { scenario: 'permission-refused', controls: { location: 'deny' } }).bridge;
    expect((await end(denied.getLocation())).error?.code).toBe(id === 'gpay' ? 'HOST_FAILURE' : 'DENIED');
    const late = stage(id, { scenario: 'position-late' }).bridge;
    expect((await end(late.getLocation())).error?.code).toBe('TIMEOUT');
    expect((await end(late.getLocation({ timeoutMs: 10 }), 20)).error?.code).toBe('TIMEOUT');
  });

  each(
    28,
    'a host without the permission calls leaves the question to the system',
    async (id) => {
      const { bridge } = stage(id, { scenario: 'no-such-function' });
      expect((await end(bridge.getLocation())).value).toBeDefined();
      expect(bridge.supports('location')).toEqual({ state: 'available', via: 'web' });
    },
    {
      browser: 'no permission calls',
      gpay: 'no permission calls',
      sixpay: 'no permission calls',
      tarnpay: 'no permission calls',
    },
  );

  each(28, 'an insecure page says so before it asks', async (id) => {
    const { bridge, phone } = stage(id, { scenario: 'bridge-with-plain-agent', phone: { parent: null } });
    Object.assign(phone.window, { isSecureContext: false });
    expect(bridge.supports('location')).toEqual({ state: 'unavailable', because: 'insecure-context' });
    expect((await end(bridge.getLocation())).error?.code).toBe('UNSUPPORTED');
  });

  each(29, 'the network is asked of the host and followed: none, wifi, flapping [NAV-72] [MINI-21]', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'offline' });
    const seen: string[] = [];
    const stop = bridge.on('network', ({ networkType }) => seen.push(networkType));
    expect(seen).toEqual([]);
    expect(bridge.network.getSnapshot()).toEqual({ isConnected: false, networkType: 'none' });
    await pass(100);
    for (const networkType of ['wifi', 'none', 'wifi', 'none', '2g'] as const) {
      fake.set({ networkType });
      await pass(100);
    }
    expect(bridge.network.getSnapshot()).toEqual({
      isConnected: true,
      networkType: id === 'paytm' ? '2g' : 'cellular',
    });
    expect(bridge.network.getSnapshot()).toBe(bridge.network.getSnapshot());
    expect(seen.filter((type) => type === 'wifi').length).toBeGreaterThanOrEqual(2);
    expect(seen.filter((type) => type === 'none').length).toBeGreaterThanOrEqual(2);
    if (id === 'paytm') expect(bridge.supports('network.type')).toEqual({ state: 'available', via: 'host' });
    const count = seen.length;
    stop();
    stop();
    fake.set({ networkType: 'none' });
    await pass(100);
    expect(seen).toHaveLength(count);
    expect((await end(bridge.network.getNetworkType())).value).toEqual({ isConnected: false, networkType: 'none' });
  });

  each(29, 'a change while the page was hidden is seen when it is shown', async (id) => {
    const { bridge, fake } = stage(id);
    const seen = vi.fn();
    bridge.on('network', seen);
    await pass(100);
    seen.mockClear();
    fake.hide();
    fake.controls.networkType = 'none';
    fake.show();
    await pass(100);
    expect(seen).toHaveBeenLastCalledWith({ isConnected: false, networkType: 'none' });
  });

  each(
    29,
    'the host says none and the browser online: the host is believed, asked again, and then followed',
    async (id) => {
      const { bridge, fake } = stage(id, { scenario: 'network-disagrees' });
      bridge.on('network', () => {});
      await pass(100);
      expect(bridge.network.getSnapshot().isConnected).toBe(false);
      fake.controls.hostNetwork = 'same';
      await pass(5_100);
      expect(bridge.network.getSnapshot()).toEqual({ isConnected: true, networkType: 'wifi' });
    },
    {
      browser: 'no host to disagree',
      frame: 'a page tells of its network by itself: test/hosts/frame.test.ts',
      gpay: 'no network call is known',
      sixpay: 'sixpay has no network call',
      tarnpay: 'tarnpay has none',
    },
  );

  each(29, 'a host that does not know the call is asked once, and the browser stands in [NAV-72]', async (id) => {
    for (const scenario of ['network-silent', 'no-reply'] as const) {
      const { bridge, fake } = stage(id, { scenario });
      expect((await end(bridge.network.getNetworkType(), 2_100)).value).toMatchObject({ isConnected: true });
      await end(bridge.network.getNetworkType(), 2_100);
      expect(fake.log.filter(({ method }) => /network/i.test(method)).length).toBe(id === 'paytm' ? 1 : 0);
      expect(bridge.supports('network.type')).toEqual({ state: 'available', via: 'web' });
    }
  });

  each(
    29,
    'a network that comes and goes by itself is followed to its end, and the same seed gives the same run',
    async (id) => {
      const run = async (seed: number) => {
        const { bridge } = stage(id, { scenario: 'network-flapping', seed });
        const seen: [number, boolean][] = [];
        const from = Date.now();
        bridge.on('network', ({ isConnected }) => seen.push([Date.now() - from, isConnected]));
        await pass(20_000);
        expect(bridge.network.getSnapshot()).toEqual({ isConnected: true, networkType: 'wifi' });
        return seen;
      };
      const first = await run(7);
      expect(first.filter(([, isConnected]) => !isConnected).length).toBeGreaterThanOrEqual(3);
      expect(await run(7)).toEqual(first);
      expect(await run(8)).not.toEqual(first);
    },
  );

  each(30, 'what an earlier visit kept may be gone', async (id) => {
    const storage = makeStorage();
    await stage(id, { phone: { storage } }).bridge.storage.set('cart', '1');
    expect(await stage(id, { phone: { storage } }).bridge.storage.get('cart')).toBe('1');
    const emptied = stage(id, { scenario: 'storage-emptied', phone: { storage } }).bridge;
    expect(await emptied.storage.get('cart')).toBeNull();
    await emptied.storage.set('cart', '2');
    expect(await emptied.storage.get('cart')).toBe('2');
    expect(emptied.storage.durability).toBe('persistent');
  });

  each(30, 'storage that throws, is full, or was emptied never breaks the page', async (id) => {
    for (const scenario of ['storage-throws', 'storage-full'] as const) {
      const { bridge } = stage(id, { scenario });
      await bridge.storage.set('cart', '1');
      expect(await bridge.storage.get('cart')).toBe('1');
      expect(bridge.storage.durability).toBe('memory');
      await bridge.storage.remove('cart');
      expect(await bridge.storage.get('cart')).toBeNull();
    }
    const { bridge, fake, phone, open } = stage(id);
    const seen: Diagnostic[] = [];
    bridge.on('diagnostic', (event) => seen.push(event));
    await bridge.storage.set('cart', '1');
    expect(bridge.storage.durability).toBe('persistent');
    expect(await open().storage.get('cart')).toBe('1');
    fake.set({ storage: 'full' });
    await bridge.storage.set('cart', '2');
    expect(await bridge.storage.get('cart')).toBe('2');
    expect(seen).toMatchObject([{ kind: 'storage-failed' }]);
    phone.window.localStorage.clear();
    expect(await open().storage.get('cart')).toBeNull();
  });

  each(31, 'back closes what lies on top, then the page itself goes back', async (id) => {
    const { bridge, fake, phone } = stage(id);
    const closed: string[] = [];
    const stops: (() => void)[] = [];
    for (const name of ['sheet', 'popup']) {
      stops.push(
        bridge.on('back', () => {
          closed.push(name);
          stops.pop()!();
          return 'handled';
        }),
      );
    }
    await pass(10);
    fake.back();
    await pass(400);
    expect(closed).toEqual(['popup']);
    expect(phone.depth(), 'one spare entry still guards the sheet').toBe(2);
    fake.back();
    await pass(400);
    expect(closed).toEqual(['popup', 'sheet']);
    expect(phone.depth(), 'no spare entry is left over').toBe(1);
    fake.back();
    await pass(400);
    expect(phone.depth()).toBe(0);
  });

  each(31, 'pressed twice quickly, and a listener that lets it pass', async (id) => {
    const { bridge, fake, phone } = stage(id);
    let open = true;
    const stop = bridge.on('back', () => {
      if (!open) return 'default';
      open = false;
      return 'handled';
    });
    await pass(10);
    fake.back();
    fake.back();
    await pass(1_000);
    expect(open).toBe(false);
    expect(phone.depth()).toBe(0);
    stop();
  });

  each(31, 'closed by its own button, nothing is left in the history; nor when the page went on', async (id) => {
    const { bridge, phone } = stage(id);
    const stop = bridge.on('back', () => 'handled');
    await pass(10);
    expect(phone.depth()).toBe(2);
    stop();
    stop();
    await pass(10);
    expect(phone.depth()).toBe(1);
    const other = bridge.on('back', () => 'handled');
    await pass(10);
    phone.history.pushState({ page: 'cart' });
    other();
    await pass(10);
    expect(phone.history.state).toEqual({ page: 'cart' });
    phone.history.back();
    await pass(10);
    expect(phone.history.state, 'the spare entry is passed over').toEqual({ page: 'home' });
  });

  each(
    31,
    'a host that goes back all the same is not obeyed twice',
    async (id) => {
      const { bridge, fake, phone } = stage(id, { scenario: 'back-ignored' });
      const asked = vi.fn(() => 'handled' as const);
      bridge.on('back', asked);
      await pass(10);
      fake.back();
      await pass(400);
      expect(asked).toHaveBeenCalledTimes(1);
      expect(phone.depth()).toBe(2);
    },
    { browser: 'no host event', gpay: 'no host event', sixpay: 'no host event', tarnpay: 'no host event' },
  );

  each(32, 'hidden and shown are told once each; a hidden without its shown does no harm', async (id) => {
    const { bridge, fake, phone } = stage(id);
    const seen: string[] = [];
    bridge.on('lifecycle', (state) => seen.push(state));
    fake.hide();
    fake.hide();
    phone.window.dispatchEvent(new Event('pagehide'));
    phone.window.dispatchEvent(new Event('focus'));
    fake.show();
    expect(seen).toEqual(['hidden', 'shown']);
  });

  each(32, 'hidden, and never told that it is shown: the next touch of the page shows it', async (id) => {
    const { bridge, fake, phone } = stage(id, { scenario: 'never-shown' });
    const seen: string[] = [];
    bridge.on('lifecycle', (state) => seen.push(state));
    fake.hide();
    fake.show();
    expect(seen).toEqual(['hidden']);
    phone.window.dispatchEvent(new Event('focus'));
    expect(seen).toEqual(['hidden', 'shown']);
  });

  each(32, 'close: accepted by going out of sight, TIMEOUT when nothing happens', async (id) => {
    const { bridge } = stage(id);
    const closing = await end(bridge.close(), 2_000);
    if (id !== 'paytm' && id !== 'frame') {
      expect(bridge.supports('close').state).toBe('unavailable');
      return expect(closing.error?.code).toBe('UNSUPPORTED');
    }
    expect(closing.error).toBeUndefined();
    expect((await end(stage(id, { scenario: 'close-silent' }).bridge.close(), 1_500)).error?.code).toBe('TIMEOUT');
  });

  each(33, 'vibration that is absent or silent is false, and says so', async (id) => {
    expect(stage(id).bridge.vibrate('success')).toBe(true);
    expect(stage(id, { scenario: 'vibrate-silent' }).bridge.vibrate('error')).toBe(false);
    expect(stage(id, { scenario: 'vibrate-absent' }).bridge.vibrate('error')).toBe(false);
  });

  each(33, 'sharing leads back into the same host', async (id) => {
    const { bridge, fake } = stage(id);
    const shared = await end(bridge.share({ title: 'Pizza', path: '/menu' }));
    if (/^(paytm|sixpay|tarnpay)$/.test(id)) return expect(shared.error?.code).toBe('UNSUPPORTED');
    expect(shared.value).toBe(id === 'gpay' ? 'unreported' : 'shared');
    expect(fake.log).toMatchObject([
      {
        args: { url: id === 'gpay' ? 'https://microapps.google.com/pizza?link=%2Fmenu' : 'https://pizza.example/menu' },
      },
    ]);
    fake.set({ share: 'dismiss' });
    expect((await end(bridge.share({ title: 'Pizza', path: '/menu' }))).value).toBe(
      id === 'gpay' ? 'unreported' : 'dismissed',
    );
  });

  it('33. browser: without a share sheet the address is copied', async () => {
    const { bridge, phone } = stage('browser');
    Object.defineProperty(phone.window.navigator, 'share', { value: undefined });
    expect((await end(bridge.share({ title: 'Pizza', path: '/menu' }))).value).toBe('copied');
    expect(phone.assigned).toEqual(['clipboard:https://pizza.example/menu']);
  });

  it('33. browser: an installation is there once the browser offers it, also before the bridge, and once only', async () => {
    const { bridge, fake, phone, open } = stage('browser');
    expect(bridge.supports('shortcut').state).toBe('unavailable');
    expect((await end(bridge.offerShortcut('Golden Oven Pizza'))).error?.code).toBe('UNSUPPORTED');
    phone.window.addEventListener('beforeinstallprompt', (event) =>
      Object.assign(phone.window, { installOffer: event }),
    );
    fake.set({ install: 'offered' });
    expect(bridge.supports('shortcut')).toEqual({ state: 'available', via: 'web' });
    expect((await end(bridge.offerShortcut('Golden Oven Pizza'))).value).toBe('added');
    expect((await end(bridge.offerShortcut('Golden Oven Pizza'))).error?.code).toBe('UNSUPPORTED');
    fake.set({ install: 'never' });
    fake.set({ install: 'offered' });
    const later = open();
    expect(later.supports('shortcut').state).toBe('available');
  });

  it('33. paytm: the shortcut keeps the limits of its labels and leads back in', async () => {
    const { bridge, fake } = stage('paytm');
    expect((await end(bridge.offerShortcut('Golden Oven Pizza'))).value).toBe('added');
    const { shortLabel, longLabel, deeplink } = fake.log[0]!.args as Record<string, string>;
    // The app's name, whole words only, whatever page it was asked on.
    expect([shortLabel, longLabel]).toEqual(['Golden', 'Golden Oven Pizza']);
    await end(bridge.offerShortcut('Pizzapalazzo in der Bahnhofstrasse'));
    expect(fake.log[1]!.args).toMatchObject({ shortLabel: 'Pizzapalaz', longLabel: 'Pizzapalazzo in der' });
    expect(JSON.parse(atob(new URL(deeplink!).searchParams.get('data')!))).toEqual({ params: '', path: '/' });
    fake.set({ shortcut: 'dismiss' });
    expect((await end(bridge.offerShortcut('Golden Oven Pizza'))).value).toBe('dismissed');
  });

  each(33, 'the address picker of the host, or none [LOC-X05]', async (id) => {
    const { bridge, fake } = stage(id);
    const picked = await end(bridge.pickAddress());
    if (id !== 'paytm' && id !== 'frame') {
      expect(bridge.supports('address').state).toBe('unavailable');
      return expect(picked.error?.code).toBe('UNSUPPORTED');
    }
    expect(picked.value).toMatchObject({
      line1: 'Flat 12, Rose Apartments',
      city: 'New Delhi',
      pincode: '110001',
      latitude: 28.6304,
    });
    fake.set({ address: 'dismiss' });
    expect((await end(bridge.pickAddress())).error?.code).toBe('CANCELLED');
    fake.set({ reply: 'null' });
    expect((await end(bridge.pickAddress())).error?.code).toBe('MALFORMED_REPLY');
  });
});

describe('policy', () => {
  each(34, 'what it is, what it hides and what it forbids is data [MINI-03] [MINI-04] [MINI-25]', async (id) => {
    const { bridge } = stage(id, { scenario: 'policy' });
    const { partner, fullMode, clientType, apiKeyName, primaryPaymentId, blockedFeatures, forbids } = bridge;
    const own = id === 'browser';
    const name = id === 'frame' ? 'frame-acme' : id;
    expect({ partner, fullMode, clientType, apiKeyName, primaryPaymentId, blockedFeatures }).toEqual({
      partner: own ? '' : name,
      fullMode: own,
      clientType: own ? 'web app-chrome' : `web app-${name}`,
      apiKeyName: name,
      primaryPaymentId: { browser: null, gpay: 'GPAY', paytm: 'PAYTM', frame: 'HOST', sixpay: 'HOST', tarnpay: 'HOST' }[
        id
      ],
      blockedFeatures: own ? [] : FORBIDDEN_FEATURES,
    });
    expect([...forbids].sort()).toEqual(
      {
        browser: [],
        gpay: ['cookie-session', 'native-dialog', 'new-window'],
        frame: ['cookie-session', 'install-prompt', 'native-dialog', 'new-window'],
        sixpay: ['cookie-session', 'native-dialog'],
        tarnpay: ['cookie-session', 'native-dialog'],
        paytm: [
          ...['install-prompt', 'leave-host', 'native-dialog', 'new-window', 'other-payment'],
          ...['own-address-form', 'own-login', 'promo-message', 'social-login'],
        ],
      }[id],
    );
  });

  each(34, 'what is unavailable is refused without touching the host, and never pretends', async (id) => {
    const { bridge, fake } = stage(id);
    await end(bridge.ready(), 10);
    const calls: [Feature, () => Promise<unknown>][] = [
      ['login', () => login(bridge)],
      ['phoneNumber', () => bridge.getPhoneNumber({ nonce: NONCE })],
      ['location', () => bridge.getLocation()],
      ['address', () => bridge.pickAddress()],
      ['payment', () => pay(bridge, id)],
      ['share', () => bridge.share({ title: 'x', path: '/' })],
      ['shortcut', () => bridge.offerShortcut('Golden Oven Pizza')],
      ['close', () => bridge.close()],
    ];
    for (const [feature, call] of calls) {
      const { state } = bridge.supports(feature);
      const before = fake.log.length;
      const ended = await end(call(), state === 'unavailable' ? 0 : undefined);
      if (state === 'unavailable') {
        expect(ended.error?.code, feature).toBe('UNSUPPORTED');
        expect(fake.log.length, feature).toBe(before);
      } else if (feature !== 'shortcut') expect(ended.error, feature).toBeUndefined();
    }
  });
});

describe('a host that never answers', () => {
  const calm = async (fake: ReturnType<typeof stage>['fake']) => fake.scenario('calm');
  const asked = (fake: ReturnType<typeof stage>['fake'], method: RegExp) =>
    fake.log.filter((one) => method.test(one.method)).length;

  each(35, 'a payment sheet that says nothing gives way to the next one once no double tap is possible', async (id) => {
    for (const scenario of ['payment-closed-silent', 'payment-paid-silent'] as const) {
      const { bridge, fake } = stage(id, { scenario });
      const first = fate(pay(bridge, id));
      await pass(2_900);
      expect((await end(pay(bridge, id), 10)).error?.code).toBe('BUSY');
      await calm(fake);
      await pass(200);
      expect((await end(pay(bridge, id))).value?.status, scenario).toBe('reported-success');
      expect([first.error?.code, asked(fake, /^(requestPayment|paytmPayment|pay)$/)]).toEqual(['ABORTED', 2]);
    }
  });

  each(35, 'back from a sheet that says nothing the page may ask at once, and a late answer is news', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'payment-told-late' });
    const news = vi.fn();
    bridge.on('payment', news);
    const first = fate(pay(bridge, id));
    await pass(500);
    fake.hide();
    fake.show();
    await calm(fake);
    expect((await end(pay(bridge, id), 10)).value?.status).toBe('reported-success');
    expect([first.error?.code, news.mock.calls]).toEqual(['ABORTED', []]);
    await pass(20_000);
    expect(news.mock.calls).toEqual([[ORDER_ID]]);
  });

  each(36, 'a login that is never answered can be left, and asked for again', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'login-silent' });
    const stop = new AbortController();
    const first = fate(bridge.login({ nonce: NONCE, interactive: true }, { signal: stop.signal }));
    await pass(100);
    stop.abort();
    await pass();
    expect(first.error?.code).toBe('ABORTED');
    await calm(fake);
    expect((await end(login(bridge))).value).toMatchObject({ kind: 'proof' });
    if (bridge.supports('phoneNumber').state === 'unavailable') return void stage(id, { scenario: 'phone-silent' });
    const mute = stage(id, { scenario: 'phone-silent' });
    const number = fate(mute.bridge.getPhoneNumber({ nonce: NONCE }));
    await pass(3_100);
    await calm(mute.fake);
    expect((await end(mute.bridge.getPhoneNumber({ nonce: NONCE }))).value?.token).toMatch(/\w/);
    expect(number.error?.code).toBe('ABORTED');
  });

  each(37, 'an address picker that is never seen is opened again by the next tap', async (id) => {
    const { bridge, fake } = stage(id, { scenario: 'address-silent' });
    const first = fate(bridge.pickAddress());
    await pass(3_100);
    await calm(fake);
    expect((await end(bridge.pickAddress())).value?.line1).toMatch(/^Flat 12/);
    expect([first.error?.code, asked(fake, /^(SelectAddress|address)$/)]).toEqual(['ABORTED', 2]);
  });
});

describe('strange hosts', () => hostile(each));

describe('the suite itself', () => {
  it('has sixty behaviours or more, and each of them is played for every host, or says why that host cannot', () => {
    expect(BEHAVIOURS.length).toBeGreaterThanOrEqual(60);
    const wrong = BEHAVIOURS.flatMap(({ name, not = {}, elsewhere }, at) => {
      const own = proved.get(at + 1) ?? new Set();
      return HOSTS.filter((id) => (elsewhere || not[id] ? own.has(id) : !own.has(id))).map(
        (id) => `${at + 1}. ${name}: ${id} is ${own.has(id) ? 'played after all' : 'not played'}`,
      );
    });
    expect(wrong).toEqual([]);
    expect([...proved.keys()].filter((row) => !BEHAVIOURS[row - 1])).toEqual([]);
  });

  it.each(BEHAVIOURS.filter(({ elsewhere }) => elsewhere))('$name: the test elsewhere is there', ({ elsewhere }) => {
    const [file, title] = elsewhere!;
    const titles = readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8').matchAll(
      /\btest\(\s*(['"`])(.*?)\1/g,
    );
    expect([...titles].filter(([, , said]) => said!.includes(title))).not.toEqual([]);
  });

  it.each(Object.entries(SCENARIOS).filter(([, { row }]) => row > 0))(
    '%s is a scenario of a behaviour, and was played there',
    (name, { row }) => {
      const behaviour = BEHAVIOURS[row - 1];
      expect(behaviour).toBeDefined();
      if (!behaviour!.elsewhere) expect(played.has(name as ScenarioName)).toBe(true);
    },
  );

  it('a page without any window can still be drawn', async () => {
    const { createGpay } = await import('../../hosts/gpay/bridge.ts');
    const { createPaytm } = await import('../../hosts/paytm/bridge.ts');
    const { createBrowser } = await import('../../hosts/browser/bridge.ts');
    const { createFrame } = await import('../../hosts/frame/bridge.ts');
    const { createSixpay } = await import('./sixpay/bridge.ts');
    const { createTarnpay } = await import('./tarnpay/bridge.ts');
    for (const create of [createGpay, createPaytm, createBrowser, createFrame, createSixpay, createTarnpay]) {
      const bridge = create({ window: undefined });
      expect(bridge.network.getSnapshot()).toEqual({ isConnected: true, networkType: 'unknown' });
      expect(bridge.vibrate('success')).toBe(false);
      expect(bridge.launch.path).toBeNull();
      bridge.supports('payment');
      bridge.dispose();
    }
    expect(makePhone().window).toBeDefined();
  });
});
