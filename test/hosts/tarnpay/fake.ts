import { announce, createDevice, type Fake, type FakeOptions, startOptions } from '../../../hosts/imitated/phone.ts';
import './profile.ts';
import type { TarnPay } from './sdk.d.ts';

const SDK_MARK = /sdk\.tarnpay\.example/;
/** Time to answer the page before it is left. */
const LEAVES_AFTER_MS = 50;

/** `window.tarnpay`, over the imitated device and what TarnPay answers on our own server. */
export function createTarnpayFake(options: FakeOptions = {}): Fake {
  const device = createDevice('tarnpay', options);
  const { win, controls } = device;
  const refused = (message: string) => Object.assign(new Error(message), { code: -1 });
  let grant: Record<string, unknown> | null = null;

  /** The payment itself, in another app: the page hears nothing of it, and is opened again at the address it gave. */
  async function payElsewhere(order: object, opened: Record<string, unknown>): Promise<void> {
    const { amount, note: payee } = opened;
    const choice = await device.sheet('payment', {
      amount,
      payee,
      reference: (order as { reference: string }).reference,
    });
    if (choice !== 'cancel')
      for (let times = controls.bankTwice ? 2 : 1; times > 0; times -= 1)
        await device.server('/vendors/tarnpay/app/pay', { ...order, ...device.outcome(choice) });
    if (choice === 'no-reply') return;
    setTimeout(() => win.location.assign(String(opened['returnTo'])), LEAVES_AFTER_MS);
  }

  const sdk: TarnPay = {
    async authorize({ shop }) {
      if (!controls.consented) {
        if ((await device.sheet('login', { client: shop })) === 'deny') throw refused('Consent denied');
        device.set({ consented: true });
      }
      if (controls.authCode !== 'reused' || grant === null)
        grant = await device.server('/vendors/tarnpay/app/grant', { shop, sub: device.user });
      return { grantToken: String(grant['grantToken']) };
    },
    async openPayment(order) {
      const opened = await device.server('/vendors/tarnpay/app/open', order);
      void payElsewhere(order, opened);
      return { opened: true };
    },
  };

  const mangled = (value: object): unknown => {
    const texts = { json: JSON.stringify(value), 'double-json': JSON.stringify(JSON.stringify(value)) };
    const broken = { truncated: '{"opened":', null: null, undefined, empty: '', false: false };
    const all: Record<string, unknown> = { ...texts, ...broken, 'extra-fields': { ...value, unexpected: [1] } };
    return controls.reply in all ? all[controls.reply] : value;
  };
  /** One call: logged, and delayed, unanswered or refused as the controls say. */
  const faulty = <A extends object>(method: string, work: (args: A) => Promise<object>) =>
    function call(args: A): Promise<never> {
      device.called(method, args);
      const fault = device.fault(method);
      if (fault === 'throws') throw new TypeError('Host is broken');
      return new Promise((resolve, reject) => {
        if (fault === 'never') return;
        const refusal = {
          'error-number': refused('Refused'),
          'error-text': '-1',
          'not-authorised': refused('No right'),
        };
        work(args).then(
          (value) =>
            device.after(() => {
              device.event('reply', { method });
              if (fault in refusal) reject(refusal[fault as keyof typeof refusal]);
              else resolve(mangled(value) as never);
            }),
          (error: unknown) => device.after(() => reject(error)),
        );
      });
    };

  device.ready = () => {
    const calls = Object.entries(sdk).filter(([method]) => device.fault(method) !== 'missing-method');
    win.tarnpay = Object.fromEntries(
      calls.map(([method, work]) => [method, faulty(method, work)]),
    ) as unknown as TarnPay;
  };
  const agent = win.navigator.userAgent;
  Object.defineProperty(win.navigator, 'userAgent', {
    configurable: true,
    get: () => (controls.agent === 'host' ? `${agent} TarnPay/3.2` : agent),
  });
  // The script is never fetched: it "loads" when the controls say so.
  const append = win.document.head.append.bind(win.document.head);
  win.document.head.append = (...nodes: (Node | string)[]) => {
    for (const node of nodes) {
      const script = node as HTMLScriptElement;
      if (!SDK_MARK.test(script.src ?? '')) append(node);
      else if (controls.ready === 'blocked') setTimeout(() => script.onerror?.(new Event('error')));
      else if (controls.ready !== 'never')
        setTimeout(() => {
          if (controls.ready !== 'event-only') device.ready();
          script.onload?.(new Event('load'));
        }, controls.readyAfterMs);
    }
  };
  if (controls.ready === 'before' || controls.ready === 'event-early') device.ready();
  device.changed.push((before) => {
    if (before.ready !== 'before' && controls.ready === 'before') device.ready();
  });
  return announce(device);
}

const start = startOptions();
if (start) createTarnpayFake(start);
