import {
  announce,
  createDevice,
  type Fake,
  type FakeOptions,
  HOME,
  MISREAD,
  misread,
  startOptions,
} from '../imitated/phone.ts';
import type { Controls, ReplyFault } from '../imitated/scenarios.ts';

type Reply = Record<string, unknown>;

const { line1: address1, line2: address2, ...REST } = HOME;
const HOUSE = { ...REST, address1, address2 };

const ODD_HOUSE = { ...HOUSE, mobile: 9876543210, pincode: 110001, area: '', state: null, latitude: '', longitude: '' };

const jsonOf = ({ data }: Reply): string => (typeof data === 'string' ? data : JSON.stringify(data));

/** What becomes of a good reply. */
const FAULTS: Readonly<Partial<Record<ReplyFault, (reply: Reply) => unknown>>> = {
  'missing-method': () => ({ error: 1, errorMessage: 'no such function' }),
  'not-authorised': () => ({ error: 4, errorMessage: 'not authorised' }),
  json: (reply) => ({ ...reply, data: jsonOf(reply) }),
  'double-json': (reply) => JSON.stringify({ ...reply, data: JSON.stringify(jsonOf(reply)) }),
  truncated: (reply) => ({ ...reply, data: jsonOf(reply).slice(0, -3) }),
  null: () => ({ data: null }),
  undefined: () => undefined,
  empty: () => ({ data: '' }),
  false: () => ({ data: false }),
  'error-number': () => ({ error: -1, errorMessage: 'Consent denied' }),
  'error-text': () => ({ error: '-1', message: 'Consent denied' }),
  'error-empty': (reply) => ({ ...reply, error: null, errorMessage: '' }),
  'error-nothing': () => ({ error: 3 }),
  'error-unreadable': () => misread('getter', { error: 3 }, 'errorMessage'),
  'data-and-error': (reply) => ({ ...reply, error: 5, message: 'Both at once' }),
  'extra-fields': ({ data, ...reply }) => ({
    ...reply,
    data: typeof data === 'object' ? { ...data, unexpected: { nested: [1] } } : data,
    unexpected: true,
  }),
  'unknown-value': (reply) => ({ ...reply, data: { networkType: 'satellite' } }),
  ...Object.fromEntries(MISREAD.map((how) => [how, (reply: Reply) => misread(how, reply, 'data')])),
};

const mangle = (fault: ReplyFault, reply: Reply): unknown => (FAULTS[fault] ?? ((same: Reply) => same))(reply);

/** Falsifies the fields of a receipt as the controls say. */
function falsify(fields: Reply, { receipt, failureCode }: Controls, told: string): void {
  if (receipt === 'unknown-status') fields.STATUS = 'TXN_DEFERRED';
  if (told === 'failure') fields.RESPCODE = failureCode;
  if (receipt === 'amount') fields.TXNAMOUNT = '1.00';
  if (receipt === 'order') fields.ORDERID = 'another-order';
  if (receipt === 'unsigned') delete fields.CHECKSUMHASH;
  if (receipt === 'numbers') Object.assign(fields, { TXNAMOUNT: Number(fields.TXNAMOUNT), RESPCODE: 1 });
}

