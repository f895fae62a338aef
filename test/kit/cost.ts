import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

// What each file costs in CPU seconds, its servers included: written down for `npm test`, which names the costliest (run.ts).

/** CPU seconds of a process and of its children that have ended (proc(5), in hundredths of a second behind the name). */
function secondsOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / 100;
}
/** Of this process and all below it; zero on systems that do not count like this. */
function seconds(): number {
  try {
    const below = readdirSync('/proc/self/task').flatMap((task) =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return ['self', ...below].reduce((sum, pid) => sum + secondsOf(pid), 0);
  } catch {
    return 0;
  }
}

const log = process.env['COST_LOG'];
if (log) {
  const before = seconds();
  // Of files that share a process, `expect` knows the first only.
  afterAll(({}, { file }) => {
    appendFileSync(log, `${JSON.stringify({ file: file.filepath, seconds: seconds() - before })}\n`);
  });
}
