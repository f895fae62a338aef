import { openDb } from '../../src/server/store/db.ts';
import { during, standIn } from '../kit/during.ts';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServerOptions } from '../kit/server.ts';
import { openedShop, openShop, type Shop } from './shop.ts';

/**
 * A shop for the tests of a file or of a block. Where `closeAfter` is said, nothing may be wrong about any money so many
 * seconds after the last of them.
 */
export function shopHere(options: TestServerOptions = {}, closeAfter?: number): Pick<Shop, 'db' | 'server'> {
  const shop = during(
    () => openedShop(options),
    undefined,
    ({ close, stop }) => (closeAfter === undefined ? stop() : close(closeAfter)),
  );
  return { server: standIn(() => shop.server), db: standIn(() => shop.db) };
}

/** The same, of a server that is lent: for tests with a document. */
export function lentShopHere(settings: Pick<TestServerOptions, 'settings'> = {}): Pick<Shop, 'db' | 'server'> {
  const shop = during(
    async () => {
      const server = await lentServer(settings);
      const { db } = await openDb(server.database.target);
      await openShop(server);
      return { server, db };
    },
    undefined,
    async ({ server, db }) => {
      await db.destroy();
      await server.stop();
    },
  );
  return { server: standIn(() => shop.server), db: standIn(() => shop.db) };
}
