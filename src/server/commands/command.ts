import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { secretsIn, server } from '../environment.ts';
import { HOSTS, hostSettings, loadHosts } from '../rules/hosts/hosts.ts';

/** The environment that all commands of operators share. */
export interface Around {
  /** As DATABASE_URL. */
  readonly database: string;
  /** Whether the database is there; of PostgreSQL the first query tells. */
  readonly isThere: boolean;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Runs a command of an operator, tells what went wrong in one line, and ends the process.
 * @param values the environment
 * @param fileOption the option that names a file, without which nothing is done; null when there is none
 */
export async function command(
  values: Readonly<Record<string, string | undefined>>,
  name: string,
  fileOption: string | null,
  work: (around: Around, file: string, mayReplace: boolean) => Promise<string>,
): Promise<never> {
  try {
    const { values: given } = parseArgs({
      options: { replace: { type: 'boolean' }, ...(fileOption === null ? {} : { [fileOption]: { type: 'string' } }) },
    }) as { values: Record<string, string | boolean | undefined> };
    const file = fileOption === null ? '' : given[fileOption];
    if (typeof file !== 'string') throw new Error(`which file? npm run ${name} -- --${fileOption} FILE`);
    await loadHosts([HOSTS]);
    const problems: string[] = [];
    const read = server.check(values, problems);
    if (read === null) throw new Error(problems.join('\n'));
    const database = read.value.database ?? fileURLToPath(new URL('../../../dist/data/pizza.db', import.meta.url));
    const around = {
      database,
      isThere: /^postgres(ql)?:/.test(database) || existsSync(database),
      secrets: secretsIn(values, hostSettings()),
    };
    console.log(await work(around, file, given['replace'] === true));
    process.exit(0);
  } catch (error) {
    console.error(`${name}: ${(error as Error).message || String(error)}`);
    process.exit(1);
  }
}
