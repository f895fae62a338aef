import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import * as config from '../../src/contract/config.ts';
import * as payments from '../../src/contract/payments.ts';
import * as session from '../../src/contract/session.ts';
import * as vendors from '../../src/contract/vendors.ts';
import {
  appName,
  buildOfKey,
  builds,
  environmentWith,
  folderOf,
  HOSTS as OURS,
  hostSide,
  loadHosts,
  mountOf,
  returnPath,
  shared,
} from '../../src/server/rules/hosts/hosts.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { PRODUCTION } from '../kit/production.ts';
import { engines, startServer } from '../kit/server.ts';

import { codeOf, guest } from './people.ts';
import { openShop, visitor } from './shop.ts';
import { during } from '../kit/during.ts';

const HOSTS = path.resolve(import.meta.dirname, '../hosts');
const KEY = 'in-sixpay';
type HostStep = Extract<payments.PaymentStep, { kind: 'host' }>;

describe.each(await engines())("the server's half of a host comes from its folder, on %s", (engine) => {
  const server = during(() => startServer({ engine, settings: { hostFolders: [HOSTS] } }), openShop);

  const post = async (where: string, body: object) =>
    (await fetch(server.url + where, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<
      Record<string, string>
    >;

  test('its key, its partner block and its payment are its own, and only in its countries', async () => {
    const { as } = await guest(server, KEY);
    const { body } = await server.call(config.app, {}, as);
    expect(body.config.vendorConfig).toMatchObject({
      partner: { partnerName: 'SixPay', primaryPaymentId: 'HOST', clientId: 'sixpay-shop', source: 'sixpay' },
    });
    expect(body.config.vendorConfig.blockedFeatures).toContain('wallet');
    expect((await server.call(payments.options, {}, as)).body.options).toEqual([
      { id: 'HOST', label: 'SixPay', about: 'Paid inside SixPay' },
    ]);
    for (const apiKey of ['lk-sixpay', 'in-sevenpay', 'in-constructor', 'in-web-sixpay'])
      expect((await server.call(session.anonymous, {}, { apiKey })).status, apiKey).toBe(401);
  });

  test("its tokens make a login; another host's do not, nor do its own under another host's name", async () => {
    const who = await guest(server, KEY);
    const { nonce } = (await server.call(vendors.nonce, { vendor: 'sixpay' }, who.as)).body;
    const token = async (kind: 'identity' | 'phone', more: object = {}) =>
      (await post(`/vendors/sixpay/${kind}`, { nonce, sub: 'mira', ...more }))['token']!;
    const login = (vendor: string, credential: vendors.VendorCredential) =>
      server.call(vendors.auth, { vendor, body: { credential } }, who.as);
    const good = await token('identity');
    const bad: vendors.VendorCredential[] = [
      { nonce, proof: { token: await token('phone') } },
      { nonce, proof: { token: await token('identity', { aud: 'another-shop' }) } },
      { nonce, proof: { token: await token('identity', { expiresInSeconds: -1 }) } },
      { nonce: 'another', proof: { token: good } },
      { nonce, proof: { token: `${good}x` } },
      { nonce, proof: { idToken: good } },
      { nonce, proof: { authCode: good } },
      { nonce, proof: {} },
    ];
    for (const credential of bad) expect(codeOf(await login('sixpay', credential))).toBe('VENDOR_LOGIN');
    for (const vendor of ['gpay', 'paytm', 'web', '__proto__'])
      expect((await login(vendor, { nonce, proof: { token: good } })).status).toBe(404);
    const forged = await guest(server, KEY);
    const other = (await server.call(vendors.nonce, { vendor: 'sixpay' }, forged.as)).body.nonce;
    const credential = {
      nonce: other,
      proof: { token: await token('identity', { nonce: other, sub: 'nora' }) },
      phoneToken: await token('phone', { nonce: other }),
    };
    const nora = await server.call(vendors.auth, { vendor: 'sixpay', body: { credential } }, forged.as);
    expect([nora.status, nora.body.attributes.sub, nora.body.attributes.mobile]).toEqual([200, 'nora', undefined]);
    const { status, body } = await login('sixpay', {
      nonce,
      proof: { token: good },
      phoneToken: await token('phone'),
    });
    expect([status, body.attributes]).toMatchObject([
      200,
      { firstName: 'Mira', lastName: 'Sen', loginType: 'sixpay', sub: 'mira' },
    ]);
  });

  test('its own gateway takes the money: paid by its word to the server, and given back through the same door', async () => {
    const customer = await visitor(server, 'IN', undefined, KEY);
    const { order, next } = await customer.order({ paymentMode: 'HOST' });
    const { kind, details, amount, transactionReferenceId: reference } = next as HostStep;
    expect([kind, details['shop'], amount]).toEqual(['host', 'sixpay-shop', order.bill.total]);
    const pay = (more: object) =>
      post('/vendors/sixpay/pay', { ...details, reference, amount: (amount / 100).toFixed(2), ...more });
    expect(await pay({ amount: '1.00' })).toHaveProperty('error');
    expect(await pay({ ticket: 'guessed' })).toHaveProperty('error');
    expect((await customer.read(order.orderId)).orderStatus).toBe('PENDING');
    expect(await pay({})).toMatchObject({ state: 'PAID' });
    // The gateway told the server by itself; nobody asked.
    expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
    const cancelled = await customer.cancel(order.orderId);
    expect(cancelled.status).toBe(200);
    await server.advance(60);
    expect((await customer.read(order.orderId)).refund).toMatchObject({ amount });
  });

  test('a word to its webhook counts only with its signature, and no other mode can be chosen inside it', async () => {
    const customer = await visitor(server, 'IN', undefined, KEY);
    const { order, next } = await customer.order({ paymentMode: 'HOST' });
    const body = JSON.stringify({ reference: (next as HostStep).transactionReferenceId, status: 'SUCCESS' });
    const tell = async (signature: string) =>
      (
        await fetch(`${server.url}/webhooks/sixpay`, {
          method: 'POST',
          body,
          headers: { 'sixpay-signature': signature },
        })
      ).status;
    expect(await tell('')).toBe(401);
    expect(await tell(createHmac('sha256', 'guessed').update(body).digest('hex'))).toBe(401);
    expect((await customer.read(order.orderId)).orderStatus).toBe('PENDING');
    await customer.fill();
    for (const paymentMode of ['UPI', 'COD', 'GPAY', 'PAYTM'] as const)
      expect(codeOf(await customer.submit({ paymentMode })), paymentMode).toBe('PAYMENT_MODE');
    const web = await visitor(server);
    await web.fill();
    expect(codeOf(await web.submit({ paymentMode: 'HOST' }))).toBe('PAYMENT_MODE');
  });
});

function folderWith(text: string, name = 'sevenpay'): string {
  const folder = temporaryFolder('pizza-hosts');
  mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, name, 'server.ts'), text);
  return folder;
}

