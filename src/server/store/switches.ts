import type { Switches } from '../../contract/development.ts';
import type { Db } from './db.ts';
import { readSystem, replaceSwitches } from './system.ts';

const OFF: Switches = { bankOutcome: null, faults: [], offlineStores: [], soldOut: [] };
export type Fault = Switches['faults'][number];

let lastText = '';
let lastParsed: Switches = OFF;

/** The switches as they are stored in the database; the same text is parsed only once. */
export function parseSwitches(text: string): Switches {
  if (text === lastText) return lastParsed;
  lastParsed = { ...OFF, ...(JSON.parse(text) as Partial<Switches>) };
  lastText = text;
  return lastParsed;
}

/** The switches in force; in production only an operator's command sets one, that of features (commands/features.ts). */
export async function readSwitches(db: Db): Promise<Switches> {
  return parseSwitches((await readSystem(db)).switches);
}

const ATTEMPTS = 20;

/**
 * Changes the switches without losing what others change at the same time.
 * @throws Error when too many do so at once
 */
export async function changeSwitches(db: Db, change: (now: Switches) => Switches): Promise<Switches> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = (await readSystem(db)).switches;
    const next = change(parseSwitches(seen));
    if (await replaceSwitches(db, seen, JSON.stringify(next))) return next;
  }
  throw new Error('the switches are being changed by many at once');
}

/** The fault for a path, or null. If it is meant for a number of times, one of them is used up. */
export async function takeFault(db: Db, switchesText: string, path: string): Promise<Fault | null> {
  if (switchesText === '{}') return null;
  const matches = (fault: Fault) => path.includes(fault.match) && (fault.times === undefined || fault.times > 0);
  if (!parseSwitches(switchesText).faults.some(matches)) return null;
  let taken: Fault | null = null;
  await changeSwitches(db, (now) => {
    const index = now.faults.findIndex(matches);
    taken = now.faults[index] ?? null;
    if (taken === null || taken.times === undefined) return now;
    const left = { ...taken, times: taken.times - 1 };
    return {
      ...now,
      faults: now.faults.flatMap((fault, at) => (at !== index ? [fault] : left.times > 0 ? [left] : [])),
    };
  });
  return taken;
}
