// npm run experiments: all of them. -- --results KEY, --start KEY, --stop KEY, --restart KEY [--country IN];
// --create KEY --country IN --variations s:50,u:50 [--traffic 100] [--base 10] [--effect 2], in percent.
import { countries } from '../../../country/index.ts';
import { campaignList, createCampaign, withCampaigns } from '../rules/experiments/run.ts';
import { command, inEach } from './command.ts';

const OPTIONS = {
  create: 'string',
  start: 'string',
  stop: 'string',
  restart: 'string',
  results: 'string',
  variations: 'string',
  traffic: 'string',
  base: 'string',
  effect: 'string',
} as const;

await command(
  process.env,
  'experiments',
  null,
  async (around) => {
    const text = (name: keyof typeof OPTIONS | 'country') => around.given[name]?.toString();
    const country = text('country')?.toUpperCase();
    const codes = country === undefined ? countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE) : [country];
    const created = text('create');
    if (created !== undefined) {
      if (country === undefined) throw new Error('in which country? --country IN');
      const typed = {
        variations: text('variations'),
        traffic: text('traffic'),
        base: text('base'),
        effect: text('effect'),
      };
      return (await inEach([around.database()], (db) => createCampaign(db, country, created, typed))).join('\n');
    }
    const act = (['start', 'stop', 'restart', 'results'] as const).find((name) => text(name) !== undefined);
    if (act === undefined)
      return (await inEach(around.databases, (db) => campaignList(db, codes))).flat().join('\n') || 'There are none.';
    const key = text(act)!;
    const told = (await inEach(around.databases, (db) => withCampaigns(db, codes, key, act))).flat().join('\n');
    if (told === '') throw new Error(`there is no experiment ${key}${country === undefined ? '' : ` in ${country}`}`);
    return told;
  },
  OPTIONS,
);
