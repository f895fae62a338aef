import { expect, test, vi } from 'vitest';
import * as assistants from '../../src/contract/assistants.ts';
import { during } from '../kit/during.ts';
import { lentServer } from '../kit/lentServer.ts';
import { assistantClient, dataOf } from '../server/assistantClient.ts';
import { begun, connected } from '../server/assistantLogin.ts';
import { CURB, member, openShop, PLACES, type Customer } from '../server/shop.ts';
import { openAs } from './device.ts';
import { openPage } from './page.ts';

const server = during(() => lentServer(), openShop);

/** A page of the shop on the device of this customer. */
const opened = (who: Customer, path: string) => openAs(server, who, path);

test('the page tells how to connect an assistant, and leads to the devices', async () => {
  const page = await openPage(server.url, '/assistant/connect');
  await page.find('heading', 'Order with an assistant');
  await page.sees(/\/mcp\/in/);
  expect((await page.find('link', 'Your devices')).getAttribute('href')).toBe('postorder-ui/profile/devices');
});

test('a program is allowed by its customer alone, who sees what it may and where the answer goes', async () => {
  const start = await begun(server, 'order');
  const path = `/assistant/grant?${new URLSearchParams(start.request)}`;
  const guest = await openPage(server.url, path);
  expect((await guest.find('link', 'Log in')).getAttribute('href')).toContain(encodeURIComponent('/assistant/grant?'));
  const left = vi.spyOn(globalThis.location, 'assign').mockImplementation(() => undefined);
  const page = await opened(await member(server), path);
  await page.find('heading', 'Helper wants to order for you');
  await page.sees('Your answer goes to assistant.example.');
  await page.sees(/It may prepare orders/);
  expect(page.text()).not.toContain('It may see your addresses');
  await page.press('button', 'Allow');
  await vi.waitFor(() => expect(left).toHaveBeenCalledOnce());
  expect(new URL(String(left.mock.calls[0]![0])).searchParams.get('code')).not.toBeNull();
  left.mockRestore();
});

test('whoever shares the phone sees whose account it is, and goes on with their own', async () => {
  const who = await member(server);
  const { request } = await begun(server, 'order');
  const path = `/assistant/grant?${new URLSearchParams(request)}`;
  const page = await opened(who, path);
  await page.sees(/You are logged in.*•.*\d{4}/);
  expect(page.text()).toContain(who.person.reply.attributes.mobile!.slice(-4));
  expect(page.text()).not.toContain(who.person.reply.attributes.mobile!);
  const reload = vi.spyOn(globalThis.location, 'reload').mockImplementation(() => undefined);
  await page.press('button', 'Not you? Log in as somebody else');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  reload.mockRestore();
  await expect(who.call(assistants.grant, { query: request })).rejects.toThrow('no new session: 401');
  // The request waits for the next login.
  const next = await openPage(server.url, path, { keep: true });
  expect((await next.find('link', 'Log in')).getAttribute('href')).toContain(encodeURIComponent('client_id='));
});

test('a request that is not in order is not shown as one', async () => {
  const start = await begun(server);
  const wrong = { ...start.request, redirect_uri: 'https://evil.example/' };
  const page = await opened(await member(server), `/assistant/grant?${new URLSearchParams(wrong)}`);
  await page.sees(/This request of an assistant is not in order/);
  expect(page.text()).not.toContain('Allow');
});

test('an order is looked at and confirmed on the page, and goes on to its payment', async () => {
  const who = await member(server);
  const { access } = await connected(server, who);
  const { where, productId } = PLACES['IN']!;
  const quoted = dataOf<{ quoteId: string; total: number }>(
    await assistantClient(server, { token: access }).tool('quote_order', {
      storeId: where.storeId,
      deliveryType: 'DELIVERY',
      address: {
        ...where.address,
        landmark: 'the old bank',
        instructions: 'By the lift',
        receiverName: 'Ravi',
        receiverMobile: '9876543210',
      },
      note: 'Ring twice',
      lines: [{ productId, size: 'M', quantity: 2, note: 'Cut in six' }],
    }),
  );
  const page = await opened(who, `/assistant/${quoted.quoteId}`);
  await page.find('heading', 'Look at your order');
  await page.sees('Prepared by Helper');
  await page.sees(/12, Barakhamba Road/);
  await page.sees('Delivery');
  await page.sees(/In \d+ to \d+ minutes/);
  await page.sees('Ring twice');
  // Nothing that an assistant has put into it is ordered unseen.
  await page.sees('By the lift');
  await page.sees(/Near the old bank/);
  // Whatever the address says, the rider goes to its position.
  await page.sees(/Connaught Place/);
  await page.sees(/Ravi, .*9876543210/);
  await page.sees(/Cut in six/);
  await page.type('First name', 'Asha');
  const button = await page.find('button', 'Confirm order');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await page.press('radio', /^UPI/);
  expect((await page.find('button', 'Confirm order')).getAttribute('aria-disabled')).toBe('true');
  await page.press('checkbox', /terms/);
  await page.press('button', 'Confirm order');
  await vi.waitFor(() => expect(page.path()).toMatch(/^\/payment\/ord_/));
  const { body } = await who.call(assistants.quoteById, { quoteId: quoted.quoteId });
  expect(body.quote.state).toBe('ORDERED');
});

test('the car that an assistant has named is seen before the order is confirmed', async () => {
  const who = await member(server);
  const { access } = await connected(server, who);
  const quoted = dataOf<{ quoteId: string }>(
    await assistantClient(server, { token: access }).tool('quote_order', {
      storeId: CURB.storeId,
      deliveryType: 'CURB',
      vehicle: { colour: 'Red', model: 'Swift', lastFourDigits: '1234' },
      lines: [{ productId: PLACES['IN']!.productId, size: 'M', quantity: 1 }],
    }),
  );
  const page = await opened(who, `/assistant/${quoted.quoteId}`);
  await page.sees('Red Swift · 1234');
});