test('a webhook call reaches its host whole: method, path, every header and the bytes as they were sent', async () => {
  // Signed in Authorization over all of it, as no other host does.
  const folder = folderWith(
    `import { createHash } from 'node:crypto';
    export const host = {
      name: 'ninepay',
      payment: { mode: 'HOST', label: 'NinePay', about: '', gateway: () => ({}) },
      webhook: () => async ({ method, path, headers, body }) =>
        headers.get('authorization') === createHash('sha256').update(method + ' ' + path + ' ').update(body).digest('hex')
          ? [{ reference: 'of somebody else', status: 'PAID' }]
          : null,
    };`,
    'ninepay',
  );
  const server = await startServer({ settings: { hostFolders: [folder] } });
  const called = async (method: string, where: string, signed: string, body?: Uint8Array<ArrayBuffer>) => {
    const digest = createHash('sha256')
      .update(signed)
      .update(body ?? '')
      .digest('hex');
    const init = { method, headers: { authorization: digest }, ...(body && { body }) };
    return (await fetch(`${server.url}${where}`, init)).status;
  };
  try {
    const notText = new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x80, 0x7d]);
    expect(await called('POST', '/webhooks/ninepay?of=3', 'POST /webhooks/ninepay?of=3 ', notText)).toBe(200);
    expect(await called('POST', '/webhooks/ninepay?of=4', 'POST /webhooks/ninepay?of=3 ', notText)).toBe(401);
    expect(await called('GET', '/webhooks/ninepay?token=1', 'GET /webhooks/ninepay?token=1 ')).toBe(200);
    expect(await called('GET', '/webhooks/ninepay', 'POST /webhooks/ninepay ')).toBe(401);
    // gpay's money arrives at the bank: it has no address of its own to call.
    expect((await fetch(`${server.url}/webhooks/gpay`, { method: 'POST', body: '{}' })).status).toBe(404);
  } finally {
    await server.stop();
  }
});

