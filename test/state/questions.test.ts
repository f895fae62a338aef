import { readFileSync } from 'node:fs';
import { atom } from 'jotai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as alive from '#text/alive.ts';
import * as t from '#text/location.ts';
import type { Money } from '../../src/contract/money.ts';
import { DEADLINE_MS } from '../../src/bridge/deadlines.ts';
import type { HostBridge, PaymentOrder } from '../../src/bridge/hostBridge.ts';
import { cashCode } from '../../src/state/payment/cashCode.ts';
import { cardAtom } from '../../src/state/drafts/card.ts';
import { hostAtom, navigateAtom, pathAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { sheetQuestion } from '../../src/state/orders/orders.ts';
import { isOtpShownAtom } from '../../src/state/people/login.ts';
import { loginCode, mobileAtom } from '../../src/state/people/loginCode.ts';
import { isPaymentSheetOpenAtom, takePaymentSheetAtom } from '../../src/state/payment/paymentSheet.ts';
import {
  chooseAreaAtom,
  choosePredictionAtom,
  gpsAtom,
  gpsMessageAtom,
  hereQuestion,
  hostAddressMessageAtom,
  pickerQuestion,
  pickHostAddressAtom,
  pinAtom,
  predictionsState,
  searchAtom,
  takeHereAtom,
} from '../../src/state/places/places.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { pushTasks, pushAtom, switchPushOnAtom } from '../../src/state/consent/push.ts';
import { queryAtom } from '../../src/state/menu/search.ts';
import { isLoggedInAtom } from '../../src/state/base/session.ts';
import { addShortcutAtom, copyTextAtom, shareAtom } from '../../src/state/base/share.ts';
import { areaState, chooseStoreAtom, cityState, openChoiceAtom } from '../../src/state/places/stores.ts';
import { deliveryPlaceAtom, storeIdAtom } from '../../src/state/first/location.ts';
import {
  ensureLoginAtom,
  isVendorLoginSilentAtom,
  leaveVendorLoginAtom,
  logInHereAtom,
} from '../../src/state/people/vendorLogin.ts';
import { isListeningAtom, listenAtom } from '../../src/state/menu/voice.ts';
import { sources, type Source } from '../architecture/sources.ts';
import { placeOf, visit, type Node } from '../architecture/syntax.ts';
import { startServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { openCustomer, type Customer, type CustomerOptions } from './customer.ts';

// Loaded beforehand: a module fetch does not run on fake timers.
import '../../hosts/gpay/actions.ts';
import '../../hosts/paytm/actions.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An answer that comes when the test gives it. */
function late<T = unknown>() {
  let answer: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    answer = done;
  });
  const asked = vi.fn<(...given: unknown[]) => Promise<T>>(() => promise);
  return { asked, answer: (value: T) => answer(value) };
}

const go = (customer: Customer, path: string) => customer.get(navigateAtom).go(path);
/** From now on the host answers this call when the test says so. */
function lateHost<T>(customer: Customer, method: keyof HostBridge) {
  const call = late<T>();
  const { host } = customer;
  customer.set(
    hostAtom,
    new Proxy(host, { get: (of, name) => (name === method ? call.asked : Reflect.get(of, name)) as unknown }),
  );
  return call;
}
const HERE = { latitude: 28.6315, longitude: 77.2167, accuracy: 10 };
const PICKED = {
  name: 'Asha Verma',
  mobile: '9876543210',
  line1: 'Flat 12',
  line2: null,
  area: 'Connaught Place',
  city: 'New Delhi',
  state: null,
  pincode: '110001',
  latitude: 28.6304,
  longitude: 77.2177,
};
const PLACES = '/postorder-ui/searchAddress';

/** Somebody who chooses a place. */
function choosing(options?: CustomerOptions) {
  const customer = openCustomer(server, options);
  go(customer, PLACES);
  customer.set(openChoiceAtom, new URLSearchParams());
  customer.went.length = 0;
  return customer;
}
async function typed(customer: Customer, text: string) {
  customer.set(searchAtom, text);
  return await vi.waitFor(() => {
    const found = customer.get(predictionsState.atom).data;
    if (found?.text !== text) throw new Error('not found yet');
    return found.predictions[0]!;
  });
}

