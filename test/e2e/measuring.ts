import type { BrowserContext, Page } from '@playwright/test';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { test as base } from '../kit/app.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';

/** Over a server that measures whoever agrees. `books` is its database. */
export const test = base.extend<{ books: Root }, { server: SpawnedServer }>({
  server: [
    async ({}, use) => {
      const server = await spawnServer({ settings: { environment: { ANALYTICS: 'on' } } });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  books: async ({ server }, use) => {
    const { db } = await openDb(server.database.target);
    await use(db);
    await db.destroy();
  },
});

/** What a page puts off for three seconds comes at once, until it is told to be patient. */
export async function hurry(pages: Page | BrowserContext): Promise<void> {
  await pages.addInitScript(() => {
    const plain = window.setTimeout.bind(window);
    const own = window as unknown as { isPatient?: boolean; setTimeout: unknown };
    own.setTimeout = (act: () => void, ms?: number, ...given: unknown[]) =>
      plain(act, ms === 3_000 && !own.isPatient ? 0 : ms, ...given);
  });
}
