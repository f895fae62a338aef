import { openDb, type OpenDatabase } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { during } from './during.ts';
import { testDatabase, type Engine } from './server.ts';

/** Tables without a server, for the tests of a file or of a block. */
export const tablesHere = (engine: Engine): OpenDatabase =>
  during(
    async () => {
      const database = await testDatabase(engine);
      const opened = await openDb(database.target);
      await migrate(opened);
      return { ...opened, drop: () => database.drop() };
    },
    undefined,
    async ({ db, drop }) => {
      await db.destroy();
      await drop();
    },
  );
