import { countries } from '../../../../country/index.ts';
import { transact, type Root } from '../../store/db.ts';
import {
  addCampaign,
  moveCampaign,
  renameCampaign,
  type CampaignBody,
  type KnownCampaign,
} from '../../store/experiments.ts';
import { now } from '../../store/system.ts';
import { GOALS, planFor } from './campaigns.ts';
import { allCampaigns, lineOf, resultsOf, resultText } from './results.ts';

// Commands of operators for experiments, with answers in words.

/** What is typed to create a campaign. */
export interface NewCampaign {
  /** `s:50,u:50`, the control first: names with weights that are 100 together. */
  readonly variations: string | undefined;
  readonly traffic: string | undefined;
  /** Percent of visitors who order, and by how many points a variation would change it. */
  readonly base: string | undefined;
  readonly effect: string | undefined;
}

function variationsIn(text: string | undefined): CampaignBody['variations'] {
  const parts = (text ?? '').split(',').map((part) => /^([^:,]{1,60}):(\d{1,3}(?:\.\d{1,2})?)$/.exec(part.trim()));
  if (parts.length < 2 || parts.some((part) => part === null))
    throw new Error('--variations NAME:WEIGHT,NAME:WEIGHT, the control first: s:50,u:50');
  const found = parts.map((part, index) => ({ id: index + 1, name: part![1]!, weight: Number(part![2]), changes: {} }));
  const sum = found.reduce((all, { weight }) => all + weight, 0);
  if (Math.abs(sum - 100) > 0.01) throw new Error(`the weights of --variations are 100 together, not ${sum}`);
  if (new Set(found.map(({ name }) => name)).size < found.length) throw new Error('each variation has its own name');
  return found;
}

function numberIn(text: string | undefined, name: string, otherwise: number, most: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0 && value <= most)) throw new Error(`--${name} is a number above 0, at most ${most}`);
  return value;
}

/** Creates a campaign in a country; it begins when it is started. @throws Error that says what is wrong */
export async function createCampaign(db: Root, country: string, key: string, typed: NewCampaign): Promise<string> {
  if (!countries.some(({ COUNTRY_CODE }) => COUNTRY_CODE === country))
    throw new Error(`there is no country ${country}`);
  if (!/^[\w.-]{1,80}$/.test(key)) throw new Error('the name of an experiment has letters, digits, _ . and -');
  const plan = planFor(country);
  const base = numberIn(typed.base, 'base', plan.base * 100, 99) / 100;
  const effect = numberIn(typed.effect, 'effect', plan.effect * 100, 99 - base * 100) / 100;
  const body: CampaignBody = {
    name: key,
    type: 'VISUAL_AB',
    percentTraffic: numberIn(typed.traffic, 'traffic', 100, 100),
    goals: [...GOALS],
    variations: variationsIn(typed.variations),
    segments: {},
    isBucketingSeedEnabled: true,
    plan: { ...plan, base, effect },
  };
  const known = await allCampaigns(db, [country]);
  const id = Math.max(0, ...known.map((one) => one.id)) + 1;
  if (!(await addCampaign(db, { country, id, key, body }, await now(db))))
    throw new Error(`${country} has an experiment ${key} already`);
  return `${country}  ${key} is created. npm run experiments -- --start ${key} --country ${country} begins it.`;
}

/**
 * Begins a stopped campaign anew, under an id of its own: by that every visitor is drawn anew, whatever a device keeps,
 * and counted anew. The run before stays under `key.1`, the next under `key.2`. @throws Error that says what is wrong
 */
async function restart(db: Root, campaign: KnownCampaign): Promise<string> {
  const { country, key, id: _id, status, startedAt: _from, stoppedAt: _to, ...body } = campaign;
  if (status !== 'STOPPED') throw new Error(`${key} in ${country} is ${status}: only a stopped one begins anew`);
  const at = await now(db);
  const next = Math.max(...(await allCampaigns(db, [country])).map((one) => one.id)) + 1;
  return await transact(db, async (tx) => {
    let run = 1;
    while (!(await renameCampaign(tx, campaign, `${key}.${run}`))) run += 1;
    await addCampaign(tx, { country, id: next, key, body }, at);
    await moveCampaign(tx, { country, id: next }, 'RUNNING', at);
    return `${lineOf({ ...campaign, status: 'RUNNING', startedAt: at, stoppedAt: null })}; its run before is ${key}.${run}`;
  });
}

/** Starts, stops, begins anew or tells of the campaigns with this key. [] where this database has none of them. */
export async function withCampaigns(
  db: Root,
  codes: readonly string[],
  key: string,
  act: 'start' | 'stop' | 'restart' | 'results',
): Promise<string[]> {
  const told: string[] = [];
  for (const campaign of (await allCampaigns(db, codes)).filter((one) => one.key === key)) {
    if (act === 'results') {
      told.push(resultText(await resultsOf(db, campaign)));
      continue;
    }
    if (act === 'restart') {
      told.push(await restart(db, campaign));
      continue;
    }
    const [to, at] = [act === 'start' ? ('RUNNING' as const) : ('STOPPED' as const), await now(db)];
    if (await moveCampaign(db, campaign, to, at))
      told.push(lineOf({ ...campaign, status: to, ...(act === 'start' ? { startedAt: at } : { stoppedAt: at }) }));
    else
      throw new Error(
        `${key} in ${campaign.country} is ${campaign.status}: it cannot be ${act === 'start' ? 'started' : 'stopped'}`,
      );
  }
  return told;
}

/** All campaigns, a line each. */
export const campaignList = async (db: Root, codes: readonly string[]): Promise<string[]> =>
  (await allCampaigns(db, codes)).map(lineOf);
