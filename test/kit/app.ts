import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { spawnServer, type SpawnedServer } from './server.ts';

export interface Bundle {
  readonly country: string;
  readonly host: string;
  /** What it speaks: a folder of src/text. */
  readonly language: string;
  /** Where the server mounts it, with a trailing slash: '/in/gpay/'. */
  readonly mount: string;
  readonly apiKey: string;
}

const dist = path.resolve(import.meta.dirname, '../../dist');

/** Every bundle that is built, as its meta.json says: in the first language of its country, or also in the others. */
export function builtBundles({ all = false } = {}): Bundle[] {
  const folders = (dir: string) =>
    readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
  return folders(dist)
    .filter((cc) => cc !== 'simulator')
    .flatMap((cc) =>
      folders(path.join(dist, cc)).flatMap((name) => {
        const { mount, host, language } = JSON.parse(
          readFileSync(path.join(dist, cc, name, 'meta.json'), 'utf8'),
        ) as Bundle;
        if (name !== host && !all) return [];
        // Partners share a bundle; each has an address of its own, as the imitated one has.
        const [own, key] = host === 'frame' ? ['sample/', 'frame-sample'] : ['', host === 'browser' ? 'web' : host];
        return [{ country: cc, host, language, mount: `${mount}/${own}`, apiKey: `${cc}-${key}` }];
      }),
    );
}

export interface Trouble {
  readonly kind: 'console' | 'page' | 'policy' | 'request';
  readonly text: string;
}

/** Collects everything that a page complains about: errors, refusals of its content security policy, failed requests. */
export function watchTrouble(page: Page): Trouble[] {
  const troubles: Trouble[] = [];
  page.on('pageerror', (error) => troubles.push({ kind: 'page', text: error.message }));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    troubles.push({
      kind: /Content.Security.Policy|Trusted/i.test(message.text()) ? 'policy' : 'console',
      text: `${message.text()} (${message.location().url})`,
    });
  });
  return troubles;
}

/**
 * `server` is one per worker, with a database of its own, so that a test may move the clock. Switches are reset before each test;
 * sessions stay, so that each test takes a phone number of its own (`phone`).
 */
export const test = base.extend<
  { asNew: void; open: (bundle: Bundle, route?: string) => Promise<Page>; phone: (country: string) => string },
  { server: SpawnedServer }
>({
  server: [
    async ({}, use) => {
      const server = await spawnServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.url);
  },
  // What the test before has switched, in whichever file, is its own.
  asNew: [
    async ({ server }, use) => {
      await server.switches({ faults: [], bankOutcome: null, offlineStores: [], soldOut: [], kitchen: 'steady' });
      await use();
    },
    { auto: true },
  ],
  open: async ({ page }, use) => {
    await use(async (bundle, route = '/') => {
      const fake = bundle.host === 'browser' ? '' : `${route.includes('?') ? '&' : '?'}simulator`;
      await page.goto(`${bundle.mount}${route.replace(/^\//, '')}${fake}`);
      return page;
    });
  },
  phone: async ({}, use, info) => {
    let asked = 0;
    await use((country) => {
      // Made of worker, test and count, so that no other test of the run has it; begins like a mobile number.
      const number = `${String(info.workerIndex).padStart(2, '0')}${String(Number.parseInt(info.testId.slice(-6), 16) % 10_000).padStart(4, '0')}${String(asked++).padStart(2, '0')}`;
      return (
        (country === 'lk' ? '7' : country === 'bg' ? '17' : '98') +
        (country === 'lk' ? number : number.padStart(8, '0'))
      );
    });
  },
});
export { expect } from '@playwright/test';
