// npm run stores [-- --country in]: all of them, and what is sold out there. -- --offline 10101, --online 10101: takes no
// orders for now, takes them again. --sold-out 10101:PZ004, --available 10101:PZ004: a dish. --tell 10101:rain, --untell
// 10101:rain: an alert of the catalogue. Several with commas.
import { countries } from '../../../country/index.ts';
import { changeStores, checkWishes, knownStores, storeLines, wishesIn } from '../rules/shopfront/standing.ts';
import { command, inEach } from './command.ts';

const OPTIONS = {
  offline: 'string',
  online: 'string',
  'sold-out': 'string',
  available: 'string',
  tell: 'string',
  untell: 'string',
} as const;
await command(
  process.env,
  'stores',
  null,
  async ({ databases, given, database }) => {
    const text = (name: keyof typeof OPTIONS | 'country') => given[name]?.toString();
    const country = text('country')?.toUpperCase();
    const targets = country === undefined ? databases : [database()];
    const codes = country === undefined ? countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE) : [country];
    const wishes = wishesIn({
      offline: text('offline'),
      online: text('online'),
      soldOut: text('sold-out'),
      available: text('available'),
      tell: text('tell'),
      untell: text('untell'),
    });
    const known = (await inEach(targets, (db) => knownStores(db, codes))).flat();
    if (wishes.length === 0) return storeLines(known).join('\n') || 'There are none: no server has used this database.';
    // Before the first change: after a mistake none is made, in no database.
    checkWishes(known, wishes);
    return (await inEach(targets, async (db) => changeStores(db, await knownStores(db, codes), wishes)))
      .flat()
      .join('\n');
  },
  OPTIONS,
);