/** A question that nobody answers until the test does. */
interface Asked {
  readonly customer: Customer;
  /** The page where it is asked. */
  readonly page: string;
  readonly ask: () => Promise<unknown>;
  /** What the phone or the host is asked by. */
  readonly asked: ReturnType<typeof late>['asked'];
  readonly answer: () => void;
  /** How the page says that it waits, once it has waited for a while. */
  readonly says: () => boolean;
  /** Something else that works meanwhile. @returns whether it has */
  readonly other: () => Promise<boolean>;
  /** What a late answer must not have done to somebody who is elsewhere. */
  readonly isQuiet: () => boolean;
}

/** What the page is in is told to the browser's own ways. */
const stub = (navigator: object) => vi.stubGlobal('navigator', { userAgent: '', ...navigator });
const saysSilent = (customer: Customer) => () => customer.get(toastAtom)?.message === alive.phoneSilent;
const takesPlace = async (customer: Customer) => {
  await customer.set(choosePredictionAtom, await typed(customer, 'saket'), 'DELIVERY');
  return customer.get(deliveryPlaceAtom)?.text.startsWith('Saket') === true;
};

function inPlaces(options: CustomerOptions, method: keyof HostBridge, said: unknown, ask: typeof pickHostAddressAtom) {
  const customer = choosing(options);
  const { asked, answer } = lateHost(customer, method);
  const of = method === 'getLocation' ? hereQuestion : pickerQuestion;
  return {
    customer,
    page: PLACES,
    ask: () => customer.set(ask),
    asked,
    answer: () => answer(said),
    says: () => customer.get(of.atom) === 'silent',
    other: () => takesPlace(customer),
    isQuiet: () => customer.get(pinAtom) === null && !customer.get(deliveryPlaceAtom)?.text.includes('Connaught Place'),
  };
}

function inHostLogin(method: 'login' | 'getPhoneNumber', said: (customer: Customer) => unknown): Asked {
  const customer = openCustomer(server, { host: 'gpay' });
  go(customer, '/login');
  const { asked, answer } = lateHost(customer, method);
  return {
    customer,
    page: '/login',
    ask: () => customer.set(logInHereAtom),
    asked,
    answer: () => answer(said(customer)),
    says: () => customer.get(isVendorLoginSilentAtom),
    other: async () => {
      await customer.set(leaveVendorLoginAtom);
      return await customer.set(ensureLoginAtom);
    },
    // Whoever has not chosen to go on as a guest is logged in, and stays where they are.
    isQuiet: () => true,
  };
}

function inShare(ask: (customer: Customer) => Promise<unknown>, options: CustomerOptions, method: keyof HostBridge) {
  const customer = openCustomer(server, options);
  const { asked, answer } = lateHost(customer, method);
  return {
    customer,
    page: '/order/1',
    ask: () => ask(customer),
    asked,
    answer: () => answer('dismissed'),
    says: saysSilent(customer),
    other: async () => true,
    isQuiet: () => true,
  };
}

class Ears {
  static heard: Ears;
  static readonly asked = vi.fn<() => Promise<unknown>>();
  onresult: ((event: object) => void) | null = null;
  onend: (() => void) | null = null;
  onerror: unknown = null;
  start(): void {
    Ears.heard = this;
    void Ears.asked();
  }
  abort(): void {
    this.onend?.();
  }
}

