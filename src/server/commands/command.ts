import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { databasesAsked, secretsIn } from '../environment.ts';
import { openDb, type Root } from '../store/db.ts';
import { environmentWith, HOSTS, hostSettings } from '../rules/hosts/hosts.ts';

/** The environment that all commands of operators share. */
export interface CommandContext {
  /** As DATABASE_URL: the one database that is meant. @throws Error where there are several, and no `--country` */
  database(): string;
  /** All of them, where countries have databases of their own. */
  readonly databases: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  /** The options that were typed. */
  readonly given: Readonly<Record<string, string | boolean | undefined>>;
}

/**
 * Runs a command of an operator, tells what went wrong in one line, and ends the process.
 * @param values the environment
 * @param more its own options
 * @param fileOption the option that names a file, without which nothing is done; null when there is none
 */
export async function command(
  values: Readonly<Record<string, string | undefined>>,
  name: string,
  fileOption: string | null,
  work: (around: CommandContext, file: string, mayReplace: boolean) => Promise<string>,
  more: Readonly<Record<string, 'string' | 'boolean'>> = {},
): Promise<never> {
  try {
    const { values: given } = parseArgs({
      options: {
        replace: { type: 'boolean' },
        country: { type: 'string' },
        ...Object.fromEntries(Object.entries(more).map(([option, type]) => [option, { type }])),
        ...(fileOption === null ? {} : { [fileOption]: { type: 'string' } }),
      },
    }) as { values: Record<string, string | boolean | undefined> };
    const file = fileOption === null ? '' : given[fileOption];
    if (typeof file !== 'string') throw new Error(`which file? npm run ${name} -- --${fileOption} FILE`);
    // Commands need the databases alone, none of production's other settings.
    const environment = await environmentWith([HOSTS], { ...values, NODE_ENV: 'development' });
    const asked = databasesAsked(environment, fileURLToPath(new URL('../../../dist/data/pizza.db', import.meta.url)));
    const country = given['country']?.toString().toUpperCase();
    const around: CommandContext = {
      database() {
        const [one, other] = asked.filter(({ countries }) => country === undefined || countries.includes(country));
        if (one === undefined) throw new Error(`there is no country ${country}`);
        if (other !== undefined) throw new Error('countries have databases of their own: which one? --country IN');
        return one.target;
      },
      databases: asked.map(({ target }) => target),
      secrets: secretsIn(values, hostSettings()),
      given,
    };
    console.log(await work(around, file, given['replace'] === true));
    process.exit(0);
  } catch (error) {
    console.error(`${name}: ${(error as Error).message || String(error)}`);
    process.exit(1);
  }
}

/** Does something in one database after another. @returns what each answered */
export async function inEach<T>(targets: readonly string[], work: (db: Root) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const target of targets) {
    const { db } = await openDb(target);
    try {
      found.push(await work(db));
    } finally {
      await db.destroy();
    }
  }
  return found;
}
