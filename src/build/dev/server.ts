import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../bundles.ts';
import { checkSyntax, type Files, type Part } from './parts.ts';

export interface Server extends Part {
  /** Ends the process; settles when it is gone. */
  stop(): Promise<void>;
}

/** What the server reads from the disk: no import names it. */
const READ = /^country\/.*\.json$|^src\/text\/(?!made\/|en\/)[^/]+\/(?:build|documents|errors|orders|server)\.json$/;

/** The sources that the server imports. @throws BuildFailure if one of them cannot be found or read */
async function imported(): Promise<Files> {
  const inEach = (folder: string, file: string) =>
    readdirSync(path.join(root, folder))
      .map((name) => path.join(root, folder, name, file))
      .filter(existsSync);
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      path.join(root, 'src/server/main.ts'),
      ...inEach('hosts', 'server.ts'),
      ...inEach('country', 'index.ts'),
    ],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'silent',
    outdir: root,
  });
  return new Set(Object.keys(metafile.inputs));
}

const READ_AFTER_MS = 1_000;

interface Ready {
  readonly port: number;
}

/** The server as a process, started anew for every change of what it is made from, at the port where it was. */
export function server(dist: string): Server {
  let child: ChildProcess | null = null;
  let port: number | null = null;
  let inputs: Files = new Set();
  let reading: NodeJS.Timeout | undefined;

  const read = () =>
    imported().then(
      (files) => {
        inputs = files;
      },
      // The server has read them a moment ago: the next change tells.
      () => {},
    );
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    const old = isRunning() ? child : null;
    child = null;
    if (old === null) return;
    const gone = new Promise((done) => old.once('exit', done));
    // At once: pages that follow the changes would keep a server open that finishes its requests, and what it has answered is
    // in its database.
    old.kill('SIGKILL');
    await gone;
  };

  const start = () =>
    new Promise<void>((resolve, reject) => {
      const isAgain = port !== null;
      const flags = [
        '--env-file-if-exists=.env',
        path.join(root, 'src/server/main.ts'),
        ...(isAgain ? ['--again'] : []),
      ];
      const own = spawn(process.execPath, flags, {
        cwd: root,
        // The channel closes with this process, however it ends, and then the server ends too.
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: {
          ...process.env,
          NODE_ENV: 'development',
          // What Node compiled at the last start: the next takes half the time.
          NODE_COMPILE_CACHE: path.join(dist, '.modules'),
          ...(isAgain ? { PORT: String(port) } : {}),
        },
      });
      child = own;
      let isReady = false;
      own.once('message', (ready) => {
        ({ port } = ready as Ready);
        isReady = true;
        resolve();
      });
      own.once('error', reject);
      own.once('exit', (code, signal) => {
        const error = new Error(`The server has ended (${signal ?? code}) and starts again with the next edit.`);
        if (isReady && child === own) console.error(error.message);
        reject(error);
      });
    });

  return {
    name: 'server',
    isMadeFrom: (changed) => !isRunning() || [...changed].some((file) => inputs.has(file) || READ.test(file)),
    async make(changed) {
      await checkSyntax([...changed].filter((file) => inputs.has(file)));
      const isFirst = port === null;
      clearTimeout(reading);
      await stop();
      await start();
      if (isFirst) await read();
      // The page that loads now goes first.
      else reading = setTimeout(() => void read(), READ_AFTER_MS);
    },
    stop,
  };
}
