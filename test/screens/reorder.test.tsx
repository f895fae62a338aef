import { expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';

import { member, openShop, PICKUP } from '../server/shop.ts';
import { logInOn } from './device.ts';
import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(
  () => lentServer(),
  async (opened) => {
    await openShop(opened);
    await opened.switches({ kitchen: 'steady' });
  },
);

const at = (path: string) => openPage(server.url, path, { keep: true });

test('what is often ordered at this hour is one tap away, and the cart offers a choice on what changed [HIST-17] [HIST-X01]', async () => {
  const who = await member(server, 'IN', PICKUP);
  for (let day = 0; day < 2; day += 1) {
    await who.fill(1, 'M');
    const { status } = await who.submit({ paymentMode: 'COD' });
    expect(status).toBe(200);
    await server.advance(24 * 3_600);
  }
  const login = await openPage(server.url, '/login');
  await logInOn(login, server, who.mobile);
  await login.sees('You are logged in');

  const favourites = await at('/postorder-ui/orderHistory?tab=favourites');
  const often = await favourites.find('region', 'You order these often');
  const dishes = [...often.querySelectorAll('article')].map((one) => one.textContent);
  expect(dishes).toEqual([expect.stringContaining('Tomato Basil Classic')]);
  const account = await at('/postorder-ui/profile');
  await account.find('heading', 'In one tap');
  await account.sees(/Tomato Basil Classic ?You often have this now/);
  await server.switches({ soldOut: [who.productId] });
  try {
    await account.press('button', 'Order this again');
    await account.find('heading', /^What changed since your order of/);
    await account.sees('Tomato Basil Classic is sold out at this store');
    await account.press('button', /^Take /);
    await account.gone('heading', /^What changed/);
    expect(account.text()).not.toContain('Tomato Basil Classic');
    await account.sees(/To pay ?₹\d+/);
  } finally {
    await server.switches({ soldOut: [] });
  }

  // Once it is kept it is recommended no more: it stands among the favourites.
  const list = await at('/postorder-ui/orderHistory?tab=favourites');
  const heart = (await list.find('region', 'You order these often')).querySelector<HTMLElement>(
    '[aria-pressed=false]',
  )!;
  heart.click();
  await list.sees('Kept among your favourite orders.');
  const again = await at('/postorder-ui/orderHistory?tab=favourites');
  await vi.waitFor(() => {
    const kept = [...document.querySelectorAll('article')];
    expect(kept.map((one) => one.querySelector('[aria-pressed=true]') !== null)).toEqual([true]);
    expect(kept[0]!.textContent).toContain('Tomato Basil Classic');
  });
  expect(again.get('region', 'You order these often')).toBeNull();
});