/** Every question to the phone, the host or the person in front of them. A new one has to stand here. */
const QUESTIONS: Readonly<Record<string, () => Promise<Asked> | Asked>> = {
  hereQuestion: () =>
    inPlaces(
      {},
      'getLocation',
      HERE,
      atom(null, (_get, set) => set(takeHereAtom, 'DELIVERY')),
    ),
  pickerQuestion: () => inPlaces({ host: 'paytm' }, 'pickAddress', PICKED, pickHostAddressAtom),
  identityQuestion: () => inHostLogin('login', () => ({ kind: 'web-session' })),
  numberQuestion: () => inHostLogin('getPhoneNumber', () => ({ token: 'token' })),
  sheetQuestion: () => {
    const customer = openCustomer(server, { host: 'paytm' });
    const { asked, answer } = lateHost(customer, 'requestPayment');
    return {
      customer,
      page: '/order/1',
      ask: () => customer.set(sheetQuestion.ask, {} as PaymentOrder),
      asked,
      answer: () => answer({ status: 'cancelled' }),
      // The order's own page says that the payment is open.
      says: () => customer.get(sheetQuestion.atom) === 'silent',
      other: async () => true,
      isQuiet: () => true,
    };
  },
  cardQuestion: () => {
    const customer = openCustomer(server);
    const { asked, answer } = late();
    const complete = vi.fn<(how: string) => Promise<void>>(async () => {});
    class PaymentRequest extends EventTarget {
      readonly show = asked;
      readonly abort = async () => {};
    }
    vi.stubGlobal('window', { PaymentRequest });
    const method = { id: 'google', label: 'Google Pay', supportedMethods: 'https://google.com/pay', data: {} } as const;
    return {
      customer,
      page: '/payment',
      ask: () => customer.set(takePaymentSheetAtom, method, 10_000 as Money),
      asked,
      answer: () => answer({ details: {}, complete }),
      // The button can be tapped again.
      says: () => !customer.get(isPaymentSheetOpenAtom),
      other: async () => true,
      isQuiet: () => customer.get(cardAtom) === null && complete.mock.calls.every(([how]) => how === 'fail'),
    };
  },
  shareQuestion: () =>
    inShare((customer) => customer.set(shareAtom, { title: 'A dish', path: '/customise/PZ001' }), {}, 'share'),
  shortcutQuestion: () => inShare((customer) => customer.set(addShortcutAtom), { host: 'paytm' }, 'offerShortcut'),
  clipboardQuestion: () => {
    const customer = openCustomer(server);
    const { asked, answer } = late();
    stub({ clipboard: { writeText: asked } });
    return {
      customer,
      page: '/group/1',
      ask: () => customer.set(copyTextAtom, 'text', 'copied', 'failed'),
      asked,
      answer: () => answer(undefined),
      says: saysSilent(customer),
      other: async () => true,
      isQuiet: () => true,
    };
  },
  permissionQuestion: () => {
    const customer = openCustomer(server);
    const { asked, answer } = late();
    const pushManager = { getSubscription: async () => null };
    stub({ serviceWorker: { getRegistration: async () => ({ pushManager }) } });
    vi.stubGlobal('Notification', { permission: 'default', requestPermission: asked });
    return {
      customer,
      page: '/order/1',
      ask: () => customer.set(switchPushOnAtom),
      asked,
      answer: () => answer('default'),
      says: () => customer.get(pushTasks.isBusyAtom),
      other: async () => true,
      isQuiet: () => customer.get(pushAtom) !== 'on',
    };
  },
  smsQuestion: async () => {
    const customer = openCustomer(server);
    customer.set(mobileAtom, freshMobile());
    go(customer, '/login-otp');
    await customer.set(loginCode.send);
    expect(customer.get(isOtpShownAtom)).toBe(true);
    const { asked, answer } = late();
    vi.stubGlobal('OTPCredential', true);
    stub({ credentials: { get: asked } });
    return {
      customer,
      page: '/login-otp',
      ask: () => customer.set(loginCode.listen, () => true),
      asked,
      answer: () => answer({ code: '123456' }),
      // The page says all the time that a code is on its way, and takes it typed.
      says: () => true,
      other: async () => {
        customer.set(loginCode.typedAtom, '1');
        return true;
      },
      isQuiet: () => !customer.get(loginCode.typedAtom).startsWith('123456'),
    };
  },
  speechQuestion: () => {
    const customer = openCustomer(server);
    vi.stubGlobal('document', { documentElement: { lang: 'en-IN' } });
    vi.stubGlobal('SpeechRecognition', Ears);
    Ears.asked.mockClear();
    return {
      customer,
      page: '/search',
      ask: () => customer.set(listenAtom),
      asked: Ears.asked,
      answer: () => {
        Ears.heard.onresult?.({ results: [[{ transcript: 'beef' }]] });
        Ears.heard.onend?.();
      },
      says: () => customer.get(isListeningAtom),
      other: async () => {
        customer.set(queryAtom, 'paneer');
        return true;
      },
      isQuiet: () => customer.get(queryAtom) !== 'beef',
    };
  },
};
const NAMES = Object.keys(QUESTIONS);

