// From the command of the README to the first answered page.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median, root } from './numbers.ts';

const POLL_MS = 10;
const GIVE_UP_MS = 60_000;

async function once(port: number): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-start-'));
  const env = { ...process.env, PORT: String(port), DATABASE_URL: path.join(folder, 'pizza.db') };
  const started = performance.now();
  // A group of its own, so that npm and what it started end together.
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  try {
    for (;;) {
      if (performance.now() - started > GIVE_UP_MS || child.exitCode !== null)
        throw new Error('npm start did not answer.');
      const status = await fetch(`http://127.0.0.1:${port}/in/gpay/menu`).then(
        (reply) => reply.text().then(() => reply.status),
        () => 0,
      );
      if (status === 200) return performance.now() - started;
      await new Promise<void>((done) => {
        setTimeout(done, POLL_MS);
      });
    }
  } finally {
    const ended = new Promise<void>((done) => {
      child.once('exit', () => done());
    });
    if (child.exitCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function benchStart({ rounds }: { rounds: number }): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await once(20_000 + ((process.pid + round * 7) % 20_000)));
  console.log(
    `\nnpm start to the first answered page, built before, new database: median ${median(times).toFixed(0)} ms of ${times.map((time) => time.toFixed(0)).join(', ')}`,
  );
}
