import {
  announce,
  createDevice,
  type Fake,
  type FakeOptions,
  misread,
  startOptions,
} from '../../../hosts/imitated/phone.ts';
import './profile.ts';
import type { SixPay } from './sdk.d.ts';

/** Answers that throw, have no end or are too large. */
const MISREAD = ['getter', 'proxy', 'cyclic', 'huge', 'deep'] as const;

type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number | string; readonly message: string };
};

/** `window.sixpay`, over the imitated device and what sixpay answers on our own server. */
export function createSixpayFake(options: FakeOptions = {}): Fake {
  const device = createDevice('sixpay', options);
  const { win, controls } = device;
  const refused = (message: string): Answer => ({ error: { code: -1, message } });

  const token = async (kind: 'identity' | 'phone', nonce: unknown, shop?: unknown): Promise<Answer> => {
    if (controls.token === 'not-a-token') return { result: { token: 'not a token' } };
    const wrong = {
      'wrong-nonce': { nonce: 'another-nonce' },
      'wrong-audience': { aud: 'another-app' },
      expired: { expiresInSeconds: -60 },
    };
    const other = kind === 'identity' ? 'phone' : 'identity';
    const isForged = controls.token === 'wrong-keys' || (kind === 'phone' && controls.token === 'forged-number');
    const reply = await device.server(`/vendors/sixpay/${isForged ? other : kind}`, {
      nonce,
      ...(shop ? { aud: shop } : {}),
      sub: device.user,
      ...wrong[controls.token as keyof typeof wrong],
    });
    return { result: { token: String(reply['token']) } };
  };

  const methods: Record<
    string,
    (args: Record<string, unknown>, again: (answer: Answer) => void) => Promise<Answer | null>
  > = {
    async identify({ nonce, silent, shop }) {
      if (!controls.consented) {
        if (silent) return refused('No consent');
        if ((await device.sheet('login', { client: shop })) === 'deny') return refused('Consent denied');
        device.set({ consented: true });
      }
      return token('identity', nonce, shop);
    },
    async phone({ nonce }) {
      return (await device.sheet('phone', {})) === 'deny' ? refused('Not shared') : token('phone', nonce);
    },
    async pay({ shop, ticket, reference, amount }, again) {
      const choice = await device.sheet('payment', { amount, payee: shop, reference });
      if (choice === 'cancel') return refused('Closed');
      const order = { shop, ticket, reference, amount, ...device.outcome(choice) };
      const bank = (await device.server('/vendors/sixpay/pay', order)) as { state: string; proof: string };
      if (controls.bankTwice) await device.server('/vendors/sixpay/pay', order);
      if (choice === 'no-reply') return null;
      if (choice === 'late') await device.late();
      if (choice === 'unknown') return refused('Unknown');
      const { receipt } = controls;
      if (receipt === 'empty') return { result: {} };
      const told = { failure: 'REFUSED', pending: 'WAITING' }[choice as string] ?? 'PAID';
      const result = {
        state: receipt === 'unknown-status' ? 'DEFERRED' : controls.bank === 'same' ? bank.state : told,
        amount: receipt === 'amount' ? '1.00' : receipt === 'numbers' ? Number(amount) : amount,
        reference: receipt === 'order' ? 'another-reference' : reference,
        ...(told === 'REFUSED' ? { code: controls.failureCode } : {}),
        ...(receipt === 'unsigned' ? {} : { proof: bank.proof }),
      };
      if (receipt.startsWith('broken')) return { result: JSON.stringify(result).slice(0, -4) };
      if (choice === 'duplicate') setTimeout(() => again({ result }), controls.replyAfterMs + 50);
      return { result };
    },
  };

  const mangled = (fault: string, answer: Answer): Answer => {
    const { result } = answer;
    const how = MISREAD.find((one) => one === fault);
    if (how !== undefined) return { result: misread(how, result as object, 'state') };
    switch (fault) {
      case 'json':
        return { result: JSON.stringify(result) };
      case 'double-json':
        return { result: JSON.stringify(JSON.stringify(result)) };
      case 'truncated':
        return { result: '{"token":' };
      case 'null':
        return { result: null };
      case 'undefined':
        return { result: undefined };
      case 'empty':
        return { result: '' };
      case 'false':
        return { result: false };
      case 'error-number':
        return refused('Consent denied');
      case 'error-text':
        return { error: { code: '-1', message: 'Consent denied' } };
      case 'not-authorised':
        return { error: { code: 4, message: 'Not authorised' } };
      case 'data-and-error':
        return { ...answer, error: { code: 5, message: 'Both' } };
      case 'error-empty':
        return { ...answer, error: null } as unknown as Answer;
      case 'error-nothing':
        return { error: {} } as Answer;
      case 'error-unreadable':
        return { error: misread('getter', {}, 'message') } as Answer;
      case 'extra-fields':
        return { result: { ...(result as object), unexpected: { nested: [1] } } };
      default:
        return answer;
    }
  };
  const bridge: SixPay = {
    can: (method) => method in methods && device.fault(method) !== 'missing-method',
    send({ id, method, args }) {
      device.called(method, args);
      const fault = device.fault(method);
      if (fault === 'throws') throw new TypeError('Host is broken');
      if (fault === 'throws-text') throw 'Host is broken';
      if (fault === 'never') return;
      const reply = (answer: Answer) =>
        win.dispatchEvent(new CustomEvent('sixpayreply', { detail: { id, ...answer } }));
      if (fault === 'sync') return void reply(refused('Consent denied'));
      const later = (answer: Answer | null) => {
        if (answer === null) return;
        device.after(() => {
          device.event('reply', { method });
          if (fault === 'other-call')
            win.dispatchEvent(
              new CustomEvent('sixpayreply', { detail: { id: id + 1_000, ...refused('Not for you') } }),
            );
          const said = mangled(fault, answer);
          reply(said);
          if (fault === 'changed-after')
            for (const key of Object.keys(said.result ?? {})) Reflect.deleteProperty(said.result as object, key);
          if (fault === 'twice') reply(refused('Said differently'));
        });
      };
      methods[method]!(args as Record<string, unknown>, reply).then(later, () => later(refused('No connection')));
    },
  };

  const agent = win.navigator.userAgent;
  Object.defineProperty(win.navigator, 'userAgent', {
    configurable: true,
    get: () => agent + ({ host: ' SixPay/6.1', lookalike: ' NotSixPay/6.1' }[controls.agent as string] ?? ''),
  });
  const shout = () => win.dispatchEvent(new Event('sixpayready'));
  device.ready = () => {
    win.sixpay = bridge;
    shout();
  };
  device.gone = () => delete win.sixpay;
  if (controls.ready === 'before' || controls.ready === 'event-early') device.ready();
  else if (controls.ready === 'late') setTimeout(device.ready, controls.readyAfterMs);
  else if (controls.ready === 'event-only') setTimeout(shout, 10);
  else if (controls.ready === 'without-event') setTimeout(() => (win.sixpay = bridge), controls.readyAfterMs);
  else if (controls.ready === 'in-halves') {
    const half = (win.sixpay = {} as SixPay);
    setTimeout(shout, 10);
    setTimeout(() => Object.assign(half, bridge), controls.readyAfterMs);
  } else if (controls.ready === 'twice')
    for (const times of [1, 2]) setTimeout(device.ready, controls.readyAfterMs * times);
  device.changed.push((before) => {
    if (before.ready !== 'before' && controls.ready === 'before') device.ready();
  });
  return announce(device);
}

const start = startOptions();
if (start) createSixpayFake(start);
