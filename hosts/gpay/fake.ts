import {
  announce,
  createDevice,
  type Fake,
  type FakeOptions,
  MISREAD,
  misread,
  provide,
  startOptions,
} from '../imitated/phone.ts';
import type { PaymentDataRequest } from './sdk.d.ts';

/** The documented reply, signed by the imitated bank. */
interface BankReply {
  readonly paymentMethodData: { readonly tokenizationData: { readonly token: string } };
}

const SDK_MARK = /microapps\.js/;

const isMisread = (fault: string): fault is (typeof MISREAD)[number] => (MISREAD as readonly string[]).includes(fault);
const empty = (given: object) => {
  for (const key of Object.keys(given)) Reflect.deleteProperty(given, key);
};

/** Imitates `window.microapps`; the server's imitated vendor signs its replies. */
export function createGpayFake(options: FakeOptions = {}): Fake {
  const device = createDevice('gpay', options);
  const { win, controls } = device;
  const rejected = (code: string) => Object.assign(new Error(code), { code });

  const enter = () => {
    if (controls.agent === 'host' && win.parent === win) {
      // A page that is opened alone, as tests do, is told that a frame of its own origin holds it.
      Object.defineProperty(win, 'parent', { configurable: true, value: {} });
      Object.defineProperty(win.document, 'referrer', { configurable: true, get: () => `${win.location.origin}/` });
    }
    if (controls.agent === 'host')
      provide(win, 'host-origins', win.location.ancestorOrigins?.[0] ?? win.location.origin);
    const agent = win.navigator.userAgent;
    Object.defineProperty(win.navigator, 'userAgent', {
      configurable: true,
      get: () => (controls.agent === 'host' ? `${agent} GPay-Microapps/1.0` : agent),
    });
  };

  /** One call: logged, and delayed, unanswered or refused as the controls say. A second answer cannot settle a promise again, so it is only logged. */
  const call =
    <A, T>(method: string, answer: (args: A) => Promise<T>) =>
    (args?: A): PromiseLike<unknown> => {
      type Given = T | string | object | null | undefined | boolean;
      device.called(method, args);
      const fault = device.fault(method);
      if (fault === 'throws') throw new TypeError('Host is broken');
      if (fault === 'throws-text') throw 'Host is broken';
      const promise = new Promise<Given>((resolve, reject) => {
        if (fault === 'never') return;
        const given = {
          null: null,
          undefined: undefined,
          empty: '',
          false: false,
          truncated: '{"latitude":',
          'not-authorised': undefined,
        } as const;
        answer(args as A).then(
          (value) =>
            device.after(() => {
              device.event('reply', { method });
              if (fault === 'not-authorised' || fault === 'error-number') reject(rejected('PERMISSION_DENIED'));
              else if (fault === 'error-text') reject('PERMISSION_DENIED');
              else if (fault === 'error-nothing') reject(undefined);
              else if (fault === 'error-unreadable') reject(misread('getter', {}, 'message'));
              else if (isMisread(fault))
                resolve(
                  typeof value === 'object' && value
                    ? misread(fault, value, 'paymentMethodData')
                    : misread('proxy', {}, ''),
                );
              else if (fault === 'changed-after' && typeof value === 'object' && value) {
                resolve(value);
                queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => empty(value))));
              } else if (fault === 'json') resolve(JSON.stringify(value));
              else if (fault === 'double-json') resolve(JSON.stringify(JSON.stringify(value)));
              else if (fault === 'extra-fields' && typeof value === 'object')
                resolve({ ...value, unexpected: { nested: [1] } });
              else resolve(fault in given ? given[fault as keyof typeof given] : value);
            }),
          (error: unknown) => device.after(() => reject(error)),
        );
      });
      // A promise of another library has a `then` and nothing else.
      // oxlint-disable-next-line unicorn/no-thenable
      return fault === 'thenable' ? { then: promise.then.bind(promise) as PromiseLike<unknown>['then'] } : promise;
    };

  const token = async (kind: 'identity' | 'phone', nonce: string | undefined) => {
    if (controls.token === 'not-a-token') return 'not a token';
    const wrong = {
      'wrong-nonce': { nonce: 'another-nonce' },
      'wrong-audience': { aud: 'another-app' },
      expired: { expiresInSeconds: -60 },
    };
    const other = kind === 'identity' ? 'phone' : 'identity';
    const isForged = controls.token === 'wrong-keys' || (kind === 'phone' && controls.token === 'forged-number');
    const reply = await device.server(`/vendors/google/${isForged ? other : kind}`, {
      nonce,
      ...(device.client ? { aud: device.client } : {}),
      sub: device.user,
      ...wrong[controls.token as keyof typeof wrong],
    });
    return String(reply.token);
  };

  const sdk = {
    getIdentity: call('getIdentity', async ({ nonce, skipPrompt }: { nonce?: string; skipPrompt?: boolean } = {}) => {
      if (!controls.consented) {
        if (skipPrompt) throw rejected('NO_CONSENT');
        if ((await device.sheet('login', { client: device.client })) === 'deny') throw rejected('DENIED');
        device.set({ consented: true });
      }
      return token('identity', nonce);
    }),
    getPhoneNumber: call('getPhoneNumber', async ({ nonce }: { nonce?: string } = {}) => {
      if ((await device.sheet('phone', {})) === 'deny') throw rejected('DENIED');
      return token('phone', nonce);
    }),
    getCurrentLocation: call('getCurrentLocation', async () => {
      const choice = await device.sheet('location', {});
      if (choice === 'deny') throw rejected('DENIED');
      if (choice === 'timeout') return new Promise<never>(() => {});
      return { ...controls.position };
    }),
    requestSharing: call('requestSharing', async (content: object) => {
      if ((await device.sheet('share', content)) === 'dismiss') throw rejected('CLOSED');
    }),
    requestPayment: call('requestPayment', async (request: PaymentDataRequest) => {
      const { payeeVpa, payeeName, transactionReferenceId } = request.allowedPaymentMethods[0].parameters;
      const amount = request.transactionInfo.totalPrice;
      const choice = await device.sheet('payment', { amount, payee: payeeName, reference: transactionReferenceId });
      if (choice === 'cancel') throw rejected('CANCELED');
      const order = { transactionReferenceId, amount, payeeVpa, ...device.outcome(choice) };
      const bank = (await device.server('/vendors/google/pay', order)) as unknown as BankReply;
      if (controls.bankTwice) await device.server('/vendors/google/pay', order);
      if (choice === 'no-reply') return new Promise<never>(() => {});
      if (choice === 'late') await device.late();
      if (choice === 'unknown') throw rejected('UNKNOWN');
      const { receipt } = controls;
      const {
        signature,
        signedMessage: said,
        ...rest
      } = JSON.parse(bank.paymentMethodData.tokenizationData.token) as { signature: string; signedMessage: string };
      const message = JSON.parse(said) as { paymentMethodDetails: Record<string, string> };
      const details = message.paymentMethodDetails;
      const told = { failure: 'FAILURE', pending: 'SUBMITTED' }[choice as string] ?? 'SUCCESS';
      if (controls.bank !== 'same') details.status = told;
      if (receipt === 'unknown-status') details.status = 'DEFERRED';
      if (receipt === 'amount') details.amount = '1.00';
      if (receipt === 'order') details.txnRef = 'another-reference';
      if (receipt === 'numbers') Object.assign(details, { amount: Number(details.amount), responseCode: 0 });
      if (told === 'FAILURE') details.responseCode = controls.failureCode;
      const cut = (text: string, level: string) => (receipt === level ? text.slice(0, -4) : text);
      const signedMessage = cut(JSON.stringify(message), 'broken-3');
      const signed = cut(
        JSON.stringify({ ...rest, ...(receipt === 'unsigned' ? {} : { signature }), signedMessage }),
        'broken-2',
      );
      if (receipt === 'empty') return { apiVersion: 2, apiVersionMinor: 0 };
      return {
        apiVersion: 2,
        apiVersionMinor: 0,
        paymentMethodData: {
          type: 'UPI',
          tokenizationData: receipt === 'broken-1' ? null : { type: 'DIRECT', token: signed },
        },
      };
    }),
  };

  device.ready = () => {
    const offered =
      device.fault('requestPayment') === 'missing-method' || controls.reply === 'missing-method'
        ? Object.fromEntries(
            Object.entries(sdk).filter(([name]) => controls.replyOn !== null && controls.replyOn !== name),
          )
        : sdk;
    (win as unknown as { microapps: unknown }).microapps = offered;
  };
  device.gone = () => {
    delete (win as { microapps?: unknown }).microapps;
  };
  // The script is never fetched: it "loads" when the controls say so.
  const append = win.document.head.append.bind(win.document.head);
  win.document.head.append = (...nodes: (Node | string)[]) => {
    for (const node of nodes) {
      const script = node as HTMLScriptElement;
      if (!SDK_MARK.test(script.src ?? '')) append(node);
      else if (controls.ready === 'blocked') setTimeout(() => script.onerror?.(new Event('error')));
      else if (controls.ready !== 'never') {
        setTimeout(
          () => {
            if (controls.ready === 'after-load' || controls.ready === 'without-event' || controls.ready === 'in-halves')
              setTimeout(device.ready, controls.readyAfterMs);
            else if (controls.ready !== 'event-only') device.ready();
            script.onload?.(new Event('load'));
          },
          controls.ready === 'late' ? controls.readyAfterMs : 0,
        );
      }
    }
  };
  enter();
  if (controls.ready === 'before' || controls.ready === 'event-early') device.ready();
  device.changed.push((before) => {
    if (before.ready !== 'before' && controls.ready === 'before') device.ready();
  });
  return announce(device);
}

const start = startOptions();
if (start) createGpayFake(start);
