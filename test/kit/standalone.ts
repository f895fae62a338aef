/** The product's server as a process of its own; the one argument is what serve() takes, as JSON. Says `READY url` when it answers. */
import { flushCompileCache } from 'node:module';
import { serve } from '../../src/server/app.ts';

const server = await serve(JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof serve>[0]);
console.log(`READY ${server.url}`);
// Many of these are killed, and would leave nothing for the next one.
flushCompileCache();
process.once('SIGTERM', () => { void server.stop().finally(() => process.exit(0)); });
