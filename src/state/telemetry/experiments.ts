import { atom, type Getter, type Setter } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../../contract/experiments.ts';
import { logFault } from '../../bridge/logFault.ts';
import { withTimeout } from '../../domain/withTimeout.ts';
import { launch, loadSettings, type Client } from '../../domain/experiments/launch.ts';
import type { StorageService } from '../../domain/experiments/decide.ts';
import type { Transport } from '../../domain/experiments/transport.ts';
import { explain } from '../../domain/experiments/explain.ts';
import { settingsFrom, type Campaign, type Settings } from '../../domain/experiments/settings.ts';
import {
  bucketOf,
  chosenOf,
  decidedOf,
  lookOf,
  SESSION_ACTIVATION_MS,
  type CampaignDecision,
} from '../../domain/experiments/split.ts';
import { CARDS, otherVariantsAtom } from './abVariant.ts';
import { isUsageAgreedAtom, isUsageRefusedAtom } from '../consent/consents.ts';
import { enqueueExperimentAtom } from './telemetryOutbox.ts';
import { appConfigAtom } from '../first/config.ts';
import { forgetters } from '../first/lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { cardLookAtom } from '../first/menu.ts';
import { apiAtom } from '../first/seams.ts';
import { queryParamsAtom } from '../base/path.ts';

/** The last settings that were whole: a page decides by them, and never waits. They are the shop's, and say nothing of who is here. */
const settingsKeptAtom = kept<unknown>({
  key: 'experiment-settings',
  schema: z.unknown(),
  initial: null,
  forget: 'never',
});

/** What this device was shown, so that it stays: who is behind it is not in here. */
const Row = z.object({
  variationName: z.string(),
  /** Of the campaign: one that was begun anew decides anew. */
  version: z.string(),
  at: z.number(),
  goalIdentifier: z.optional(z.string()),
});
type Rows = Readonly<Record<string, z.output<typeof Row>>>;
const NO_ROWS: Rows = {};
const rowsAtom = kept<Rows>({
  key: 'experiment-rows',
  schema: z.record(z.string(), Row),
  initial: NO_ROWS,
  forget: 'never',
  optional: true,
});

const newVisitor = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);
/** The numeric id of this visitor (specification section 4). It is stored only with consent, and lasts through a login. */
const visitorKeptAtom = kept<string>({
  key: 'experiment-visitor',
  schema: z.string(),
  initial: '',
  forget: 'logout',
  optional: true,
});
const pageVisitorAtom = atom(newVisitor());
forgetters.add((set) => set(pageVisitorAtom, newVisitor()));
const visitorAtom = atom((get) => get(visitorKeptAtom) || get(pageVisitorAtom));
/** The stored test id modulo 100 (product.md C32). */
export const bucketAtom = atom((get) => bucketOf(get(visitorAtom)));

/** Keeps the visitor's id while that is agreed to, and forgets it and what it was given when it no longer is. */
export const keepVisitorAtom = atom(null, (get, set) => {
  if (get(isUsageRefusedAtom)) set(rowsAtom, NO_ROWS);
  if (!get(isUsageAgreedAtom)) set(visitorKeptAtom, '');
  else if (!get(visitorKeptAtom)) set(visitorKeptAtom, get(pageVisitorAtom));
});

/** Variations that a developer has asked for by link, by the campaign's key. Never in production. */
const forcedAtom = atom<Readonly<Record<string, string>>>({});
export const isForcingAtom = atom((get) => get(appConfigAtom)?.development === true);

/** The settings of this visit: what comes later is for the next one, because nothing changes while somebody reads. */
const settingsAtom = atom<{ readonly settings: Settings | null; readonly isKept: boolean } | null>(null);

const versionOf = ({ id, version = id }: Campaign): string => String(version);

function storageOf(get: Getter, set: Setter, settings: Settings | null): StorageService {
  const campaignOf = (key: string) => settings?.campaigns.find((one) => one.key === key);
  return {
    get: (userId, campaignKey) => {
      const row = get(rowsAtom)[campaignKey];
      const campaign = campaignOf(campaignKey);
      return row && campaign && row.version === versionOf(campaign) ? { userId, campaignKey, ...row } : null;
    },
    set: ({ campaignKey, variationName, goalIdentifier }) => {
      const campaign = campaignOf(campaignKey);
      if (!campaign || get(isUsageRefusedAtom)) return;
      const row = {
        variationName,
        version: versionOf(campaign),
        at: Date.now(),
        ...(goalIdentifier ? { goalIdentifier } : {}),
      };
      set(rowsAtom, (rows) => ({ ...rows, [campaignKey]: row }));
    },
  };
}

/** Events wait on the device until our own server has them, which is the service or passes them on (delivery.ts). */
const transportOf =
  (get: Getter, set: Setter): Transport =>
  async ({ method, body }) => {
    if (method === 'GET') return { status: 200, json: await get(apiAtom).call(contract.settings, { query: {} }) };
    for (const event of (body as { readonly ev: readonly contract.BatchEvent[] }).ev) set(enqueueExperimentAtom, event);
    return { status: 200 };
  };

function clientOf(get: Getter, set: Setter): Client {
  const { settings } = get(settingsAtom) ?? { settings: null };
  return launch({
    settingsFile: settings,
    userStorageService: storageOf(get, set, settings),
    transport: transportOf(get, set),
    batchEvents: { eventsPerRequest: 1 },
    logging: { level: 4, logger: { log: (_level, text) => logFault(new Error(text)) } },
    isDevelopmentMode: !get(isUsageAgreedAtom),
  });
}

