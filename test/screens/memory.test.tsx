import { expect, test } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';

import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

/** What a guest's phone has of an earlier order and address, as it was written then. */
function wasHere(prefix: string, memory: Readonly<Record<string, unknown>>) {
  for (const [key, value] of Object.entries(memory)) localStorage.setItem(`${prefix}:${key}`, JSON.stringify(value));
}
const ADDRESS = {
  latitude: 28.6,
  longitude: 77.2,
  houseNo: '12 B',
  address: 'Barakhamba Road',
  type: 'home',
  address_id: 'local-1',
};

test('a guest’s hearts, usual order and addresses come to another phone by a code, beside what was there [MENU-X12] [LOC-36]', async () => {
  localStorage.clear();
  wasHere('IN/browser', {
    favourites: ['PZ001', 'SD001'],
    addresses: [ADDRESS],
    household: ['Nuts'],
    usual: [{ productId: 'PZ001', size: 'M', quantity: 2 }],
  });
  // Each page is opened by its address: links of a page in a folder are the browser's to follow, by its <base>.
  const home = await openPage(server.url, '/', { keep: true });
  const account = (await home.find('link', 'See your account')).getAttribute('href')!;
  const known = await openPage(server.url, `/${account}`, { keep: true });
  await known.sees('Kept on this phone');
  await known.sees('2 favourites');
  const move = (await known.find('link', /^Move to another phone/)).getAttribute('href')!;
  const old = await openPage(server.url, `/${move}`, { keep: true });
  await old.find('button', 'Get a code');
  expect(old.text()).toContain('2 favourites');
  expect(old.text()).toContain('1 address');
  await old.press('button', 'Get a code');
  await old.sees(/It works once, for (10:00|9:5\d)/);
  const code = /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(old.text().split('Bring from another phone”:')[1]!)![0];

  localStorage.clear();
  wasHere('IN/browser', {
    favourites: ['PZ002'],
    addresses: [
      { ...ADDRESS, houseNo: '7', address_id: 'local-9' },
      { ...ADDRESS, address_id: 'local-8' },
    ],
  });
  const young = await openPage(server.url, '/phones', { keep: true });
  await young.sees('2 addresses');
  await young.type('Code on the other phone', 'abc');
  await young.press('button', 'Bring');
  await young.sees('Please enter the 8 letters and digits that the other phone shows.');
  await young.type('Code on the other phone', code.replace('-', ' ').toLowerCase());
  await young.press('button', 'Bring');
  await young.sees('On this phone now:');
  // The same address is not there twice.
  await young.sees('3 favourites');
  expect(young.text()).toContain('2 addresses');
  const reloaded = await openPage(server.url, '/', { keep: true });
  await reloaded.sees('Your usual');
  await reloaded.find('button', 'Add all');
  const second = await openPage(server.url, '/phones', { keep: true });
  await second.type('Code on the other phone', code);
  await second.press('button', 'Bring');
  await second.sees('This code is not known any more');
});
