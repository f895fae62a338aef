// `npm start`: builds what changed, then becomes the server (`node` with the arguments of this script). The shell that
// npm asks has become this script before (`exec`), so a signal to npm reaches the server: a shell in between keeps it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Resolves with the exit code of a child that gets the signals of this process. */
function run(args) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

// npm runs its scripts in the project's folder.
const code = await run(['build.mjs']);
if (code !== 0) process.exit(code);
const server = process.argv.slice(2);
// Windows has no exec (there the script's second command is run); its consoles tell every process that they end.
if (process.platform === 'win32') process.exit(await run(server));
process.execve(process.execPath, [process.execPath, ...server], process.env);
