import { execFile, spawn } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../kit/folder.ts';
import { sample } from '../kit/matrix.ts';
import { bothEngines, COMPILED, startServer } from '../kit/server.ts';

const script = path.resolve(import.meta.dirname, '../../src/server/main.ts');
const root = path.resolve(import.meta.dirname, '../..');
/** Begins as a file of SQLite, and is torn after that. */
const broken = path.join(temporaryFolder('pizza-broken'), 'broken.db');
writeFileSync(broken, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8_192, 7)]));
const usable = await bothEngines();
const leftovers: (() => void)[] = [];
afterEach(() => {
  for (const clean of leftovers.splice(0)) clean();
});

interface Started {
  readonly said: () => string;
  readonly code: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  killGroup(signal: NodeJS.Signals): void;
  readonly url: Promise<string>;
}

function start(
  environment: Record<string, string>,
  [command, ...words]: readonly [string, ...string[]] = [process.execPath, script],
  folder = root,
): Started {
  const child = spawn(command, words, {
    cwd: folder,
    // A group of its own, as a terminal makes one: a negative id reaches the shell and npm, too.
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      // Most of a start would be compiling the same sources again.
      NODE_COMPILE_CACHE: COMPILED,
      DATABASE_URL: path.join(temporaryFolder('pizza-main'), 'with space', 'main.db'),
      HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const toGroup = (signal: NodeJS.Signals) => process.kill(-child.pid!, signal);
  leftovers.push(() => {
    try {
      toGroup('SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  });
  let said = '';
  let ready: (url: string) => void;
  const url = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const hear = (chunk: Buffer) => {
    said += chunk.toString();
    const port = /http:\/\/localhost:(\d+)\/ /.exec(said)?.[1];
    if (port !== undefined) ready(`http://127.0.0.1:${port}`);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return {
    said: () => said,
    code: new Promise((resolve) => {
      child.once('close', resolve);
    }),
    kill: (signal) => {
      child.kill(signal);
    },
    killGroup: toGroup,
    url,
  };
}

describe('npm start', () => {
  /** A port that is taken as long as the test. */
  async function takenPort(): Promise<number> {
    const taken = createServer();
    await new Promise<void>((done) => {
      taken.listen(0, '127.0.0.1', done);
    });
    leftovers.push(() => taken.close());
    return (taken.address() as AddressInfo).port;
  }

  /** What production asks for, so that it starts. */
  const PRODUCTION = {
    ...{ NODE_ENV: 'production', SMS_URL: 'https://sms.example', EMBEDDED_VENDORS: 'on' },
    ...{ PUBLIC_ORIGIN: 'https://shop.example', DRAIN_SECONDS: '0' },
  };

  test('takes the next free port, is there for this machine alone, and goes at SIGTERM; production refuses its database', async () => {
    const port = await takenPort();
    const database = path.join(temporaryFolder('pizza-developed'), 'with space', 'shop.db');
    const server = start({ PORT: String(port), HOST: '', DATABASE_URL: database });
    const url = await server.url;
    expect(Number(new URL(url).port)).toBeGreaterThan(port);
    expect(server.said()).toContain(`Port ${port} is taken`);
    await expect.poll(async () => await (await fetch(`${url}/ready`)).json()).toMatchObject({ status: 'SUCCESS' });
    for (const path of ['/in/', '/in/gpay/', '/in/paytm/', '/lk/', '/bg/', '/openapi.json'])
      expect(server.said()).toContain(path);
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of [...others, { address: '127.0.0.2' }])
      await expect(fetch(`http://${address}:${new URL(url).port}/health`)).rejects.toThrow('fetch failed');
    server.kill('SIGTERM');
    expect(await server.code).toBe(0);
    const refused = start({ ...PRODUCTION, PORT: '0', DATABASE_URL: database });
    expect(await refused.code).toBe(1);
    expect(refused.said()).toMatch(/DATABASE_URL: this database was used for development.*a database of its own/);
  });

  test('in production a port that is named and taken ends the start', async () => {
    const port = await takenPort();
    const server = start({ ...PRODUCTION, PORT: String(port) });
    expect(await server.code).toBe(1);
    expect(server.said()).toContain(`PORT: port ${port} is taken`);
  });

  /** What a command of operators tells beside a server. */
  const commanded = (database: string, name: string, ...words: string[]) =>
    new Promise<string>((answer) => {
      execFile(
        process.execPath,
        [path.resolve(script, `../commands/${name}.ts`), ...words],
        { env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: database } },
        (_, out, err) => answer((out + err).trim()),
      );
    });

  test('a second server on the file of another is refused; commands switch a feature off and on beside the first [CFG-X03]', async () => {
    const database = path.join(temporaryFolder('pizza-served'), 'shop.db');
    const other = path.join(temporaryFolder('pizza-linked'), 'other.db');
    const own = { ...PRODUCTION, PORT: '0', DATABASE_URL: database };
    const first = start(own);
    const url = await first.url;
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
    const told = (...words: string[]) => commanded(database, 'features', ...words);
    const ask = (where: string) => fetch(`${url}${where}`, { headers: { api_key: 'in-web' } });
    const off = async () =>
      ((await (await ask('/api/ve1/app-config')).json()) as { config: { features: string } }).config.features;
    const shelf = async () => (await ask('/agg/ve1/leftnav/store/10101/offers')).status;
    expect(await shelf()).toBe(200);
    expect(await told('--off', 'offers')).toBe('Off: offers');
    await expect.poll(off).toContain('offers');
    await expect.poll(shelf).toBe(403);
    expect(await told('--off', 'nothing')).toMatch(/^features: nothing is called nothing; there are .*offers/);
    expect(await told('--on', 'offers')).toBe('Nothing is switched off.');
    await expect.poll(shelf).toBe(200);
    symlinkSync(database, other);
    const [second, linked] = [database, other].map((file) => start({ ...own, DATABASE_URL: file }));
    expect(await commanded(database, 'backup', '--to', `${database}.backup`)).toMatch(/^\d+ rows /);
    expect(await second!.code).toBe(1);
    expect(second!.said()).toContain(
      `DATABASE_URL: '${database}' is served already, and a file of SQLite has one server. Stop the other one first, or have a PostgreSQL for several (postgres://...).`,
    );
    expect(await linked!.code).toBe(1);
    expect(linked!.said()).toContain(`DATABASE_URL: '${other}' is served already`);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    // One that was killed leaves it, and one that is stopped, to whoever waits for it.
    const next = start(own);
    first.kill('SIGKILL');
    expect((await fetch(`${await next.url}/ready`)).status).toBe(200);
    const last = start(own);
    next.kill('SIGTERM');
    expect((await fetch(`${await last.url}/ready`)).status).toBe(200);
  });

  test.runIf(usable.includes('postgres'))('several servers may have one PostgreSQL', async () => {
    const first = await startServer({ engine: 'postgres', settings: { isAlone: true } });
    const second = await startServer({ database: first.database, settings: { isAlone: true } });
    expect((await fetch(`${second.url}/ready`)).status).toBe(200);
    await second.stop();
    await first.stop();
  });

  type Wrong = [name: string, environment: Record<string, string>];
  // One for each place where a start finds out: the environment's table, the address, a file, a database that is away.
  const WRONG: readonly Wrong[] = [
    ['HOST', { HOST: '192.0.2.200', NODE_ENV: 'development' }],
    ["PORT must be a port number, 0 to 65535 (it is 'abc')", { PORT: 'abc' }],
    [`DATABASE_URL_BG '${broken}'`, { DATABASE_URL_BG: broken }],
    [
      "DATABASE_URL_LK 'postgres://nobody:...@127.0.0.1:9/none'",
      { DATABASE_URL_LK: 'postgres://nobody:secret@127.0.0.1:9/none' },
    ],
  ];
  const ALIKE: readonly Wrong[] = [
    ['METRICS_HOST: 256.1.1.1', { METRICS_HOST: '256.1.1.1', METRICS_PORT: '0' }],
    ['HOST', { HOST: '0.0.0.0' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }],
    ['DATABASE_URL', { DATABASE_URL: script }],
    ["HOST: '256.1.1.1'", { HOST: '256.1.1.1', NODE_ENV: 'development' }],
    ["HOST: 'no.host.invalid'", { HOST: 'no.host.invalid', NODE_ENV: 'development' }],
    [
      "DATABASE_URL 'postgres://nobody:...@no.host.invalid/none'",
      { DATABASE_URL: 'postgres://nobody:secret@no.host.invalid/none' },
    ],
    [`DATABASE_URL '${broken}'`, { DATABASE_URL: broken }],
  ];
  test.each(sample([...WRONG, ...ALIKE], WRONG))(
    'a wrong %s is named and nothing starts (%o)',
    async (name, environment) => {
      const server = start({ PORT: '0', ...environment });
      expect(await server.code).toBe(1);
      expect(server.said()).toContain(name);
      expect(server.said()).not.toContain('ready');
      expect(server.said()).not.toMatch(/\n\s+at /);
    },
  );
});

/** The project as `npm start` finds it, with another build before the server: the real one takes a minute where nothing is built. */
function project(build: string): string {
  const folder = temporaryFolder('pizza-start');
  copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  for (const name of ['src', 'hosts', 'country', 'node_modules'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  writeFileSync(path.join(folder, 'build.mjs'), build);
  return folder;
}
const npmStart = (build: string) => start({ PORT: '0' }, ['npm', 'start'], project(build));

describe('a signal to npm', () => {
  const SIGNALS = [
    ['SIGTERM to npm alone', 'SIGTERM', 'kill'],
    ['Ctrl+C of a terminal, which npm hears and passes on, too', 'SIGINT', 'killGroup'],
    ['SIGINT to npm alone', 'SIGINT', 'kill'],
    ['SIGTERM to all of the group', 'SIGTERM', 'killGroup'],
  ] as const;
  test.each(sample(SIGNALS, SIGNALS.slice(0, 2)))(
    '%s: the server answers the call that it has, ends, and leaves its port',
    async (_, signal, by) => {
      const npm = npmStart('console.log("Built.");');
      const { port } = new URL(await npm.url);
      const body = '{}';
      const call = connect(Number(port), '127.0.0.1');
      leftovers.push(() => call.destroy());
      let heard = '';
      call.on('data', (chunk: Buffer) => {
        heard += chunk.toString();
      });
      const closed = new Promise((done) => call.once('close', done));
      call.write(
        `POST /loginhandler/guest HTTP/1.1\r\nhost: x\r\napi_key: in-web\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
      );
      // The server has the call, and waits for the rest of it.
      await expect.poll(() => heard).toContain('100 Continue');
      npm[by](signal);
      const isTaken = () =>
        fetch(`http://127.0.0.1:${port}/health`, { headers: { connection: 'close' } }).then(
          () => true,
          () => false,
        );
      await expect.poll(isTaken).toBe(false);
      call.write(body);
      await closed;
      expect(heard).toMatch(/HTTP\/1\.1 [2-4]\d\d /);
      // Nobody writes any more: what npm started has ended with it.
      await npm.code;
    },
  );

  test('while the bundles are built, all of it ends and nothing is served', async () => {
    const npm = npmStart('console.log(`BUILDS ${process.pid}`); setInterval(() => {}, 1000);');
    await expect.poll(() => /BUILDS (\d+)/.exec(npm.said())?.[1]).toBeTruthy();
    const pid = Number(/BUILDS (\d+)/.exec(npm.said())![1]);
    npm.kill('SIGTERM');
    await npm.code;
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(npm.said()).not.toContain('ready');
  });

  test('a build that fails is the end of the start', async () => {
    const npm = npmStart('process.exit(3);');
    expect(await npm.code).toBe(3);
    expect(npm.said()).not.toContain('ready');
  });
});
