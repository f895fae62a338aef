import { afterAll, beforeAll, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as cards from '../../src/contract/cards.ts';
import * as copy from '../../src/contract/copy.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as login from '../../src/contract/login.ts';
import * as passwords from '../../src/contract/passwords.ts';
import * as payments from '../../src/contract/payments.ts';
import * as profile from '../../src/contract/profile.ts';
import * as trains from '../../src/contract/trains.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { makersAddress } from '../../src/server/providers/paymentSheets.ts';
import { isSafe } from '../../src/server/providers/outside.ts';
import { allEndpoints } from '../kit/contract.ts';
import { partnersFile } from '../kit/partner.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { bankAt, bankBetween } from './bankBetween.ts';
import { freshMobile, guest, logIn, type Person } from './people.ts';
import { member, openShop, visitor } from './shop.ts';
import { PNR, traveller } from './trainShop.ts';

const SHOP = 'shop.example';
const PARTNER = 'pay.acme.example';
const FOREIGN = [
  ...['evil.example', `evil.example/${SHOP}`, `${SHOP}.evil.example`, `${SHOP}@evil.example`, `evil${SHOP}`],
  ...[`${SHOP}.`, `${SHOP} #000000\n@evil.example`, 'ѕhop.example', 'https://evil.example'],
];

let server: TestServer;
let bank: Awaited<ReturnType<typeof bankBetween>>;
beforeAll(async () => {
  bank = await bankBetween(
    () => '',
    () => 'away',
  );
  const partners = partnersFile([
    { name: 'acme', label: 'Acme', countries: ['IN'], origins: [`https://${PARTNER}`, 'https://acme.example:8443'] },
  ]);
  server = await startServer({
    settings: {
      environment: {
        ...partners,
        ...bankAt(bank.url, 'a-secret-nobody-reads').environment,
        PUBLIC_ORIGIN: `https://${SHOP}`,
        APPLE_PAY_MERCHANT: 'merchant.shop',
      },
    },
  });
  await openShop(server);
  // No country has passwords today.
  Object.assign(countryConfig('IN'), { SHOW_LOAGIN_WITH_PASSWORD: true });
});
afterAll(async () => {
  Object.assign(countryConfig('IN'), { SHOW_LOAGIN_WITH_PASSWORD: false });
  await server.stop();
  bank.stop();
});

const lastLine = async (mobile: string) => (await server.inbox(`+91${mobile}`))[0]?.split('\n').at(-1);

/** Each way to have a code sent, with the host that the caller says it is on; answers whose phone has it. */
const WAYS: Readonly<Record<string, (host: string) => Promise<string>>> = {
  'login.sendOtp': async (host) => {
    const mobile = freshMobile();
    await server.call(login.sendOtp, { body: { mobile, host } }, (await guest(server)).as);
    return mobile;
  },
  'login.resendOtp': async (host) => {
    const mobile = freshMobile();
    await server.call(login.resendOtp, { body: { mobile, host } }, (await guest(server)).as);
    return mobile;
  },
  'copy.sendCode': (host) => toOwner((who) => server.call(copy.sendCode, { body: { host } }, who.as)),
  'deletion.sendCode': (host) => toOwner((who) => server.call(deletion.sendCode, { body: { host } }, who.as)),
  'passwords.sendCode': (host) => toOwner((who) => server.call(passwords.sendCode, { body: { host } }, who.as)),
  'profile.sendNumberCode': async (host) => {
    const mobile = freshMobile();
    await toOwner((who) => server.call(profile.sendNumberCode, { body: { mobile, to: 'NEW', host } }, who.as));
    return mobile;
  },
  'trains.save': async (host) => {
    const who = await traveller(server, '10101');
    await who.call(trains.save, {
      body: { cartId: who.cartId, pnr: PNR.long, stationId: 'NDLS', mobile: who.mobile, host },
    });
    return who.mobile;
  },
  'trains.change': async (host) => {
    const [who, mobile] = [await traveller(server, '10101'), freshMobile()];
    const body = { cartId: who.cartId, pnr: PNR.long, stationId: 'NDLS', mobile: who.mobile };
    const { trainOrderId } = (await who.call(trains.save, { body })).body.train;
    await who.call(trains.change, { orderId: trainOrderId, body: { mobile, host } });
    return mobile;
  },
  'trains.sendOtp': async (host) => {
    const who = await traveller(server, '10101');
    const body = { cartId: who.cartId, pnr: PNR.long, stationId: 'NDLS', mobile: who.mobile };
    const { trainOrderId } = (await who.call(trains.save, { body })).body.train;
    await server.advance(31);
    await who.call(trains.sendOtp, { body: { trainOrderId, host } });
    return who.mobile;
  },
  'orders.submit': async (host) => {
    const who = await visitor(server);
    await who.fill();
    await who.submit({ paymentMode: 'COD', headers: hosts(host) });
    return who.mobile;
  },
  'payments.codOtp': async (host) => {
    const who = await visitor(server);
    await who.fill();
    const { body } = await who.submit({ paymentMode: 'COD' });
    await server.advance(31);
    await who.call(payments.codOtp, { transactionId: body.order.transactionId, body: {} }, hosts(host));
    return who.mobile;
  },
  'vouchers.resetPin': async (host) => {
    const who = await member(server);
    const { number, pin } = (await server.call(vouchers.issue, { body: { amount: 10_000 } })).body;
    await who.call(vouchers.link, { body: { number, pin } });
    await server.advance(31);
    await who.call(vouchers.resetPin, { body: { number } }, hosts(host));
    await server.advance(1);
    return who.mobile;
  },
};
async function toOwner(send: (who: Person) => Promise<{ status: number; body: unknown }>): Promise<string> {
  const mobile = freshMobile();
  const who = await logIn(server, mobile);
  await server.advance(31);
  const { status, body } = await send(who);
  expect(status, JSON.stringify(body)).toBe(200);
  return mobile;
}
/** Every header that may name a host, as far as a client may send it. */
const hosts = (host: string): Record<string, string> =>
  /^[!-~]+$/.test(host) ? { 'x-host': host, origin: `https://${host}`, referer: `https://${host}/` } : {};

test('every call in which a page may name its host has its row here', async () => {
  const named = [...(await allEndpoints())].filter(
    ([, { body, access }]) =>
      access !== 'development' && body !== undefined && 'host' in ((body as { shape?: object }).shape ?? {}),
  );
  expect(named.map(([name]) => name).filter((name) => !(name in WAYS))).toEqual([]);
  expect(named.length).toBeGreaterThan(7);
});

test.each(Object.entries(WAYS))(
  'the code of %s is offered to no page but ours and our partners’, whatever host the caller names',
  async (name, send) => {
    const isNamed = !['orders.submit', 'payments.codOtp', 'vouchers.resetPin'].includes(name);
    for (const host of name === 'login.sendOtp' ? FOREIGN : FOREIGN.slice(0, 1))
      expect(await lastLine(await send(host)), host).toMatch(/^@shop\.example #\d{6}$/);
    const own = isNamed ? /^@pay\.acme\.example #\d{6}$/ : /^@shop\.example #\d{6}$/;
    expect(await lastLine(await send(PARTNER.toUpperCase()))).toMatch(own);
  },
);

test('what a caller calls a partner is one only by its whole name', async () => {
  for (const host of ['acme.example', 'Acme.example'])
    expect(await lastLine(await WAYS['login.sendOtp']!(host))).toMatch(/^@acme\.example #/);
  for (const host of ['example', 'a.pay.acme.example', 'acme.example:8443'])
    expect(await lastLine(await WAYS['login.sendOtp']!(host))).toMatch(/^@shop\.example #/);
});

const APPLES = [
  'https://apple-pay-gateway.apple.com/paymentservices/startSession',
  'https://apple-pay-gateway-nc-pod3.apple.com/paymentservices/startSession',
  'https://apple-pay-gateway-pr-pod1-dr.apple.com/paymentservices/startSession',
  'https://apple-pay-gateway-cert.apple.com/paymentservices/paymentSession',
  'https://cn-apple-pay-gateway.apple.com/paymentservices/startSession',
  'https://cn-apple-pay-gateway-sh-pod2.apple.com/paymentservices/startSession',
  'https://cn-apple-pay-gateway-cert.apple.com/paymentservices/startSession',
];
const NOT_APPLES = [
  ...['http://apple-pay-gateway.apple.com/paymentservices/startSession', 'https://apple-pay-gateway.apple.com:8443/'],
  ...['https://apple-pay-gateway.apple.com.evil.example/', 'https://apple-pay-gateway.apple.com@evil.example/'],
  ...['https://evil.example/apple-pay-gateway.apple.com', 'https://evil.example#.apple.com'],
  ...['https://evil.example\\.apple.com/', 'https://user:pin@apple-pay-gateway.apple.com/'],
  ...['https://evil-apple-pay-gateway.apple.com/', 'https://apple-pay-gateway.evil.apple.com/'],
  ...['https://apple-pay-gatewayevil.apple.com/', 'https://www.apple.com/'],
  ...['https://169.254.169.254/latest/meta-data/', 'https://127.0.0.1/', '//apple-pay-gateway.apple.com/'],
  ...['file:///etc/passwd', 'apple-pay-gateway.apple.com', ''],
];

test('Apple confirms the shop at Apple’s published hosts alone: no other address leaves for the bank', async () => {
  const who = await guest(server);
  const ask = async (sheet: string, validationUrl: string) =>
    (await server.call(cards.sheetSession, { sheet, body: { validationUrl } }, who.as)).status;
  for (const url of APPLES) {
    expect(makersAddress('apple', url), url).toBe(url);
    expect(makersAddress('google', url), url).toBeNull();
  }
  for (const url of NOT_APPLES) expect(makersAddress('apple', url), url).toBeNull();
  for (const url of NOT_APPLES) expect(await ask('apple', url), url).toBe(422);
  expect(bank.asked).toEqual([]);
  // This bank is away, and was asked.
  expect(await ask('apple', APPLES[0]!)).toBe(502);
  expect(bank.asked).toEqual(['/bank/api/sheets/session']);
});

test('a page that a provider sends a customer to is encrypted on its way, or on this machine', () => {
  for (const address of ['https://bank.example/pay', 'http://localhost:3000/pay', 'http://127.0.0.1/pay'])
    expect(isSafe(address), address).toBe(true);
  for (const address of ['http://bank.example/', 'javascript:alert(1)', 'data:text/html,x', 'http://127.evil.example/'])
    expect(isSafe(address), address).toBe(false);
});
