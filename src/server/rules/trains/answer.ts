import type { Answer } from '../../../contract/trainOrder.ts';
import { railway as say } from '../../call/language.ts';
import type { Call } from '../../call/call.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { lockOrder, snapshotOf, takeNumber, type OrderRow } from '../../store/orders.ts';
import { localDay } from '../../../domain/hours.ts';
import {
  addNews,
  closeQuestion,
  questionOf,
  setTrain,
  trainByEither,
  type LackingStation,
  type OtherStation,
  type TrainRow,
} from '../../store/trains.ts';
import { moveStart } from '../order/lifecycle.ts';
import { storeView } from '../places/stores.ts';
import type { RailRun } from '../../call/railway.ts';
import { hereOf } from '../catalogue/here.ts';
import { heardFromRailway, stationByCode } from './journey.ts';
import { seenNow } from './saved.ts';
import { otherStations, refundTrain } from './watch.ts';

type Here = Awaited<ReturnType<typeof hereOf>>;

/** Moves an order that nobody has begun with to another station, and so to another store. */
async function toStation(tx: Tx, order: OrderRow, row: TrainRow, other: OtherStation, run: RailRun, here: Here) {
  const { catalogue, offline, now } = here;
  const station = stationByCode(row.country, other.station)!;
  const store = catalogue.stores.get(other.storeId)!;
  const snapshot = snapshotOf(order);
  const day = localDay(order.submitted_at, catalogue.country.timeZone);
  // Kept where nobody has it at that store; the order's own view shows the store beside it.
  await takeNumber(tx, store.id, day, order.number);
  await moveStart(tx, order, other.arrivesAt, {
    earliest: now,
    more: {
      store_id: store.id,
      snapshot: JSON.stringify({
        ...snapshot,
        store: storeView(catalogue, store, offline, now),
        kitchen: {
          maxOrdersPer10Min: store.maxOrdersPer10Min,
          prepMinutes: store.prepMinutes,
          minutesPerKm: store.minutesPerKm,
        },
        ...(snapshot.train === undefined
          ? {}
          : {
              train: {
                ...snapshot.train,
                station: station.name,
                latitude: station.latitude,
                longitude: station.longitude,
              },
            }),
      }),
    },
  });
  const stop = run.stops.find(({ code }) => code === other.station)!;
  await setTrain(tx, row.id, {
    store_id: store.id,
    station: other.station,
    cutoff_minutes: station.cutoffMinutes,
    scheduled_at: stop.scheduledAt,
    agreed_at: stop.arrivesAt,
    ...seenNow(run, other.station),
  });
  const details = JSON.stringify({ station: other.station, arrivesAt: other.arrivesAt });
  await addNews(tx, { train_id: row.id, kind: 'MOVED', details, at: now });
}

/**
 * Does what the passenger chose. Of two answers, and of an answer and the end of its time, the first one counts.
 * @throws Refusal 409 TRAIN_NO_QUESTION; 422 TRAIN_CHOICE, and TRAIN_DISHES where the other station's store lacks some of
 *   the dishes now: the question then goes on without it; 503 RAILWAY_AWAY, where another station was chosen
 */
export async function answerTrain(
  call: Call,
  asked: TrainRow,
  { choice, stationId }: { choice: Answer; stationId?: string | undefined },
): Promise<void> {
  const { now, services } = call;
  if (asked.answer_by === null) return refuse(409, 'TRAIN_NO_QUESTION', say.answered);
  const here = await hereOf(call);
  const run = choice === 'STATION' ? await heardFromRailway(services, services.railway.run(asked.run)) : null;
  const lacks = await transact(call.db, async (tx): Promise<LackingStation | null> => {
    const order = (await lockOrder(tx, asked.order_id!))!;
    const row = (await trainByEither(tx, asked.id))!;
    if (row.answer_by === null) return refuse(409, 'TRAIN_NO_QUESTION', say.answered);
    const question = questionOf(row)!;
    const isWaiting = order.status === 'ADVANCE ORDER';
    const found = run === null ? null : await otherStations(tx, here, { row, order, run });
    const other = found?.others.find(({ station }) => station === stationId);
    const lacking = found?.lacking.find(({ station }) => station === stationId);
    if (lacking !== undefined) {
      // What is asked from now on is what can be.
      await setTrain(tx, row.id, { question: JSON.stringify({ ...question, ...found }) });
      return lacking;
    }
    if (choice === 'TIME' && !question.mayWait) refuse(422, 'TRAIN_CHOICE', say.choiceGone);
    if (choice === 'STATION' && (other === undefined || !isWaiting)) refuse(422, 'TRAIN_CHOICE', say.choiceGone);
    if (!(await closeQuestion(tx, row.id, row.answer_by))) refuse(409, 'TRAIN_NO_QUESTION', say.answered);
    if (choice === 'REFUND') await refundTrain(tx, order, row, 'CHOSEN', now);
    else if (choice === 'STATION') await toStation(tx, order, row, other!, run!, here);
    else await atNewTime(tx, order, row, now);
    return null;
  });
  if (lacks !== null)
    refuse(422, 'TRAIN_DISHES', say.stationLacks({ station: lacks.name, dishes: lacks.dishes.join(', ') }));
}

/** Leaves the order at its station, for the time at which the train is expected now. */
async function atNewTime(tx: Tx, order: OrderRow, row: TrainRow, now: number): Promise<void> {
  await setTrain(tx, row.id, { agreed_at: row.arrives_at });
  if (order.status === 'ADVANCE ORDER') await moveStart(tx, order, row.arrives_at, { earliest: now });
  const details = JSON.stringify({ arrivesAt: row.arrives_at });
  await addNews(tx, { train_id: row.id, kind: 'AGREED', details, at: now });
}
