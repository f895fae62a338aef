import { afterEach, expect, test, vi } from 'vitest';
import * as cards from '../../src/contract/cards.ts';
import { lentServer } from '../kit/lentServer.ts';
import { DIST } from '../kit/server.ts';
import { codeOf, guest } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { collectsAt } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(
  () => lentServer({ settings: { distDir: DIST, environment: { GOOGLE_PAY_MERCHANT: 'BCR2DN4TEST' } } }),
  openShop,
);
afterEach(() => {
  Reflect.deleteProperty(window, 'PaymentRequest');
});

const PAID = {
  paymentMethodData: {
    type: 'CARD',
    info: { cardNetwork: 'VISA', cardDetails: '1234' },
    tokenizationData: { type: 'PAYMENT_GATEWAY', token: 'examplePaymentMethodToken' },
  },
};

/** A browser with the interface: what it was asked, and what the customer does in the sheet. */
function sheetOf(act: 'pay' | 'close', { has = true } = {}) {
  const asked: {
    method: string;
    data: { transactionInfo?: { totalPrice?: string } };
    total: string;
    currency: string;
  }[] = [];
  const done: string[] = [];
  class Sheet extends EventTarget {
    constructor(
      methods: { supportedMethods: string; data: object }[],
      details: { total: { amount: { value: string; currency: string } } },
    ) {
      super();
      asked.push({
        method: methods[0]!.supportedMethods,
        data: methods[0]!.data,
        total: details.total.amount.value,
        currency: details.total.amount.currency,
      });
    }
    async canMakePayment() {
      return has;
    }
    async show() {
      if (act === 'close') throw new DOMException('closed', 'AbortError');
      return {
        details: PAID,
        complete: async (how: string) => {
          done.push(how);
        },
      };
    }
  }
  Object.defineProperty(window, 'PaymentRequest', { configurable: true, value: Sheet });
  return { asked, done };
}

async function atCard(host: 'browser' | 'gpay' = 'browser'): Promise<AppPage> {
  const menu = await openPage(server.url, '/menu/veg-pizza', { host });
  await menu.press('button', 'Add Garden Four');
  await menu.find('link', /^Cart, 1 item? ?₹/);
  await collectsAt(server, '10101', { host });
  const page = await openPage(server.url, '/payment', { host, keep: true });
  await page.sees('This price is held for you');
  if (host === 'browser') await page.press('radio', /^Credit/);
  return page;
}

test('the browser’s payment sheet pays the shown total in one tap, approved by the bank, with no card typed [PAY-X05] [ERR-45]', async () => {
  const { asked, done } = sheetOf('pay');
  const page = await atCard();
  await page.press('button', 'Pay with Google Pay');
  await page.sees('Please Accept Terms and Conditions First');
  expect(done).toEqual([]);
  await page.press('checkbox', /terms/);
  await vi.waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
  });
  const [, rupees] = /To pay ?₹(\d+)/.exec(page.text())!;
  await page.press('button', 'Pay with Google Pay');
  await page.find('heading', /^Thank you! Your order is placed/);
  expect(asked.at(-1)).toMatchObject({
    method: 'https://google.com/pay',
    total: `${rupees}.00`,
    currency: 'INR',
    data: { transactionInfo: { totalPrice: `${rupees}.00` } },
  });
  expect(done).toEqual(['success']);
});

test('a closed payment sheet pays nothing and changes nothing; a browser without it or without a card has no button [PAY-X05]', async () => {
  const { done } = sheetOf('close');
  const page = await atCard();
  await page.press('checkbox', /terms/);
  await vi.waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
  });
  await page.press('button', 'Pay with Google Pay');
  await vi.waitFor(() => expect(page.get('button', 'Pay with Google Pay')?.getAttribute('aria-busy')).not.toBe('true'));
  expect([done, page.path()]).toEqual([[], '/payment']);
  expect(document.querySelector('dialog[open]')).toBeNull();
  sheetOf('pay', { has: false });
  const without = await atCard();
  await without.sees('or the CVV');
  expect(without.get('button', /Google Pay/)).toBeNull();
  Reflect.deleteProperty(window, 'PaymentRequest');
  const old = await atCard();
  await old.sees('or the CVV');
  expect(old.get('button', /Google Pay/)).toBeNull();
});

test('inside a payment app no sheet is asked for, and the server offers none [PAY-X05] [MINI-X03]', async () => {
  const { asked } = sheetOf('pay');
  const page = await atCard('gpay');
  await page.sees('To pay');
  expect(asked).toEqual([]);
  expect(page.get('button', /^Pay with/)).toBeNull();
  for (const apiKey of ['in-gpay', 'in-paytm']) {
    const who = await guest(server, apiKey);
    expect((await server.call(cards.sheets, {}, who.as)).body.methods).toEqual([]);
    expect(codeOf(await server.call(cards.sheetToken, { sheet: 'google', body: { details: PAID } }, who.as))).toBe(
      'SHEET_OFF',
    );
  }
});

test('the bank takes only what a sheet paid; a shop that is not registered has no sheet, and its pages ask nobody [PAY-X05]', async () => {
  const who = await guest(server);
  expect(
    codeOf(
      await server.call(cards.sheetToken, { sheet: 'google', body: { details: { paymentMethodData: {} } } }, who.as),
    ),
  ).toBe('SHEET_REFUSED');
  expect(codeOf(await server.call(cards.sheetToken, { sheet: 'apple', body: { details: PAID } }, who.as))).toBe(
    'SHEET_OFF',
  );
  const policy = async (url: string) => (await fetch(url)).headers.get('content-security-policy') ?? '';
  expect(await policy(`${server.url}/in/`)).toMatch(/connect-src 'self' https:\/\/google\.com/);
  expect(await policy(`${server.url}/in/gpay/`)).not.toMatch(/https:\/\/google\.com/);
  const plain = await lentServer({ settings: { distDir: DIST } });
  try {
    expect((await plain.call(cards.sheets, {}, (await guest(plain)).as)).body.methods).toEqual([]);
    expect(await policy(`${plain.url}/in/`)).not.toMatch(/connect-src[^;]*https:/);
  } finally {
    await plain.stop();
  }
});
