import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { openPage } from './page.ts';

let server: SpawnedServer;
beforeAll(async () => { server = await spawnServer(); });
afterAll(() => server.stop());

test('search answers while one types and forgives slips [MENU-15]', async () => {
  const page = await openPage(server.url, '/search');
  await page.find('heading', 'Bestsellers');
  await page.type('Search the menu', 'panner tika');
  await page.find('heading', 'Paneer Tikka Blaze');
  await page.gone('heading', 'Tomato Basil Classic');
});

test('without a hit it says so and shows what comes close [MENU-16]', async () => {
  const page = await openPage(server.url, '/search?q=paneer%20rocket');
  await page.sees('No result found on your search!');
  await page.sees('These come close:');
  await page.find('heading', /Paneer/);
});

test('a search that led somewhere is offered again, and can be forgotten', async () => {
  const page = await openPage(server.url, '/search');
  await page.type('Search the menu', 'brownie');
  await page.press('button', 'Add Walnut Brownie');
  await page.find('group', 'Quantity of Walnut Brownie');
  await page.press('button', 'Clear');
  await page.press('button', 'brownie');
  await page.find('heading', 'Walnut Brownie');
  await page.press('button', 'Clear');
  await page.find('heading', 'Recent searches');
  await page.press('button', 'Clear');
  await page.gone('heading', 'Recent searches');
});

test('veg only holds in the search too [MENU-X07]', async () => {
  const page = await openPage(server.url, '/search?q=chicken');
  await page.find('heading', /Chicken/);
  await page.press('button', 'Veg only');
  await page.gone('heading', /Chicken/);
});
