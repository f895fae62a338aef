// npm run catalogue [-- --country in]: which changes there are. -- --country in --check FILE: what is wrong with one;
// --diff FILE: what it would change; --apply FILE [--from 2026-12-01T06:00]: changes it, now or then (the country's own
// time); --back 3, --back last: takes one back. --by NAME: who does it, where it is not the user of this machine.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { countries } from '../../../country/index.ts';
import { changeLines, makeChange, previewChange, takeBack } from '../rules/catalogue/changes.ts';
import { isDay } from '../rules/catalogue/problems.ts';
import { instantOf } from '../rules/offers/windows.ts';
import { command, inEach } from './command.ts';

const OPTIONS = {
  check: 'string',
  diff: 'string',
  apply: 'string',
  back: 'string',
  from: 'string',
  by: 'string',
} as const;

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

await command(
  process.env,
  'catalogue',
  null,
  async ({ given, database, databases }) => {
    const text = (name: keyof typeof OPTIONS | 'country') => given[name]?.toString();
    const code = text('country')?.toUpperCase();
    const own = countries.filter(({ COUNTRY_CODE }) => code === undefined || COUNTRY_CODE === code);
    const [country, other] = own;
    if (country === undefined) throw new Error(`there is no country ${code}`);
    const asked = (['check', 'diff', 'apply', 'back'] as const).filter((name) => text(name) !== undefined);
    if (asked.length > 1) throw new Error(`one thing at a time: ${asked.map((name) => `--${name}`).join(' or ')}`);
    const [what] = asked;
    if (what === undefined) {
      const lists = await inEach(code === undefined ? databases : [database()], async (db) =>
        (await Promise.all(own.map((one) => changeLines(db, one)))).flat(),
      );
      return [...new Set(lists.flat())].join('\n') || 'Nothing is changed: all is as the release has it.';
    }
    if (other !== undefined) throw new Error('in which country? --country IN');
    const by = text('by') ?? os.userInfo().username;
    const from = text('from');
    if (from !== undefined && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(from) && isDay(from)))
      throw new Error(`--from ${from} is no moment: 2026-12-01T06:00, in the country's own time`);
    if (from !== undefined && what === 'back') throw new Error('a change is taken back at once: --back without --from');
    const startsAt = from === undefined ? null : instantOf(from, country.timeZone);
    const file = text(what)!;
    const [said = ''] = await inEach([database()], async (db) => {
      if (what === 'back') {
        if (file !== 'last' && !/^[1-9]\d*$/.test(file)) throw new Error('which change? --back 3, or --back last');
        const { number, left } = await takeBack(db, country, file === 'last' ? 'last' : Number(file), by);
        const outside = left.map((one) => `Change ${one.number} is left out: ${one.problems.join('; ')}`);
        return [`Change ${number} is taken back.`, ...outside].join('\n');
      }
      const body = read(file);
      if (what === 'apply') {
        const { number, lines } = await makeChange(db, country, body, { by, from: startsAt });
        return [`Change ${number}, ${from === undefined ? 'from now on' : `from ${from} on`}:`, ...lines].join('\n');
      }
      const lines = await previewChange(db, country, body, startsAt);
      if (what === 'diff') return lines.join('\n') || 'It changes nothing.';
      return `It can be applied: ${lines.length} ${lines.length === 1 ? 'value differs' : 'values differ'}.`;
    });
    return said;
  },
  OPTIONS,
);
