import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, watchTrouble, type Bundle } from '../kit/app.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { enterHost } from './hosts.ts';
import { acceptTerms, addFromMenu, chooseWhere, fillDoor, heading, isLoggedIn, noon, payButton, totalOf } from './steps.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const own: Bundle = { country: 'in', host: 'sixpay', mount: '/in/sixpay/', apiKey: 'in-sixpay' };
let shop: SpawnedServer;
let graph: string[];

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const out = temporaryFolder('pizza-sixpay');
  execFileSync(process.execPath, ['build.mjs', '--country', 'in', '--host', 'sixpay', '--hosts-dir', 'test/hosts', '--out', out], { cwd: ROOT, stdio: 'pipe' });
  graph = Object.keys((JSON.parse(readFileSync(path.join(out, 'in/sixpay/metafile.json'), 'utf8')) as { inputs: object }).inputs);
  shop = await spawnServer({ settings: { distDir: out, hostFolders: [path.join(ROOT, 'test/hosts')] } });
});
test.afterAll(async () => { await shop?.stop(); });

test('a host of one folder: its bundle holds that folder and no other host', () => {
  expect(graph.filter((file) => file.startsWith('test/')).every((file) => file.startsWith('test/hosts/sixpay/') && !/(fake|server)\.ts$/.test(file))).toBe(true);
  expect(graph).toContain('test/hosts/sixpay/bridge.ts');
  expect(graph.filter((file) => /^hosts\/|^src\/(full|server|simulator)\/|routes\.full/.test(file))).toEqual([]);
});

for (const [payment, title] of [['success', 'Thank you! Your order is placed.'], ['failure', /did not go through|failed/i]] as const) {
  test(`a host of one folder: the payment ends with ${payment}, and the order says so [MINI-X01]`, async ({ page, phone }) => {
    const troubles = watchTrouble(page);
    const mobile = phone('in');
    await noon(shop);
    await enterHost(page, own, { user: `customer-${mobile}`, controls: { payment } });
    await page.goto(`${shop.url}${own.mount}`);
    await chooseWhere(page, own.country);
    await fillDoor(page);
    await expect(page).toHaveURL(/\/menu$/);
    await addFromMenu(page);
    await page.getByRole('link', { name: /^Cart/ }).click();
    await page.getByRole('link', { name: 'Go to payment' }).click();
    await expect.poll(() => isLoggedIn(page, own)).toBe(true);
    await expect(page.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
    const total = await totalOf(page).innerText();
    await acceptTerms(page);
    await payButton(page).click();
    await expect(heading(page, title)).toBeVisible();
    if (payment === 'success') await expect(totalOf(page)).toHaveText(total);
    const calls = await page.evaluate(() => (window as unknown as { hostFake: { log: { method: string }[] } }).hostFake.log.map(({ method }) => method));
    expect(calls).toEqual(['identify', 'phone', 'pay']);
    expect(troubles).toEqual([]);
  });
}
