import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunningServer } from './app.ts';
import { server as serverSettings, withoutPassword } from './environment.ts';

const PORTS_TRIED = 20;
const PREPARED_AFTER_MS = 1_500;
/** In the background: neither the first page nor the first search or question has to wait for what is made of many words. */
async function prepared(): Promise<void> {
  const { preparePlaces } = await import('./rules/places/places.ts');
  await preparePlaces();
  const { prepareQuestions } = await import('./rules/chat/questions.ts');
  await prepareQuestions();
}
/** One Ctrl+C comes several times: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 1_000;
/** Read here once and passed on, so that everything is checked together (environment.ts). */
const values = process.env;
const root = fileURLToPath(new URL('../../', import.meta.url));

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This server needs Node 24 or newer (here it is ${process.versions.node}). \`npm ci\` brings one along on Linux, Windows and macOS: start it through npm. Without its optional packages install one yourself.`,
  );
  process.exit(1);
}

/** Whether another one listens there, so that the next port may do. @throws Error that names what else is wrong */
function isTaken(error: unknown, { port, host }: { port: number; host: string | null }): boolean {
  const { code, syscall, hostname } = error as { code?: string; syscall?: string; hostname?: string };
  // The database's host may be the one that nobody knows.
  const isOwn = syscall === 'listen' || (syscall === 'getaddrinfo' && hostname === host);
  if (isOwn && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'].includes(code ?? ''))
    throw new Error(`HOST: '${host}' is no address of this machine.`, { cause: error });
  if (code === 'EACCES' && syscall === 'listen')
    throw new Error(`PORT: port ${port} may not be used by this user. Choose one above 1023.`, { cause: error });
  return code === 'EADDRINUSE' && syscall === 'listen';
}

async function start(): Promise<RunningServer> {
  const { serve } = await import('./app.ts');
  const { environmentWith, HOSTS } = await import('./rules/hosts/hosts.ts');
  const { port: wanted, host, database, mode } = (await environmentWith([HOSTS], values)).read(serverSettings);
  const isProduction = mode === 'production';
  for (let port = wanted; ; port += 1) {
    try {
      const running = await serve({
        port,
        database: database ?? `${root}dist/data/pizza.db`,
        development: !isProduction,
        isAlone: true,
        environment: values,
        // Development shows everybody's codes: without being told so, to this machine alone.
        ...(host === null && isProduction ? {} : { host: host ?? '127.0.0.1' }),
      });
      if (running.port !== wanted && wanted !== 0)
        console.log(`Port ${wanted} is taken, so this is port ${running.port}.`);
      return running;
    } catch (error) {
      if (!isTaken(error, { port, host })) throw error;
      // In production the port that was named is the one: an operator would not look at the next.
      if (isProduction && values['PORT']) throw new Error(`PORT: port ${port} is taken.`, { cause: error });
      if (wanted === 0 || port - wanted >= PORTS_TRIED || port === 65_535)
        throw new Error(`PORT: ports ${wanted} to ${port} are all taken.`, { cause: error });
    }
  }
}

const AWAY = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ECONNRESET',
  '28P01',
  '28000',
  '3D000',
  '53300',
  '57P03',
]);

/** The database that failed as it was named, without its password. */
function named(error: unknown): string {
  const { name, target } = (error as { database?: { name: string; target: string } }).database ?? {
    name: 'DATABASE_URL',
    target: values['DATABASE_URL'],
  };
  return target && values[name] ? `${name} '${withoutPassword(target)}'` : name;
}

function explain(error: unknown): string {
  const said = (error as Error).message;
  if (/^[A-Z][A-Z_]+: /.test(said)) return said;
  // The innermost cause usually explains the failure best.
  for (
    let inner = error as { message?: string; code?: string; cause?: unknown } | undefined;
    inner;
    inner = inner.cause as typeof inner
  ) {
    if (AWAY.has(inner.code ?? ''))
      return `${named(error)}: the database cannot be reached (${inner.message || inner.code}).`;
    if (
      /^(unable to open database file|file is not a database|database disk image is malformed|attempt to write a readonly database|disk I\/O error|malformed database schema)/.test(
        inner.message ?? '',
      )
    )
      return `${named(error)}: the database file cannot be used (${inner.message}).`;
  }
  return said || String(error);
}

try {
  const running = await start();
  // `npm run dev` waits for this, and a start with `--again` follows an edit: the addresses have been told.
  process.send?.({ port: running.port });
  process.once('disconnect', () => process.exit(0));
  const { builds, folderOf, mountOf } = await import('./rules/hosts/hosts.ts');
  const at = `http://localhost:${running.port}`;
  const lines = [
    '',
    '  Pizza is ready.',
    '',
    `  ${at}/             the simulator: every phone side by side`,
    ...builds().flatMap((build) => {
      const { country, host } = build;
      // Lists only the bundles that have been built.
      if (!existsSync(`${root}dist/${folderOf(build)}/meta.json`)) return [];
      const mount = `/${mountOf(build)}`;
      return [`  ${at}${mount.padEnd(12)} ${country.label}${host === 'browser' ? ' in the browser' : ` in ${host}`}`];
    }),
    `  ${at}/openapi.json the interface`,
    '',
    '  Ctrl+C stops it.',
    '',
  ];
  if (!process.argv.includes('--again')) console.log(lines.join('\n'));
  // Many starts of `npm run dev` are killed, and would never write what the next one starts with.
  flushCompileCache();
  setTimeout(() => void prepared(), PREPARED_AFTER_MS).unref();
  let endedAt: number | null = null;
  const end = () => {
    if (endedAt !== null) {
      // A second signal stops the server at once.
      if (performance.now() - endedAt > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    endedAt = performance.now();
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(explain(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
} catch (error) {
  console.error(`The server could not start. ${explain(error)}`);
  process.exit(1);
}