describe('the table of questions', () => {
  const client = sources.filter(({ file }) => /^src\/(state|screens|full|shell|ui)\//.test(file));

  test('is whole: each question of the client stands in it', () => {
    const found = client.flatMap(({ code }) => [...code.matchAll(/\b(\w+) = question\(/g)].map(([, name]) => name));
    expect(found.toSorted()).toEqual(NAMES.toSorted());
  });

  /** Calls that somebody, or a sheet over the page, has to answer. What only a machine answers has a deadline of seconds. */
  const ASKS =
    /^(login|getPhoneNumber|getLocation|pickAddress|requestPayment|share|offerShortcut|requestPermission|getCurrentPosition|watchPosition|writeText|readText|getUserMedia|requestMIDIAccess|showOpenFilePicker|showSaveFilePicker|requestDevice|requestPort|openSheet|listen|confirm|alert)$/;
  const id = (node: unknown) => (node as { name?: string } | undefined)?.name ?? '';
  const isQuestion = ({ type, callee }: Node) => type === 'CallExpression' && id(callee) === 'question';
  /** What a call asks by one of those names; '' where it is a word for something else: a setter of an atom, a sentence. */
  function askedBy({ code }: Source, { type, callee }: Node): string {
    if (type !== 'CallExpression') return '';
    const { type: kind, object, property } = callee as Node;
    const name = id(kind === 'MemberExpression' ? property : callee);
    if (!ASKS.test(name)) return '';
    const isOurs =
      kind === 'MemberExpression'
        ? new RegExp(`import \\* as ${id(object) || '-'} from '#text`).test(code)
        : !new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[./]*/bridge/`).test(code);
    return isOurs ? '' : name;
  }

  test('holds every call that waits for a phone, a host or a person: none is made outside of a question', () => {
    const [inside, outside]: [string[], string[]] = [[], []];
    for (const source of client)
      visit(source, (node, above) => {
        const name = askedBy(source, node);
        if (name) (above.some(isQuestion) ? inside : outside).push(`${placeOf(source, node)} ${name}`);
      });
    expect(outside).toEqual([]);
    expect(inside.length).toBeGreaterThan(NAMES.length - 2);
  });

  test('so does every call of the host that a tap starts', () => {
    const bridge = readFileSync('src/bridge/hostBridge.ts', 'utf8');
    const actions = /HostActions = Pick<\s*HostBridge,([^>]*)>/.exec(bridge)![1]!.match(/\w+/g)!;
    // Leaving the app has a deadline of a second and a half.
    expect(actions.filter((name) => !ASKS.test(name))).toEqual(['close']);
  });
});

/** Asks, and waits until the phone or the host has been asked. */
async function put(name: string): Promise<Asked & { readonly done: Promise<unknown> }> {
  const row = await QUESTIONS[name]!();
  if (row.customer.get(pathAtom) !== row.page) go(row.customer, row.page);
  const done = row.ask();
  await vi.waitFor(() => expect(row.asked).toHaveBeenCalled());
  row.customer.went.length = 0;
  return { ...row, done };
}

describe.each(NAMES)('%s, unanswered', (name) => {
  test('keeps nothing else waiting', async () => {
    const { other } = await put(name);
    expect(await other()).toBe(true);
  });

  test('says that it waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { says } = await put(name);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS.opening);
    expect(says()).toBe(true);
  });

  test('moves nobody who has gone elsewhere when it is answered late', async () => {
    const { customer, answer, done, isQuiet } = await put(name);
    go(customer, '/');
    answer();
    await done;
    expect([customer.went, customer.get(pathAtom), isQuiet()]).toEqual([['/'], '/', true]);
  });
});

describe('where the phone is', () => {
  test.each<[string, (customer: Customer) => Promise<unknown>]>([
    ['a suggestion', takesPlace],
    [
      'an area of a list',
      async (customer) => {
        await customer.set(cityState.load, 'New Delhi', 'DELIVERY');
        const area = { locality: 'Saket', latitude: 28.5245, longitude: 77.2066 };
        await customer.set(chooseAreaAtom, area, 'New Delhi', '10102');
      },
    ],
    [
      'a store',
      async (customer) => {
        await customer.set(areaState.load, 'New Delhi', 'Saket', 'PICKUP');
        customer.set(chooseStoreAtom, customer.get(areaState.atom).data!.stores[0]!, 'PICKUP');
      },
    ],
  ])('is not waited for once %s is chosen, and the choice stands when it is known', async (_what, choose) => {
    const { customer, answer, done } = await put('hereQuestion');
    await choose(customer);
    const [store, place, went] = [customer.get(storeIdAtom), customer.get(deliveryPlaceAtom), [...customer.went]];
    expect(went).toHaveLength(1);
    answer();
    await done;
    expect([customer.get(storeIdAtom), customer.get(deliveryPlaceAtom), customer.went]).toEqual([store, place, went]);
    expect(customer.get(hereQuestion.atom)).toBe('idle');
  });

  test('throws nobody off what they type meanwhile, and can be taken with another tap', async () => {
    const { customer, answer, done, ask } = await put('hereQuestion');
    await typed(customer, 'sak');
    answer();
    await done;
    expect([customer.went, customer.get(gpsMessageAtom), customer.get(gpsAtom)]).toEqual([[], t.hereKnown, 'on']);
    await ask();
    expect(customer.went).toEqual(['/postorder-ui/mapScreen?pin=here']);
  });

  test('is no longer waited for on a page that was left and opened again', async () => {
    const { customer, answer, done } = await put('hereQuestion');
    const { enter } = await import('../../src/screens/location/LocationScreen.tsx');
    go(customer, '/');
    go(customer, PLACES);
    await customer.set(enter, { query: new URLSearchParams() });
    customer.went.length = 0;
    answer();
    await done;
    expect([customer.went, customer.get(hereQuestion.atom)]).toEqual([[], 'idle']);
  });
});

test('an address that was picked in the host counts where it is asked for, and a refusal is said nowhere else', async () => {
  const { customer, answer, done } = await put('pickerQuestion');
  answer();
  await done;
  expect([customer.get(deliveryPlaceAtom)?.address?.houseNo, customer.went]).toEqual(['Flat 12', ['/menu']]);
  const other = choosing({ host: 'paytm', controls: { address: 'dismiss' } });
  const picking = other.set(pickHostAddressAtom);
  go(other, '/');
  await picking;
  expect(other.get(hostAddressMessageAtom)).toBe('');
});

test('a code for cash that comes by SMS is not sent from another page', async () => {
  const customer = openCustomer(server);
  const { asked, answer } = late();
  vi.stubGlobal('OTPCredential', true);
  stub({ credentials: { get: asked } });
  go(customer, '/payment/1');
  customer.set(cashCode.sentAtom, { transactionId: 'T-1', resendAt: 0 });
  const listening = customer.set(cashCode.listen, () => true);
  go(customer, '/menu');
  answer({ code: '123456' });
  await listening;
  expect([customer.get(cashCode.typedAtom), customer.get(pathAtom)]).toEqual(['', '/menu']);
});

test('whoever goes on as a guest before the host was even asked is not asked afterwards', async () => {
  const customer = openCustomer(server, { host: 'gpay' });
  const { asked } = lateHost(customer, 'login');
  const login = customer.set(logInHereAtom);
  await customer.set(leaveVendorLoginAtom);
  await login;
  expect(await customer.set(ensureLoginAtom)).toBe(true);
  expect([asked.mock.calls.length, customer.get(isLoggedInAtom), customer.get(popupAtom)]).toEqual([0, false, null]);
});
