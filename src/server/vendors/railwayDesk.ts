import { countries } from '../../../country/index.ts';
import * as development from '../../contract/development.ts';
import { pnrOf } from '../../domain/trains.ts';
import type { RawContext } from '../call/call.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type RawRoute, type Route } from '../call/route.ts';
import { EMBEDDED_RAILWAY } from '../providers/railway.ts';
import { isSigned, sign } from '../providers/signing.ts';
import type { Db } from '../store/db.ts';
import { newToken } from '../store/ids.ts';
import { addRailwayEvent, railwayBase, railwayEvents } from '../store/railway.ts';
import { readTrainSeed, type SeedTrains } from '../store/seeds.ts';
import { secret } from '../store/system.ts';
import { JSON_TYPE, parsed, text, type Question } from './bankInterface.ts';
import { runNow, runOfTicket, ticketNow } from './railway.ts';

/** Events of the railway as a whole, such as that it gives no answers. */
const NO_RUN = '';

/** All trains of the embedded railway, of whichever country. */
function timetable(): SeedTrains {
  const all = countries.flatMap(({ COUNTRY_CODE }) => readTrainSeed(COUNTRY_CODE) ?? []);
  return {
    trains: all.flatMap((one) => one.trains),
    pnrFixtures: all.flatMap((one) => one.pnrFixtures),
    stations: all.flatMap((one) => one.stations),
    places: Object.assign({}, ...all.map((one) => one.places)) as Record<string, string>,
    travelsWell: [],
  };
}

const isAway = async (db: Db): Promise<boolean> => (await railwayEvents(db, NO_RUN)).at(-1)?.kind === 'away';

/** One call of the railway's interface. The partner signs the question, and the railway signs the reply. */
function desk(path: string, work: (question: Question, aside: RawContext) => Promise<object | null>): RawRoute {
  return {
    method: 'POST',
    path: `/railway/api/${path}`,
    embedded: true,
    async handler(context, aside) {
      const raw = await context.req.text();
      const nonce = context.req.header('x-railway-nonce') ?? '';
      const key = await secret(aside.db, EMBEDDED_RAILWAY.secret, newToken);
      const reply = (status: number, body: string) =>
        new Response(body, {
          status,
          headers: { ...JSON_TYPE, 'x-railway-signature': sign(key, 'reply', nonce, String(status), body) },
        });
      if (await isAway(aside.db)) return new Response('{}', { status: 503, headers: JSON_TYPE });
      const signature = context.req.header('x-railway-signature') ?? '';
      if (
        context.req.header('x-railway-partner') !== EMBEDDED_RAILWAY.partner ||
        !isSigned(key, signature, 'question', path, nonce, raw)
      )
        return new Response('{}', { status: 401, headers: JSON_TYPE });
      const question = parsed(raw);
      if (question === null) return reply(400, '{}');
      const answer = await work(question, aside);
      return answer === null ? reply(404, '{}') : reply(200, JSON.stringify(answer));
    },
  };
}

/** The embedded railway; it is not part of the contract. */
export const railwayRoutes: readonly RawRoute[] = [
  desk('ticket', async (question, { db, now }) => {
    const seed = timetable();
    const ticket = seed.pnrFixtures.find(({ pnr }) => pnr === text(question['pnr']));
    return ticket === undefined ? null : ticketNow(seed, ticket, await railwayBase(db, now), now);
  }),
  desk('run', async (question, { db, now }) => {
    const run = text(question['run']);
    return runNow(timetable(), run, await railwayEvents(db, run), now);
  }),
];

/** What developers do to the embedded railway, and what its riders would know. */
export const railwayDevelopment: Route[] = [
  on(development.railway, async ({ body }, { db, now }) => {
    if (body.away !== undefined)
      await addRailwayEvent(db, {
        run: NO_RUN,
        kind: body.away ? 'away' : 'back',
        station: null,
        minutes: null,
        platform: null,
        at: now,
      });
    const seed = timetable();
    const ticket = seed.pnrFixtures.find(({ pnr }) => pnr === pnrOf(body.pnr));
    const run = ticket && runOfTicket(seed, ticket, await railwayBase(db, now));
    if (!run) return refuse(422, 'PNR_UNKNOWN', t.badInput, { field: 'pnr' });
    if (body.event !== undefined)
      await addRailwayEvent(db, {
        run,
        kind: body.event,
        station: body.stationId ?? null,
        minutes: body.minutes ?? null,
        platform: body.platform ?? null,
        at: now,
      });
    return { run };
  }),
];