/** Imitates `window.JSBridge` and its ready event; the server's imitated vendor is behind it. */
export function createPaytmFake(options: FakeOptions = {}): Fake {
  const device = createDevice('paytm', options);
  const { win, controls } = device;
  let lastCode: Reply | null = null;
  let asked = 0;

  const permission = (step: number) => ({
    data: { location: controls.permissions[Math.min(step, controls.permissions.length - 1)] ?? 1 },
  });

  const methods: Record<string, (args: Reply, again: (reply: Reply) => void) => Promise<Reply | null>> = {
    async paytmFetchAuthCode({ clientId }) {
      if (!clientId) return { error: 2, errorMessage: 'clientId is missing' };
      if (!controls.consented) {
        if ((await device.sheet('login', { client: clientId })) === 'deny')
          return { error: -1, errorMessage: 'Consent denied' };
        device.set({ consented: true });
      }
      if (controls.authCode !== 'reused' || !lastCode)
        lastCode = await device.server('/vendors/paytm/authcode', {
          clientId,
          sub: device.user,
          ...{ 'odd-profile': { profile: 'odd' }, 'of-nobody': { profile: 'nobody' } }[String(controls.authCode)],
        });
      const { authId, openId } = lastCode;
      return { data: controls.authCode === 'without-open-id' ? { authId } : { authId, openId } };
    },
    async paytmPayment({ orderId, mid, txnToken, amount }, again) {
      const choice = await device.sheet('payment', { amount, payee: mid, reference: orderId });
      if (choice === 'cancel') return { data: false };
      const told = choice === 'failure' || choice === 'pending' ? choice : 'success';
      const order = { orderId, mid, txnToken, amount, ...device.outcome(choice) };
      const bank = await device.server('/vendors/paytm/pay', order);
      if (controls.bankTwice) await device.server('/vendors/paytm/pay', order);
      if (choice === 'no-reply') return null;
      if (choice === 'late') await device.late();
      if (choice === 'unknown' || typeof bank.data !== 'string' || bank.data === '')
        return { data: choice === 'unknown' ? '' : bank.data };
      const { receipt } = controls;
      if (receipt === 'empty') return { data: '' };
      const fields = JSON.parse(bank.data) as Reply;
      if (controls.bank !== 'same')
        fields.STATUS = { success: 'TXN_SUCCESS', failure: 'TXN_FAILURE', pending: 'PENDING' }[told];
      falsify(fields, controls, told);
      const text = JSON.stringify(fields);
      const reply = { data: receipt.startsWith('broken') ? text.slice(0, -4) : text };
      if (choice === 'duplicate') setTimeout(() => again({ data: text }), controls.replyAfterMs + 50);
      return reply;
    },
    async paytmCheckPermission() {
      return permission((asked = 0));
    },
    async paytmRequestPermission({ permission: name }) {
      if (/iP(hone|ad)/.test(win.navigator.userAgent) && String(name).includes(','))
        return { error: 2, message: 'One permission at a time' };
      const choice = await device.sheet('location', {});
      return choice === 'deny' ? { data: { location: 0 } } : permission(++asked);
    },
    async paytmNetworkType() {
      const { hostNetwork, networkType } = controls;
      if (hostNetwork === 'unavailable') return { data: { networkAvailable: false } };
      if (hostNetwork === 'own-words')
        return { data: { networkAvailable: true, networkType: networkType.toUpperCase() } };
      return { data: { networkType: hostNetwork === 'same' ? networkType : hostNetwork } };
    },
    async SelectAddress() {
      return (await device.sheet('address', {})) === 'dismiss'
        ? { error: -1, errorMessage: 'Closed' }
        : { data: { whole: HOUSE, bare: { address1: HOUSE.address1 }, odd: ODD_HOUSE }[controls.addressForm] };
    },
    async createAppShortcut({ shortLabel, uniqueId }) {
      if (!uniqueId || !shortLabel) return { error: 2, errorMessage: 'Empty input' };
      return { data: { success: (await device.sheet('shortcut', { label: shortLabel })) === 'add' } };
    },
    async popWindow() {
      if (controls.close === 'silent') return null;
      device.event('closed');
      device.hide();
      return null;
    },
  };

  const bridge = {
    call(name: string, args: Reply = {}, given: (reply: unknown) => void = () => {}): unknown {
      device.called(name, args);
      const fault = device.fault(name);
      if (fault === 'throws') throw new TypeError('Host is broken');
      if (fault === 'throws-text') throw 'Host is broken';
      let callback = given;
      let promised: Promise<unknown> | undefined;
      if (fault === 'promise')
        promised = new Promise((resolve) => {
          callback = resolve;
        });
      if (fault === 'never') return;
      if (fault === 'sync') return callback(mangle('error-number', {}));
      const method = methods[name];
      // A call that the host does not know or allow is not made.
      if (fault === 'missing-method' || fault === 'not-authorised')
        return device.after(() => callback(mangle(fault, {})));
      if (!method || (name === 'paytmNetworkType' && controls.hostNetwork === 'silent'))
        return device.after(() => callback({ error: 1, errorMessage: 'no such function' }));
      const answer = (reply: Reply | null) => {
        if (!reply) return;
        device.after(() => {
          device.event('reply', { method: name });
          const said = mangle(fault, reply);
          callback(said);
          if (fault === 'changed-after') for (const key of Object.keys(reply)) delete reply[key];
          if (fault === 'twice') callback({ error: -1, errorMessage: 'Said differently' });
        });
      };
      // The host's server does not answer, so the host has no result.
      method(args, callback).then(answer, () => answer({ data: '' }));
      return promised;
    },
  };

  const agent = win.navigator.userAgent;
  Object.defineProperty(win.navigator, 'userAgent', {
    configurable: true,
    get: () =>
      controls.agent === 'host' ? `${agent} AppContainer/10.5.10 AppContainer PhoenixContainer/2.0.9` : agent,
  });
  const shout = () => win.document.dispatchEvent(new Event('JSBridgeReady'));
  const holder = win as unknown as { JSBridge?: unknown };
  device.ready = () => {
    holder.JSBridge = bridge;
    shout();
  };
  device.gone = () => delete holder.JSBridge;
  device.back = () => {
    const press = new Event('back', { cancelable: true });
    win.document.dispatchEvent(press);
    if (!press.defaultPrevented || controls.back === 'ignores-prevent-default') win.history.back();
  };
  const hide = device.hide;
  const show = device.show;
  device.hide = () => {
    win.document.dispatchEvent(new Event('pause'));
    hide();
  };
  device.show = () => {
    if (controls.visibility === 'works') win.document.dispatchEvent(new Event('resume'));
    show();
  };
  if (controls.ready === 'before' || controls.ready === 'event-early') device.ready();
  else if (controls.ready === 'late') setTimeout(device.ready, controls.readyAfterMs);
  else if (controls.ready === 'event-only') setTimeout(shout, 10);
  else if (controls.ready === 'without-event') setTimeout(() => (holder.JSBridge = bridge), controls.readyAfterMs);
  else if (controls.ready === 'in-halves') {
    holder.JSBridge = {};
    setTimeout(shout, 10);
    setTimeout(() => Object.assign(holder.JSBridge as object, bridge), controls.readyAfterMs);
  } else if (controls.ready === 'twice')
    for (const times of [1, 2]) setTimeout(device.ready, controls.readyAfterMs * times);
  device.changed.push((before) => {
    if (before.ready !== 'before' && controls.ready === 'before') device.ready();
  });
  return announce(device);
}

const start = startOptions();
if (start) createPaytmFake(start);
