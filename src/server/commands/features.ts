// npm run features: what is switched off for everybody. npm run features -- --off wallet: off from now on, without a release; --on wallet: on again.
import { countries } from '../../../country/index.ts';
import { featureName, MINI_APP_BLOCKED, remoteBlocked } from '../../domain/features.ts';
import { changeSwitches, readSwitches } from '../store/switches.ts';
import type { Root } from '../store/db.ts';
import { command, inEach } from './command.ts';

/** By normalised name, how each feature is written that a page or a call can be without. */
const NAMES = new Map(
  [...MINI_APP_BLOCKED, ...countries.flatMap(({ DISABLED_FEATURES }) => DISABLED_FEATURES), 'groupOrder'].map(
    (name) => [featureName(name), name] as const,
  ),
);

/** Switches one feature in one database. @returns all that are off there then */
async function switched(db: Root, name: string, isOn: boolean): Promise<readonly string[]> {
  const { features = '' } = await changeSwitches(db, (now) => {
    const off = new Set(remoteBlocked(now.features ?? '').map(featureName));
    if (isOn) off.delete(featureName(name));
    else off.add(featureName(name));
    const list = [...off].map((one) => ({ name: NAMES.get(one) ?? one, value: 'D' }));
    return { ...now, features: JSON.stringify({ features: list }) };
  });
  return remoteBlocked(features);
}

const OPTIONS = { off: 'string', on: 'string' } as const;
await command(
  process.env,
  'features',
  null,
  async ({ databases, given, database }) => {
    const [off, on] = [given['off']?.toString(), given['on']?.toString()];
    const name = off ?? on;
    const targets = given['country'] === undefined ? databases : [database()];
    if (name !== undefined && !NAMES.has(featureName(name)))
      throw new Error(`nothing is called ${name}; there are ${[...new Set(NAMES.values())].toSorted().join(', ')}`);
    const lists = await inEach(targets, async (db) =>
      name === undefined
        ? remoteBlocked((await readSwitches(db)).features ?? '')
        : await switched(db, name, on !== undefined),
    );
    const all = [...new Set(lists.flat())];
    return all.length === 0 ? 'Nothing is switched off.' : `Off: ${all.join(', ')}`;
  },
  OPTIONS,
);
