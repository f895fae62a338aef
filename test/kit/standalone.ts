/** The product's server as a process. Its argument is the options of serve() as JSON; it prints `READY url` when it answers. */
import { flushCompileCache } from 'node:module';
import { serve } from '../../src/server/app.ts';

const server = await serve(JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof serve>[0]);
console.log(`READY ${server.url}`);
// Many of these are killed, and would never write the compile cache for the next one.
flushCompileCache();
process.once('SIGTERM', () => {
  void server.stop().finally(() => process.exit(0));
});
