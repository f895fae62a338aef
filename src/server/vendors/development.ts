import * as development from '../../contract/development.ts';
import type { Switches } from '../../contract/development.ts';
import { isReadable } from '../../domain/features.ts';
import { DAY_MS } from '../../domain/time.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Runner } from '../call/jobs.ts';
import { changeSwitches, parseSwitches } from '../store/switches.ts';
import { inboxMessages, readSystem } from '../store/system.ts';
import { vitalPercentiles } from '../store/vitals.ts';

const VITALS_MS = 30 * DAY_MS;

/** The routes for developers; registered only outside production. */
export function developmentRoutes(advance: Runner['advance']): Route[] {
  return [
    on(development.clock, async (_input, { db }) => {
      const { now, offsetMs } = await readSystem(db);
      return { now, offsetMs };
    }),
    on(development.advanceClock, ({ body }) => advance(body.seconds * 1000)),
    on(development.inbox, async ({ query }, { db }) => ({
      messages: (await inboxMessages(db, query.mobile)).map((row) => ({
        id: row.id,
        mobile: row.mobile,
        text: row.message,
        at: row.sent_at,
      })),
    })),
    on(development.vitals, async (_input, { db, now }) => ({ vitals: await vitalPercentiles(db, now - VITALS_MS) })),
    on(development.switches, async (_input, { db }) => ({ switches: parseSwitches((await readSystem(db)).switches) })),
    on(development.setSwitches, async ({ body }, { db, services }) => {
      const given = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      ) as Partial<Switches>;
      const { features } = given;
      const isKept = features !== undefined && !isReadable(features);
      if (isKept) services.log.warn({}, 'features that cannot be read: those before stay in force');
      const switches = await changeSwitches(db, ({ unreadable, ...now }) => ({
        ...now,
        ...given,
        ...(isKept ? { features: now.features, unreadable: features } : {}),
        ...(features === undefined ? { unreadable } : {}),
      }));
      return { switches };
    }),
  ];
}
