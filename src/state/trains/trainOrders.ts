import * as t from '#text/trains.ts';
import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import { loadCartAtom } from '../cart/cart.ts';
import { refreshConfigAtom } from '../base/config.ts';
import type { Answer, TrainOrder } from '../../contract/trainOrder.ts';
import * as contract from '../../contract/trains.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { orderAtom, putOrderAtom } from '../orders/orders.ts';
import { showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { forgetTripAtom, leaveTrainAtom, leftTripAtom, renewTripAtom, tripAtom } from './station.ts';
import type { SeatDraft } from './pnr.ts';
import { seatOf } from './trains.ts';

/** All train orders of this customer, newest first; one that is saved and not ordered is among them. */
export const trainOrdersState = remote(async (get, _set, signal) => {
  await get(apiAtom).ensureSession();
  return (await get(apiAtom).call(contract.list, {}, { signal })).trains;
});
/** One of them, by its own id or the order's. */
export const trainOrderState = remote(
  async (get, _set, signal, orderId: string) => (await get(apiAtom).call(contract.byId, { orderId }, { signal })).train,
);

/** Something of a train order is on its way to the server. */
export const trainTasks = tasks();

const idOf = (train: TrainOrder) => train.orderId ?? train.trainOrderId;

/** Takes a train order as the server has it now, wherever it is shown. */
const putTrainAtom = atom(null, (get, set, train: TrainOrder): void => {
  set(trainOrderState.put, train);
  set(renewTripAtom, train.trainOrderId, { arrivesAt: train.station.arrivesAt, orderUntil: train.orderUntil });
  const order = get(orderAtom);
  if (order !== null && order.orderId === train.orderId) set(putOrderAtom, { ...order, train });
  const all = get(trainOrdersState.atom).data;
  if (all)
    set(
      trainOrdersState.put,
      all.map((one) => (one.trainOrderId === train.trainOrderId ? train : one)),
    );
});

/** Looks once more at the order that the cart is put together for: its time and its phone, and whether trains are served. */
export const renewTripOrderAtom = atom(null, async (get, set): Promise<void> => {
  const trip = get(tripAtom);
  if (trip === null) return;
  void set(refreshConfigAtom);
  await set(trainOrderState.load, trip.trainOrderId);
  const { data, failure } = get(trainOrderState.atom);
  // What was heard before stays beside a failure, and is no answer.
  const train = failure === null && data?.trainOrderId === trip.trainOrderId ? data : null;
  if (train?.state === 'SAVED') set(putTrainAtom, train);
  // It was ordered or taken back elsewhere.
  else if (failure?.kind === 'refused' || train !== null) set(forgetTripAtom);
});

/** Changes coach, berth and who eats. @returns whether it is changed; what was typed stays if not */
export const changeSeatAtom = trainTasks.task(
  async (get, set, train: TrainOrder, draft: SeatDraft) => {
    const reply = await get(apiAtom).call(contract.change, { orderId: idOf(train), body: seatOf(draft) });
    set(putTrainAtom, reply.train);
    set(toastMessageAtom, t.seatChanged);
  },
  {
    failed(_get, set, thrown, train) {
      set(showFailureAtom, thrown);
      if (codeOf(thrown) === 'TRAIN_LEFT') void set(trainOrderState.load, idOf(train));
    },
  },
);

/** Takes a train order back: its money returns, or what was saved is forgotten. @returns whether it is done */
export const removeTrainAtom = trainTasks.task(async (get, set, train: TrainOrder) => {
  const { order } = await get(apiAtom).call(contract.remove, { orderId: idOf(train) });
  if (order) set(putOrderAtom, order);
  if (get(tripAtom)?.trainOrderId === train.trainOrderId) set(forgetTripAtom);
  await set(trainOrdersState.load);
});

/** What is chosen in answer to the question of a train order; the station with it where there may be several. */
export interface Choice {
  readonly choice: Answer;
  readonly stationId?: string | undefined;
}
const choiceHeldAtom = customerAtom<(Choice & { readonly of: string }) | null>(null);
export const choiceAtom = atom((get) => (train: TrainOrder): Choice | null => {
  const held = get(choiceHeldAtom);
  return held?.of === train.trainOrderId ? held : null;
});
export const chooseAtom = atom(null, (_get, set, train: TrainOrder, choice: Choice): void =>
  set(choiceHeldAtom, { ...choice, of: train.trainOrderId }),
);

/** Answers the open question. @returns whether the server has taken the answer */
export const answerTrainAtom = trainTasks.task(
  async (get, set, train: TrainOrder) => {
    const choice = get(choiceAtom)(train);
    if (choice === null) return false;
    const body = { choice: choice.choice, ...(choice.stationId ? { stationId: choice.stationId } : {}) };
    const reply = await get(apiAtom).call(contract.answer, { orderId: idOf(train), body });
    set(choiceHeldAtom, null);
    set(putTrainAtom, reply.train);
    return true;
  },
  {
    failed(_get, set, thrown, train) {
      set(showFailureAtom, thrown);
      // It was answered elsewhere, or something else is asked now.
      if (codeOf(thrown).startsWith('TRAIN_')) void set(trainOrderState.load, idOf(train));
    },
  },
);

/**
 * Takes back what was saved for a train that the customer has left, so that the cart is priced for a door again. What was
 * ordered meanwhile stays. Without an answer it is tried again with the next look at the cart.
 */
export const dropLeftTrainAtom = atom(null, async (get, set): Promise<void> => {
  const left = get(leftTripAtom);
  if (left === null) return;
  const { call } = get(apiAtom);
  const { trainOrderId: orderId } = left;
  try {
    const { train } = await call(contract.byId, { orderId });
    if (train.state === 'SAVED') await call(contract.remove, { orderId });
  } catch (thrown) {
    if (codeOf(thrown) !== 'NOT_FOUND') return;
  }
  if (get(leftTripAtom)?.trainOrderId === orderId) set(forgetTripAtom);
});

/** Leaves the train for the place of before. */
export const leaveForDoorAtom = atom(null, async (_get, set): Promise<void> => {
  set(leaveTrainAtom);
  await set(dropLeftTrainAtom);
  set(loadCartAtom).catch(() => undefined);
});
