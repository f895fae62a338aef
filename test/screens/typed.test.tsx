import { expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';

import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { logInOn } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

const box = (label: string) =>
  [...document.querySelectorAll<HTMLLabelElement>('label')].find((one) => one.textContent === label)!
    .control as HTMLInputElement;
/** The server fails at such a call, which a button makes; the alert is closed. */
async function failing(page: AppPage, match: string, name: string): Promise<void> {
  // What the change before it does last may still be on its way: whoever sees the button turn waits for it.
  const isBusy = () => page.get('button', name)?.getAttribute('aria-busy') === 'true';
  await vi.waitFor(() => expect(isBusy()).toBe(false));
  await server.switches({ faults: [{ match, status: 500 }] });
  try {
    await page.press('button', name);
    await page.find('heading', 'Oops');
    await page.press('button', 'OK');
    await page.gone('heading', 'Oops');
  } finally {
    await server.switches({ faults: [] });
  }
}

test('a nickname that is refused, or that does not arrive, stays to be corrected and sent again [ERR-X02]', async () => {
  const mobile = freshMobile();
  const page = await openPage(server.url, '/login?redirectUrl=%2FworldPizzaLeague');
  await logInOn(page, server, mobile);
  await page.press('button', 'Join the league');
  await page.press('checkbox', /^Show my nickname/);
  await page.type('Nickname', 'call 98765 43210');
  await page.press('button', 'Play');
  await page.sees('A nickname must not be a number or an address.');
  const kept = () => [box('Nickname').value, (page.get('checkbox', /^Show my nickname/) as HTMLInputElement).checked];
  expect(kept()).toEqual(['call 98765 43210', true]);
  const name = `Asha ${mobile.slice(-5)}`;
  await page.type('Nickname', name);
  await failing(page, 'user/worldPizzaLeague', 'Play');
  expect(kept()).toEqual([name, true]);
  await page.press('button', 'Play');
  await page.sees(`You play as ${name}.`);
});

test('what host or guest of a group order typed stays when the server refuses or fails, and works afterwards [ERR-X02]', async () => {
  const errorAt = (label: string) => document.getElementById(`${box(label).id}-error`)?.textContent;
  const isPressed = (page: AppPage, name: string) => page.get('button', name)!.getAttribute('aria-pressed');
  const menu = await openPage(server.url, '/menu/sides');
  await menu.press('button', 'Add Garlic Bread Sticks');
  await menu.find('link', /^Cart, 1 item ?₹/);
  const host = await openPage(server.url, '/group', { keep: true });
  await host.type('Code or link of the group order', 'not a code');
  await host.press('button', 'Open');
  await vi.waitFor(() => expect(errorAt('Code or link of the group order')).toMatch(/not a working one/));
  await host.type('Your name', 'Asha');
  await host.type('Limit for each guest (optional)', '2x0');
  await host.press('button', '45 min');
  await host.press('button', 'Get the link');
  await vi.waitFor(() => expect(errorAt('Limit for each guest (optional)')).toMatch(/./));
  const kept = () => [
    ...['Your name', 'Limit for each guest (optional)', 'Code or link of the group order'].map(
      (label) => box(label).value,
    ),
    isPressed(host, '45 min'),
  ];
  expect(kept()).toEqual(['Asha', '2x0', 'not a code', 'true']);
  await host.type('Limit for each guest (optional)', '250');
  await failing(host, '/group', 'Get the link');
  expect(kept()).toEqual(['Asha', '250', 'not a code', 'true']);
  await host.press('button', 'Get the link');
  await vi.waitFor(() => expect(host.path()).toMatch(/^\/group\/.+/));

  const guest = await openPage(server.url, host.path());
  await guest.type('Your name', 'Ravi');
  await guest.press('button', 'Jain');
  await failing(guest, '/group', 'Join');
  expect([box('Your name').value, isPressed(guest, 'Jain')]).toEqual(['Ravi', 'true']);
  await guest.press('button', 'Join');
  await guest.press('button', 'Name and what you eat');
  await guest.type('Your name', 'Ravi K');
  await guest.press('button', 'No milk');
  await failing(guest, '/group', 'Save');
  expect([box('Your name').value, isPressed(guest, 'Jain'), isPressed(guest, 'No milk')]).toEqual([
    'Ravi K',
    'true',
    'true',
  ]);
  await guest.press('button', 'Save');
  await guest.find('heading', /^Ravi K/);
});
