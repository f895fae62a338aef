/** The product's server as a process. Its argument is the options of serve() as JSON; it prints `READY url` when it answers. */
import { flushCompileCache } from 'node:module';
import { serve } from '../../src/server/app.ts';
import { putTables } from './tables.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof serve>[0];
// A second word: its database is a new file of SQLite.
if (process.argv[3] === 'new') await putTables(options.database!);
const server = await serve(options);
console.log(`READY ${server.url}`);
// Many of these are killed, and would never write the compile cache for the next one.
flushCompileCache();
process.once('SIGTERM', () => {
  void server.stop().finally(() => process.exit(0));
});
