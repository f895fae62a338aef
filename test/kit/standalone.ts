/** The product's server as a process of its own; the one argument is what serve() takes, as JSON. Says `READY url` when it answers. */
import { serve } from '../../src/server/app.ts';

const server = await serve(JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof serve>[0]);
console.log(`READY ${server.url}`);
process.once('SIGTERM', () => { void server.stop().finally(() => process.exit(0)); });
