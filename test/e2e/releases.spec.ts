import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page, Response } from '@playwright/test';
import { differences } from '../../src/build/differences.ts';
import { shortHash } from '../../src/build/hash.ts';
import { expect, test } from '../kit/app.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { spawnServer } from '../kit/server.ts';

/** Puts a next release of one script into a bundle's folder, as the build does; answers the new file's name. */
async function release(inside: string, unit: string): Promise<string> {
  const meta = JSON.parse(readFileSync(path.join(inside, 'meta.json'), 'utf8')) as {
    files: Record<string, unknown>;
    units: Record<string, { file: string }>;
  };
  const older = meta.units[unit]?.file ?? '';
  const text = `${readFileSync(path.join(inside, older), 'utf8')}globalThis.release="next";`;
  const newer = `${unit}-${shortHash(text)}.js`;
  const held = temporaryFolder('held');
  await differences(held, new Map([[older, readFileSync(path.join(inside, older))]]));
  for (const [name, body] of await differences(held, new Map([[newer, text]])))
    writeFileSync(path.join(inside, name), body);
  writeFileSync(path.join(inside, newer), text);
  for (const page of ['index.html', 'menu.html', 'app.html']) {
    const file = path.join(inside, page);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(older, newer));
    for (const packed of ['.gz', '.br']) rmSync(file + packed, { force: true });
  }
  writeFileSync(
    path.join(inside, 'meta.json'),
    JSON.stringify({ ...meta, files: { ...meta.files, [newer]: meta.files[older] } }),
  );
  utimesSync(path.join(inside, 'meta.json'), new Date(), new Date(Date.now() + 5_000));
  return newer;
}

/** Has the code of the page fail at a tap, as a browser that lacks something would. */
async function breakAtTap(page: Page): Promise<void> {
  await page.evaluate(() => {
    history.pushState = () => {
      throw new TypeError('no history for 98765 43210');
    };
  });
  await page
    .getByRole('link', { name: /^Search/ })
    .first()
    .click();
}

test('a phone gets a new release as a difference and runs it; its errors are reported with their place in the source', async ({
  browser,
}) => {
  const dist = path.resolve(import.meta.dirname, '../../dist');
  const folder = temporaryFolder('bundles');
  const inside = path.join(folder, 'in/gpay');
  cpSync(path.join(dist, 'in/gpay'), inside, { recursive: true });
  cpSync(path.join(dist, '.maps'), path.join(folder, '.maps'), { recursive: true });
  const server = await spawnServer({ settings: { distDir: folder, quiet: false } });
  const context = await browser.newContext({ baseURL: server.url });
  try {
    const page = await context.newPage();
    const answers = new Map<string, Response>();
    page.on('response', (response) => answers.set(new URL(response.url()).pathname.split('/').at(-1) ?? '', response));
    await page.goto('/in/gpay/menu');
    await expect(page.locator('html')).not.toHaveAttribute('data-offline');
    await page.waitForFunction(() => performance.getEntriesByType('resource').some((one) => /alive-/.test(one.name)));
    await page.goto('/in/gpay/cart');
    await page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();
    // What comes after the second load is said upon it.
    const step = [...answers].find(([name]) => name.startsWith('cart-'))?.[1];
    expect(await step?.headerValue('content-encoding')).toBe('dcb');

    const newer = await release(inside, 'alive');
    await page.goto('/in/gpay/menu');
    await page.waitForFunction(() => (globalThis as { release?: string }).release === 'next');
    const answer = answers.get(newer);
    expect(await answer?.headerValue('content-encoding')).toBe('dcz');
    const { responseBodySize } = (await answer?.request().sizes()) ?? { responseBodySize: Infinity };
    expect(responseBodySize).toBeLessThan(1_000);

    await breakAtTap(page);
    const told = () =>
      server
        .said()
        .split('\n')
        .filter((line) => line.includes('an error of a page'));
    await expect.poll(() => told().length).toBe(1);
    const { version } = JSON.parse((await page.locator('#boot').textContent()) ?? '') as { version: string };
    const { places, ...error } = JSON.parse(/\{.*\}/.exec(told()[0]!)![0]) as { places: string[] };
    expect(error).toMatchObject({
      host: 'gpay',
      country: 'IN',
      bundle: 'in/gpay',
      release: version,
      page: '/menu',
      error: 'TypeError: no history for [number]',
    });
    const [, file = '', line] = /\((src\/[^:]+):(\d+):/.exec(places[0]!) ?? [];
    const source = readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8').split('\n');
    expect(source[Number(line) - 1]).toContain('pushState');
    for (const script of answers.keys())
      if (script.endsWith('.js'))
        for (const at of ['', '.maps/', '../.maps/', '..%2f..%2f.maps/'])
          expect(await (await page.request.get(`/in/gpay/${at}${script}.map`)).text()).not.toContain('"mappings"');
  } finally {
    await context.close();
    await server.stop();
  }
});
