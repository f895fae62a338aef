import { fileURLToPath } from 'node:url';
import type { Running } from './app.ts';
import { readEnvironment } from './environment.ts';

const DEFAULT_PORT = 3000;
const PORTS_TRIED = 20;
const PLACES_AFTER_MS = 1_500;
const root = fileURLToPath(new URL('../../', import.meta.url));

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`This server needs Node 24 (here it is ${process.versions.node}). 'npm ci' brings it along on Linux and Windows; elsewhere install it and try again.`);
  process.exit(1);
}

async function start(): Promise<Running> {
  const env = readEnvironment(process.env);
  const { serve } = await import('./app.ts');
  const wanted = env.PORT ? Number(env.PORT) : DEFAULT_PORT;
  const database = env.DATABASE_URL || `${root}dist/data/pizza.db`;
  for (let port = wanted; ; port += 1) {
    try {
      const running = await serve({
        port, database, development: env.NODE_ENV !== 'production', environment: process.env,
        ...(env.HOST ? { host: env.HOST } : {}),
      });
      if (running.port !== wanted && wanted !== 0) console.log(`Port ${wanted} is taken, so this is port ${running.port}.`);
      return running;
    } catch (error) {
      const { code, syscall } = error as { code?: string; syscall?: string };
      const isTaken = code === 'EADDRINUSE' && syscall === 'listen';
      if (code === 'EACCES' && syscall === 'listen') throw new Error(`PORT: port ${port} may not be used by this user. Choose one above 1023.`, { cause: error });
      if (!isTaken) throw error;
      if (wanted === 0 || port - wanted >= PORTS_TRIED || port === 65_535) throw new Error(`PORT: ports ${wanted} to ${port} are all taken.`, { cause: error });
    }
  }
}

const AWAY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', '28P01', '28000', '3D000', '53300', '57P03']);

function explain(error: unknown): string {
  // What went wrong at the bottom says it best.
  for (let inner = error as { message?: string; code?: string; cause?: unknown } | undefined; inner; inner = inner.cause as typeof inner) {
    if (AWAY.has(inner.code ?? '')) return `DATABASE_URL: the database cannot be reached (${inner.message || inner.code}).`;
    if (/^(unable to open database file|file is not a database)/.test(inner.message ?? '')) return `DATABASE_URL: the database file cannot be used (${inner.message}).`;
  }
  return (error as Error).message || String(error);
}

try {
  const running = await start();
  const at = `http://localhost:${running.port}`;
  console.log([
    '', '  Pizza is ready.', '',
    `  ${at}/            the simulator: every phone side by side`,
    `  ${at}/in/         India in the browser     ${at}/in/gpay/   ${at}/in/paytm/`,
    `  ${at}/lk/         Sri Lanka                ${at}/bg/         Bangladesh`,
    `  ${at}/openapi.json  the interface`, '', '  Ctrl+C stops it.', '',
  ].join('\n'));
  // The first search for a place should not be the one that sets up the index; nor should the first page wait for it.
  setTimeout(() => { void import('./rules/places.ts').then(({ preparePlaces }) => preparePlaces()); }, PLACES_AFTER_MS).unref();
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second one means now.
      if (stopping) process.exit(130);
      stopping = true;
      running.stop().then(() => process.exit(0), (error: unknown) => {
        console.error(explain(error));
        process.exit(1);
      });
    });
  }
} catch (error) {
  console.error(`The server could not start. ${explain(error)}`);
  process.exit(1);
}