/** What this visitor has of every campaign, and why. */
export const decisionsAtom = atom((get): readonly CampaignDecision[] => {
  const { settings } = get(settingsAtom) ?? {};
  if (!settings) return [];
  const [user, forced] = [get(visitorAtom), get(isForcingAtom) ? get(forcedAtom) : {}];
  const storage = storageOf(get, () => undefined as never, settings);
  return settings.campaigns.map((campaign) =>
    decidedOf(campaign, explain({ settings, storage }, campaign.key, user, {}), forced[campaign.key]),
  );
});
export const areSettingsKeptAtom = atom((get) => get(settingsAtom)?.isKept ?? false);
export const isAnyForcedAtom = atom((get) => get(decisionsAtom).some(({ isForced }) => isForced));
/** False until this visit's settings are there, or are known not to come. */
export const isDecidedAtom = atom((get) => get(settingsAtom) !== null);

/** How a dish is to look from the next page on. */
export const decidedLookAtom = atom((get) => (get(isDecidedAtom) ? lookOf(chosenOf(get(decisionsAtom), CARDS)) : null));
/** It is forced, so it is shown at once. */
export const isLookForcedAtom = atom((get) =>
  get(decisionsAtom).some(({ key, isForced }) => key === CARDS && isForced),
);

export const takeLookAtom = atom(null, (get, set) => {
  const look = get(decidedLookAtom);
  if (look !== null && look !== get(cardLookAtom)) set(cardLookAtom, look);
});

/** The header of every call beside the menu's look. The bucket leads to a visitor, so it needs consent. */
export const tellVariantsAtom = atom(null, (get, set) => {
  const others = get(decisionsAtom).flatMap(({ key, value }) => (key === CARDS || !value ? [] : [`${key}:${value}`]));
  set(otherVariantsAtom, get(isUsageAgreedAtom) ? [...others, `bucket:${get(bucketAtom)}`] : others);
});

/** The page and its screen of experiments may both want them, while they are on their way. */
const activatingAtom = atom<{ readonly done: Promise<void> } | null>(null);
const decideAtom = atom(null, async (get, set): Promise<void> => {
  const held = get(settingsKeptAtom);
  // Fewer than four keys are the rest of something, not settings (specification section 9).
  const before = held !== null && Object.keys(held as object).length > 3 ? settingsFrom(held) : null;
  if (before) set(settingsAtom, { settings: before, isKept: true });
  const loading = loadSettings(transportOf(get, set), '', '').then((loaded) => {
    const settings = settingsFrom(loaded);
    // Of settings with a fault the last good ones stay.
    if (settings) set(settingsKeptAtom, loaded);
    else logFault(new Error('The settings of experiments did not come, or are none.'));
    return settings;
  });
  const settings = await withTimeout(loading, SESSION_ACTIVATION_MS).catch((thrown: unknown) => {
    // Logged only (specification section 8): a slow network is no fault of the page.
    console.error(thrown);
    return null;
  });
  if (!before) set(settingsAtom, { settings, isKept: false });
});

/**
 * Decides for this visit. With settings that are kept it does so at once and looks for newer ones for the next visit;
 * without any it waits 2 s for them. Where none come, nobody is in any experiment. Never rejects.
 */
export const activateAtom = atom(null, async (get, set): Promise<void> => {
  if (get(settingsAtom)) return;
  if (!get(activatingAtom)) set(activatingAtom, { done: set(decideAtom) });
  await get(activatingAtom)?.done;
});

const faultyAtom = atom<ReadonlySet<string>>(new Set<string>());
/** Campaigns that cannot be decided: each is logged once, and nobody is in it. */
export const logFaultsAtom = atom(null, (get, set) => {
  for (const { key, fault } of get(decisionsAtom)) {
    if (fault === undefined || get(faultyAtom).has(key)) continue;
    set(faultyAtom, (before) => new Set(before).add(key));
    logFault(fault);
  }
});

const exposedAtom = atom<ReadonlySet<string>>(new Set<string>());
/** The variation is on the screen: that, and not the decision, is what counts, once a visit. */
export const exposeAtom = atom(null, (get, set, key: string) => {
  const decided = get(decisionsAtom).find((one) => one.key === key);
  if (!decided?.value || decided.isForced) return;
  const isTold = get(isUsageAgreedAtom);
  if (get(exposedAtom).has(`${key} ${isTold}`)) return;
  set(exposedAtom, (before) => new Set(before).add(`${key} ${isTold}`));
  clientOf(get, set).activate(key, get(visitorAtom), { shouldTrackReturningUser: isTold });
});
/** Something that campaigns count was done. */
export const reachGoalAtom = atom(null, (get, set, goal: string) => {
  if (get(isUsageAgreedAtom)) clientOf(get, set).track(null, get(visitorAtom), goal);
});

/** `?exp=key:variation` of a developer; `?exp=` ends it. */
export const forceAtom = atom(null, (get, set) => {
  const wanted = get(queryParamsAtom)['exp'];
  if (wanted === undefined || !get(isForcingAtom)) return;
  const [key = '', variation = ''] = wanted.split(':');
  set(forcedAtom, key && variation ? (before) => ({ ...before, [key]: variation }) : {});
});
