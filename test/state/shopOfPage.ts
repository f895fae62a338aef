import { vi } from 'vitest';
import { during } from '../kit/during.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';

/** A server whose shop is open, for the tests of a file, with the address of a page of the country beside it. */
export const shopOfPage = (country = 'in'): TestServer =>
  during(
    () => startServer({ settings: { distDir: null } }),
    async (server) => {
      await openShop(server);
      vi.stubGlobal('document', { baseURI: `https://pizza.example/${country}/` });
    },
    async (server) => {
      vi.unstubAllGlobals();
      await server.stop();
    },
  );
