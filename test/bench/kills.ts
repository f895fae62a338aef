// One order and one charge, whenever the page or the server is killed: all 72 points, and every commit of the calls that move money.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './numbers.ts';

export function benchKills(): void {
  console.log('\nKilled at every step: each point by its name');
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'test/vitest.config.ts',
      '--reporter',
      'verbose',
      'test/state/kills.test.ts',
      'test/state/serverkills.test.ts',
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, KILLS: 'all' } },
  );
  if (status !== 0) process.exitCode = 1;
}