describe('a host of another kind: signed in Authorization, paid in another app, logged in by a grant', () => {
  const TARN = 'in-tarnpay';
  const server = during(() => startServer({ settings: { hostFolders: [HOSTS] } }), openShop);
  const post = async (where: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(server.url + where, { method: 'POST', body: JSON.stringify(body), headers });
    return { status: reply.status, body: (await reply.json()) as Record<string, string> };
  };
  test('a grant makes a login once, and no other page nor app can use it', async () => {
    const login = async (proof: Record<string, string>) =>
      server.call(
        vendors.auth,
        { vendor: 'tarnpay', body: { credential: { nonce: '', proof } } },
        (await guest(server, TARN)).as,
      );
    const grant = async (shop: string) =>
      (await post('/vendors/tarnpay/app/grant', { shop, sub: 'leela' })).body['grantToken']!;
    const grantToken = await grant('tarnpay-shop');
    const { status, body } = await login({ grantToken });
    expect([status, body.attributes]).toMatchObject([
      200,
      { firstName: 'Leela', lastName: 'Menon', loginType: 'tarnpay', sub: 'leela', phoneNumberVerified: true },
    ]);
    for (const proof of [
      { grantToken },
      { grantToken: await grant('another-shop') },
      { grantToken: 'made-up', userId: 'leela' },
      { token: grantToken },
    ])
      expect(codeOf(await login(proof))).toBe('VENDOR_LOGIN');
  });

  test('the page hears nothing: the app tells the server, the page is opened again, and the order is there', async () => {
    const customer = await visitor(server, 'IN', undefined, TARN);
    const { order, next } = await customer.order({ paymentMode: 'HOST' });
    const { details, transactionReferenceId: reference } = next as HostStep;
    const charge = { reference, token: details['token'] };
    expect((await post('/vendors/tarnpay/app/open', { ...charge, token: 'guessed' })).status).toBe(400);
    const { body } = await post('/vendors/tarnpay/app/open', charge);
    expect(body['returnTo']).toBe(
      `/in/tarnpay/payment/${order.orderId}?transactionId=${encodeURIComponent(order.transactionId)}`,
    );
    await post('/vendors/tarnpay/app/pay', charge);
    await server.advance(5);
    // Nobody asked: the notice alone made the server ask.
    await vi.waitFor(async () => expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED'), 10_000);
    expect((await customer.cancel(order.orderId)).status).toBe(200);
    await server.advance(60);
    expect((await customer.read(order.orderId)).refund).toMatchObject({ amount: order.bill.total });
  });
});

describe('a folder that is not what it should be', () => {
  test('stops the start and is named', async () => {
    await expect(loadHosts([folderWith('export const host = { name: "eightpay" };')])).rejects.toThrow(
      /sevenpay\/server\.ts has to export 'host' with the name 'sevenpay'/,
    );
    await expect(loadHosts([folderWith('export {};')])).rejects.toThrow(/has to export 'host'/);
    for (const payment of [
      ...['mode: "HOST"', 'mode: "HOST", label: "Seven"', 'mode: "HOST", gateway: {}'],
      ...['mode: "HOST", label: "Seven", gateway: {}, isOnTheWeb: true', 'mode: "UPI", label: "Seven", gateway: {}'],
    ])
      await expect(
        loadHosts([folderWith(`export const host = { name: "sevenpay", payment: { ${payment}, about: "" } };`)]),
        payment,
      ).rejects.toThrow(/needs 'label' and 'gateway', and only that has both/);
  });
});

test('the way back is a plain path of this site, whatever the page says [PAY-19]', () => {
  for (const path of ['/', '/in/', '/in/gpay/', '/proxy/8080/in/', '/~me/x.y/'])
    expect(returnPath(path, 'IN', 'web')).toBe(path);
  for (const path of [
    ...['', '//evil.example/', '/\\evil.example/', 'https://evil.example/', '/in', '/in//', '/../', '/./', '/%2f/'],
    ...['/in/?x=/', '/a b/', '/in/\n/', '/in/#/', `/${'a'.repeat(300)}/`, '/@evil.example/'],
  ]) {
    expect(returnPath(path, 'IN', 'gpay')).toBe('/in/gpay/');
    expect(returnPath(path, 'LK', 'web')).toBe('/lk/');
  }
  const longest = `/${'a'.repeat(198)}/`;
  expect([longest, `${longest.slice(0, -1)}a/`].map((path) => returnPath(path, 'IN', 'web'))).toEqual([
    longest,
    '/in/',
  ]);
});

test('each key stands for one country and one host, each of which has its own address and folder', async () => {
  // With the sample of a frame, which is there where none is configured.
  await environmentWith([OURS, HOSTS], {});
  const all = builds().map((build) => `${build.key} ${mountOf(build)} ${folderOf(build)}`);
  expect(all).toEqual([
    'in-web in/ in/browser',
    'in-gpay in/gpay/ in/gpay',
    'in-paytm in/paytm/ in/paytm',
    // Hosts that name the country themselves come after its own.
    'in-sixpay in/sixpay/ in/sixpay',
    'in-tarnpay in/tarnpay/ in/tarnpay',
    'in-frame-sample in/frame/sample/ in/frame',
    'lk-web lk/ lk/browser',
    'lk-frame-sample lk/frame/sample/ lk/frame',
    'bg-web bg/ bg/browser',
    'bg-frame-sample bg/frame/sample/ bg/frame',
  ]);
  expect(
    ['in-web', 'in-gpay', 'lk-web', 'in-sixpay', 'lk-gpay', ''].map((key) => {
      const build = buildOfKey(key);
      return build && `${build.country.COUNTRY_CODE} ${build.host}`;
    }),
  ).toEqual(['IN web', 'IN gpay', 'LK web', 'IN sixpay', null, null]);
  expect([appName('gpay'), appName('web'), appName('gone')]).toEqual(['Google Pay', null, null]);
  expect(hostSide('gpay').name).toBe('gpay');
  expect(() => hostSide('web')).toThrow('there is no host web');
});

test('the bundle that partners share is served at each partner’s address with its page, without a partner at none', async () => {
  const served = () =>
    [...shared()].map(([folder, all]) => [
      folder,
      all.map(({ mount, page }) => [mount, page === hostSide('frame-sample').page]),
    ]);
  await environmentWith([OURS, HOSTS], {});
  expect(served()).toEqual([
    ['in/frame', [['in/frame/sample/', true]]],
    ['lk/frame', [['lk/frame/sample/', true]]],
    ['bg/frame', [['bg/frame/sample/', true]]],
  ]);
  await environmentWith([OURS, HOSTS], PRODUCTION);
  expect(served()).toEqual([
    ['in/frame', []],
    ['lk/frame', []],
    ['bg/frame', []],
  ]);
});
