import { announce, createDevice, type Fake, type FakeOptions, HOME, provide, startOptions } from '../imitated/phone.ts';
import type { Ask, FromApp, FromPage } from './protocol.ts';

type Without<M> = M extends unknown ? Omit<M, 'miniApp' | 'session'> : never;
type Answer = Pick<Extract<FromPage, { type: 'reply' }>, 'result' | 'error'>;

const ODD_HOME = { ...HOME, pincode: 110001, area: '', state: null, latitude: null, longitude: null };

/** The page of a partner around the app, over the imitated device and the partner's imitated server. */
export function createFrameFake(options: FakeOptions = {}): Fake {
  const device = createDevice('frame', options);
  const { win, controls } = device;
  const outside = win.parent;
  const refused = (code: string | number, message: string): Answer => ({ error: { code, message } });

  const token = async (nonce: unknown, audience: unknown): Promise<Answer> => {
    if (controls.token === 'not-a-token') return { result: 'not a token' };
    const wrong = {
      'wrong-nonce': { nonce: 'another-nonce' },
      'wrong-audience': { aud: 'another-app' },
      'wrong-keys': { isForged: true },
      expired: { expiresInSeconds: -60 },
    };
    const reply = await device.server('/vendors/frame/identity', {
      nonce,
      ...(audience ? { aud: audience } : {}),
      sub: device.user,
      ...wrong[controls.token as keyof typeof wrong],
    });
    return { result: String(reply['token']) };
  };

  const asks: Readonly<
    Partial<Record<Ask, (args: Record<string, unknown>, again: (answer: Answer) => void) => Promise<Answer | null>>>
  > = {
    async login({ nonce, audience, silent }) {
      if (!controls.consented) {
        if (silent) return refused('FAILED', 'No consent');
        if ((await device.sheet('login', { client: audience })) === 'deny') return refused('DENIED', 'Consent denied');
        device.set({ consented: true });
      }
      return token(nonce, audience);
    },
    async pay({ request, reference, amount, note }, again) {
      const choice = await device.sheet('payment', { amount, payee: note, reference });
      if (choice === 'cancel') return refused('CANCELLED', 'Closed');
      const order = { request, reference, ...device.outcome(choice) };
      const bank = (await device.server('/vendors/frame/pay', order)) as { status: string };
      if (controls.bankTwice) await device.server('/vendors/frame/pay', order);
      if (choice === 'no-reply') return null;
      if (choice === 'late') await device.late();
      if (choice === 'unknown') return refused('FAILED', 'Unknown');
      const { receipt } = controls;
      if (receipt === 'empty') return { result: {} };
      const told = { failure: 'failed', pending: 'pending' }[choice as string] ?? 'paid';
      const result = {
        status: receipt === 'unknown-status' ? 'deferred' : controls.bank === 'same' ? bank.status : told,
        amount: receipt === 'amount' ? '1.00' : receipt === 'numbers' ? Number(amount) : amount,
        reference: receipt === 'order' ? 'another-reference' : reference,
        ...(told === 'failed' ? { code: controls.failureCode } : {}),
      };
      if (receipt.startsWith('broken')) return { result: JSON.stringify(result).slice(0, -4) };
      if (choice === 'duplicate') setTimeout(() => again({ result }), controls.replyAfterMs + 50);
      return { result };
    },
    async share(content) {
      return (await device.sheet('share', content)) === 'dismiss' ? { result: 'dismissed' } : { result: 'shared' };
    },
    async address() {
      if ((await device.sheet('address', {})) === 'dismiss') return refused('CANCELLED', 'Closed');
      return { result: { whole: HOME, bare: { line1: HOME.line1 }, odd: ODD_HOME }[controls.addressForm] };
    },
    async close() {
      if (controls.close === 'silent') return null;
      device.event('closed');
      return { result: true };
    },
  };

  const mangled = (fault: string, answer: Answer): Answer => {
    const { result } = answer;
    const given = { null: null, undefined: undefined, empty: '', false: false, truncated: '{"status":' } as const;
    if (fault in given) return { result: given[fault as keyof typeof given] };
    switch (fault) {
      case 'json':
        return { result: JSON.stringify(result) };
      case 'double-json':
        return { result: JSON.stringify(JSON.stringify(result)) };
      case 'error-number':
        return refused(-1, 'Refused');
      case 'error-text':
        return refused('-1', 'Refused');
      case 'not-authorised':
        return refused(4, 'Not authorised');
      case 'data-and-error':
        return { ...answer, ...refused(5, 'Both') };
      case 'error-empty':
        return { ...answer, error: null };
      case 'extra-fields':
        return typeof result === 'object' ? { result: { ...result, unexpected: { nested: [1] } } } : answer;
      default:
        return answer;
    }
  };

  let session: string | null = null;
  let isThere = false;
  const tell = (message: Without<FromPage>) =>
    win.dispatchEvent(
      Object.assign(new Event('message'), {
        data: { miniApp: 1, session, ...message },
        origin: origin(),
        source: page,
      }),
    );
  const welcome = () => {
    if (!isThere || session === null) return;
    const capabilities = Object.keys(asks).filter((method) => device.fault(method) !== 'missing-method');
    tell({ type: 'welcome', version: 1, capabilities });
  };
  const called = ({ id, method, args }: Extract<FromApp, { type: 'call' }>) => {
    device.called(method, args);
    const fault = device.fault(method);
    if (fault === 'throws') throw new TypeError('Host is broken');
    if (fault === 'never') return;
    const reply = (answer: Answer) => void tell({ type: 'reply', id, ...answer });
    if (fault === 'sync') return reply(refused('-1', 'Refused'));
    const later = (answer: Answer | null) => {
      if (answer === null) return;
      device.after(() => {
        device.event('reply', { method });
        if (fault === 'other-call') tell({ type: 'reply', id: id + 1_000, ...refused('FAILED', 'Not for you') });
        reply(mangled(fault, answer));
        if (fault === 'twice') reply(refused('FAILED', 'Said differently'));
      });
    };
    asks[method as Ask]!(args, reply).then(later, () => later(refused('FAILED', 'No connection')));
  };
  /** The window around, as the app sees it. What is said to the simulator goes on to it. */
  const page = {
    postMessage(message: FromApp | { miniApp?: never }, to: string) {
      if (message.miniApp !== 1) return outside === win ? undefined : outside.postMessage(message, to);
      if (to !== origin()) return;
      session = message.session;
      if (message.type === 'hello') setTimeout(welcome);
      if (message.type === 'call') called(message);
    },
  };
  const origin = () => win.location.ancestorOrigins?.[0] ?? win.location.origin;

  if (controls.agent === 'host') {
    Object.defineProperty(win, 'parent', { configurable: true, value: page });
    // A page that is opened alone, as tests do, is one that stands in a page of its own origin.
    provide(win, 'partner', JSON.stringify({ name: 'sample', origins: ['self'], blocked: [], pays: true }));
  }
  device.ready = () => {
    isThere = true;
    welcome();
  };
  if (controls.ready === 'before' || controls.ready === 'event-early') device.ready();
  else if (controls.ready === 'late') setTimeout(device.ready, controls.readyAfterMs);
  else if (controls.ready === 'twice')
    for (const times of [1, 2]) setTimeout(device.ready, controls.readyAfterMs * times);
  device.changed.push((before) => {
    if (before.ready !== 'before' && controls.ready === 'before') device.ready();
  });
  return announce(device);
}

const start = startOptions();
if (start) createFrameFake(start);
