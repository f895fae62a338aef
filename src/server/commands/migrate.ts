// npm run migrate: brings the tables up to date, once, before the servers of a release start; those of the older one go on.
import { openDb } from '../store/db.ts';
import { migrate } from '../store/migrate.ts';
import { command } from './command.ts';

await command(process.env, 'migrate', null, async ({ databases }) => {
  for (const target of databases) {
    const opened = await openDb(target);
    try {
      await migrate(opened);
    } finally {
      await opened.db.destroy();
    }
  }
  return 'The tables are up to date.';
});
