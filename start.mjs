// `npm start`: builds what changed, then becomes the server (`node` with the arguments of this script). The shell that
// npm asks has become this script before (`exec`), so a signal to npm reaches the server: a shell in between keeps it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Resolves with the exit code of a child that gets the signals of this process. */
function run(args) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

const code = await run([fileURLToPath(new URL('build.mjs', import.meta.url))]);
if (code !== 0) process.exit(code);
const server = process.argv.slice(2);
// Windows has no exec (there exec.cmd stands for the shell's, too); its consoles tell every process that they end.
if (process.platform === 'win32') process.exit(await run(server));
process.execve(process.execPath, [process.execPath, ...server], process.env);
