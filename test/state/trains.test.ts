import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/trains.ts';
import { Failure } from '../../src/api/failure.ts';
import * as development from '../../src/contract/development.ts';
import { validations } from '../../src/contract/orders.ts';
import * as contract from '../../src/contract/trains.ts';
import type { TrainOrder } from '../../src/contract/trainOrder.ts';
import { cartAtom } from '../../src/state/first/cart.ts';
import { serverClockAtom } from '../../src/state/base/clock.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { orderAtom, orderState } from '../../src/state/orders/orders.ts';
import { forgetOverAtom, NO_SEAT, pnrHeldAtom, seatDraftAtom, type SeatDraft } from '../../src/state/trains/pnr.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { cartIdAtom, renewSessionAtom, sessionAtom } from '../../src/state/base/session.ts';
import { keptTripAtom, leftTripAtom, tripAtom } from '../../src/state/trains/station.ts';
import {
  answerTrainAtom,
  changeSeatAtom,
  choiceAtom,
  chooseAtom,
  dropLeftTrainAtom,
  trainTasks,
  leaveForDoorAtom,
  removeTrainAtom,
  renewTripOrderAtom,
  trainOrdersState,
  trainOrderState,
} from '../../src/state/trains/trainOrders.ts';
import {
  findJourneyAtom,
  stationTasks,
  journeyAtom,
  openStationAtom,
  pnrErrorAtom,
  renewJourneyAtom,
  reopenJourneyAtom,
  resumeTrainAtom,
  saveStationAtom,
  seatOf,
  seatProblemsAtom,
  stationState,
  stopAtom,
  typedPnrAtom,
} from '../../src/state/trains/trains.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { ordered, PNR, railway, saved, traveller } from '../server/trainShop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const DAY_S = 86_400;
const HOUR_MS = 3_600_000;
/** The stores of New Delhi and of Vadodara. */
const [NDLS, BRC] = ['10104', '10803'];

const server = during(() => startServer({ settings: { distDir: null } }));
beforeEach(async () => {
  // The tickets of the embedded railway begin anew with the first question of a day.
  await server.advance(DAY_S);
  await openShop(server);
  await railway(server, { pnr: PNR.mumbai, away: false });
});

const serverNow = async () => (await server.call(development.clock, {})).body.now;
/** A page that knows the server's time. */
async function opened(device?: string): Promise<Customer> {
  const customer = openCustomer(server, device === undefined ? {} : { device });
  customer.set(serverClockAtom, await serverNow());
  return customer;
}
async function withJourney(pnr: string = PNR.mumbai, customer?: Customer): Promise<Customer> {
  const who = customer ?? (await opened());
  who.set(typedPnrAtom, pnr);
  expect(await who.set(findJourneyAtom), who.get(pnrErrorAtom)).toBe(true);
  return who;
}
/** Somebody whose cart is for a station of their journey. */
async function aboard(stationId = 'NDLS'): Promise<{ customer: Customer; train: TrainOrder }> {
  const customer = await withJourney();
  await customer.set(openStationAtom, stationId);
  expect(await customer.set(saveStationAtom, stationId)).toBe(true);
  const orderId = customer.get(tripAtom)!.trainOrderId;
  await customer.set(trainOrderState.load, orderId);
  return { customer, train: customer.get(trainOrderState.atom).data! };
}
/** Somebody with a paid order to a train, on their page. */
async function onTheWay(stationId = 'BRC', storeId = BRC) {
  const who = await traveller(server, storeId);
  await who.fill();
  const order = await ordered(server, who, await saved(server, who, PNR.mumbai, stationId));
  const customer = await opened();
  customer.set(renewSessionAtom, who.person.reply);
  await customer.set(orderState.load, order.orderId);
  await customer.set(trainOrdersState.load);
  const train = customer.get(trainOrdersState.atom).data!.find((one) => one.orderId === order.orderId)!;
  return { customer, order, train };
}
const tell = (customer: Customer) => [customer.get(popupAtom)?.message, customer.get(toastAtom)?.message];

describe('the number of a ticket', () => {
  test('its journey is of exactly these digits, in any script, and stays there while they are typed with spaces', async () => {
    const customer = await withJourney(' २६१२-३४५-६०२ ');
    expect(customer.get(journeyAtom).data).toMatchObject({ pnrEnd: '5602', train: { number: '12951' } });
    expect(customer.get(stopAtom)('NDLS')).toMatchObject({ storeId: NDLS, isDestination: true });
    expect(customer.get(stopAtom)('MAS')).toBeNull();
    customer.set(typedPnrAtom, '2612 345602');
    expect(customer.get(journeyAtom).data?.pnrEnd).toBe('5602');
    customer.set(typedPnrAtom, PNR.long);
    expect([customer.get(journeyAtom).data, customer.get(stopAtom)('NDLS')]).toEqual([null, null]);
  });

  test('a visit looks a known number up again, one that was only typed not; it is forgotten once the journey is over', async () => {
    const customer = await withJourney();
    const last = customer.get(journeyAtom).data!.stations.at(-1)!;
    expect(customer.get(pnrHeldAtom)).toMatchObject({ isFound: true, until: last.departsAt + 6 * HOUR_MS });
    const again = await opened(customer.device);
    await again.set(reopenJourneyAtom);
    expect(again.get(journeyAtom).data?.pnrEnd).toBe('5602');

    const typing = await opened();
    typing.set(typedPnrAtom, PNR.mumbai);
    const kept = typing.get(pnrHeldAtom).until! - (await serverNow());
    expect([kept > 23.9 * HOUR_MS, kept < 24.1 * HOUR_MS]).toEqual([true, true]);
    await typing.set(reopenJourneyAtom);
    expect([typing.get(journeyAtom).data, typing.calls]).toEqual([null, []]);
    typing.set(serverClockAtom, (await serverNow()) + 23 * HOUR_MS);
    typing.set(forgetOverAtom);
    expect(typing.get(typedPnrAtom)).toBe(PNR.mumbai);
    typing.set(serverClockAtom, (await serverNow()) + 25 * HOUR_MS);
    typing.set(seatDraftAtom, { ...NO_SEAT, coach: 'B4' });
    typing.set(forgetOverAtom);
    expect([typing.get(typedPnrAtom), typing.get(seatDraftAtom)]).toEqual(['', NO_SEAT]);
    // Nothing typed is nothing to keep.
    typing.set(typedPnrAtom, 'x');
    typing.set(typedPnrAtom, '');
    expect(typing.get(pnrHeldAtom)).toEqual({ typed: '', until: null, isFound: false });
  });

  test('asked anew without a word: a delay is there, and a railway that is away takes nothing from the page', async () => {
    const customer = await opened();
    customer.set(typedPnrAtom, PNR.mumbai);
    customer.set(renewJourneyAtom);
    expect(customer.calls).toEqual([]);
    await withJourney(PNR.mumbai, customer);
    await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'BRC', minutes: 40 });
    await server.advance(600);
    customer.set(renewJourneyAtom);
    await vi.waitFor(() => expect(customer.get(stopAtom)('NDLS')?.delayMinutes).toBe(40));
    fails(customer, contract.pnr, new Failure('offline'));
    customer.set(renewJourneyAtom);
    await vi.waitFor(() => expect(customer.get(journeyAtom).status).toBe('failed'));
    expect([customer.get(pnrErrorAtom), customer.get(journeyAtom).data?.pnrEnd, customer.get(popupAtom)]).toEqual([
      '',
      '5602',
      null,
    ]);
  });
});

describe('the seat', () => {
  const OTHER = { isOther: true, name: 'Mira', mobile: '9876543210' };
  test('has what a coach and a berth have, and another eater a name and a number; it is sent in capitals, without white space', async () => {
    const customer = await opened();
    const rows: readonly [Partial<SeatDraft>, object][] = [
      [{}, {}],
      [{ coach: ' B4 ', berth: '7-LB' }, {}],
      [{ coach: 'B4!', berth: '3 2' }, { coach: t.coachWrong }],
      [{ coach: 'B4', berth: '-32' }, { berth: t.berthWrong }],
      [OTHER, {}],
      [{ ...OTHER, name: ' ' }, { name: t.eaterNameMissing }],
      [{ ...OTHER, mobile: '98' }, { mobile: t.eaterMobileWrong({ digits: 10 }) }],
      [{ name: '', mobile: '98' }, {}],
    ];
    for (const [draft, problems] of rows)
      expect(customer.get(seatProblemsAtom)({ ...NO_SEAT, ...draft }), JSON.stringify(draft)).toEqual(problems);
    expect(seatOf({ ...NO_SEAT, coach: ' b4', berth: '7 lb ', name: 'Mira', mobile: '9876543210' })).toEqual({
      coach: 'B4',
      berth: '7 LB',
      passenger: null,
    });
    expect(seatOf({ ...NO_SEAT, coach: ' ', isOther: true, name: ' Mira ', mobile: '9876543210' })).toEqual({
      coach: null,
      berth: null,
      passenger: { name: 'Mira', mobile: '9876543210' },
    });
  });

  test('that of the ticket is filled in where none was typed, and anew for another journey', async () => {
    const customer = await withJourney(PNR.long);
    await customer.set(openStationAtom, 'BPL');
    expect(customer.get(seatDraftAtom)).toEqual({ ...NO_SEAT, pnrEnd: '5601', coach: 'B4', berth: '32' });
    customer.set(seatDraftAtom, (draft) => ({ ...draft, coach: 'S9', berth: '', isOther: true, name: 'Mira' }));
    await customer.set(openStationAtom, 'BPL');
    expect(customer.get(seatDraftAtom)).toMatchObject({ coach: 'S9', berth: '32', isOther: true, name: 'Mira' });
    await withJourney(PNR.mumbai, customer);
    await customer.set(openStationAtom, 'NDLS');
    expect(customer.get(seatDraftAtom)).toEqual({ ...NO_SEAT, pnrEnd: '5602', coach: 'A1', berth: '7' });
  });
});

describe('a station', () => {
  test('saved, the cart is for its store and its place, until one leaves the train for where one was', async () => {
    const customer = await opened();
    await customer.get(apiAtom).ensureSession();
    const before = [customer.get(deliveryTypeAtom), customer.get(deliveryPlaceAtom), customer.get(chosenStoreAtom)];
    await withJourney(PNR.mumbai, customer);
    await customer.set(openStationAtom, 'NDLS');
    const saving = customer.set(saveStationAtom, 'NDLS');
    expect(customer.get(stationTasks.isBusyAtom)).toBe(true);
    expect([await customer.set(saveStationAtom, 'NDLS'), await saving]).toEqual([false, true]);
    expect(customer.get(stationTasks.isBusyAtom)).toBe(false);
    const { station, store } = customer.get(stationState.atom).data!;
    const stop = customer.get(stopAtom)('NDLS')!;
    expect(customer.get(tripAtom)).toMatchObject({
      stationId: 'NDLS',
      storeId: NDLS,
      latitude: station.latitude,
      longitude: station.longitude,
      text: t.placeOf({ station: station.name, number: '12951' }),
      arrivesAt: stop.arrivesAt,
      orderUntil: stop.orderUntil,
    });
    expect([customer.get(storeIdAtom), customer.get(chosenStoreAtom), customer.get(deliveryTypeAtom)]).toEqual([
      NDLS,
      store,
      'DELIVERY',
    ]);
    expect(customer.get(deliveryPlaceAtom)?.text).toContain('12951');
    await vi.waitFor(() => expect(customer.get(cartAtom)?.storeId).toBe(NDLS));
    // Another station of the same journey: the way back is still to the door.
    await customer.set(openStationAtom, 'BRC');
    expect(await customer.set(saveStationAtom, 'BRC')).toBe(true);
    expect([customer.get(tripAtom)?.stationId, customer.get(storeIdAtom)]).toEqual(['BRC', BRC]);
    await customer.set(leaveForDoorAtom);
    expect([customer.get(deliveryTypeAtom), customer.get(deliveryPlaceAtom), customer.get(chosenStoreAtom)]).toEqual(
      before,
    );
    expect([customer.get(tripAtom), customer.get(keptTripAtom)]).toEqual([null, null]);
    await customer.set(trainOrdersState.load);
    expect(customer.get(trainOrdersState.atom).data).toEqual([]);
  });

  test('what was saved is gone on with at its station, also on a device that knows no journey', async () => {
    const { customer, train } = await aboard();
    const again = openCustomer(server);
    again.set(sessionAtom, customer.get(sessionAtom));
    await again.set(resumeTrainAtom, train);
    expect(again.went).toEqual(['/irctcStation?station=NDLS']);
    expect(again.get(tripAtom)).toMatchObject({ trainOrderId: train.trainOrderId, storeId: NDLS });
    const lost = openCustomer(server);
    fails(lost, contract.station, new Failure('offline'));
    await lost.set(resumeTrainAtom, train);
    expect([lost.went, lost.get(tripAtom), tell(lost)[0]]).toEqual([[], null, errors.connectionLost]);
    // The station is found by what is saved, if the journey is not known.
    again.calls.length = 0;
    await again.set(openStationAtom, 'NDLS');
    expect(again.get(stationState.atom).data?.storeId).toBe(NDLS);
  });
});

describe('an order to a train', () => {
  const draftOf = (train: TrainOrder, change: Partial<SeatDraft>): SeatDraft => ({
    ...NO_SEAT,
    coach: train.coach ?? '',
    berth: train.berth ?? '',
    ...change,
  });

  test('other orders keep their seats', async () => {
    const { customer, order, train } = await onTheWay();
    customer.set(trainOrdersState.put, [train, { ...train, trainOrderId: 'another', orderId: 'other', coach: 'A1' }]);
    const { train: _train, ...plain } = customer.get(orderAtom)!;
    expect(await customer.set(changeSeatAtom, train, draftOf(train, { coach: 'S7' }))).toBe(true);
    expect(customer.get(trainOrdersState.atom).data!.map(({ coach }) => coach)).toEqual(['S7', 'A1']);
    expect(plain.orderId).toBe(order.orderId);
  });

  test('a seat that cannot be changed is said; once the rider has left, the order is looked at anew', async () => {
    const { customer, train } = await onTheWay();
    customer.set(trainOrderState.put, train);
    fails(customer, contract.change, new Failure('offline'));
    customer.calls.length = 0;
    expect(await customer.set(changeSeatAtom, train, draftOf(train, { coach: 'S7' }))).toBe(false);
    expect([tell(customer), customer.calls, customer.get(trainTasks.isBusyAtom)]).toEqual([
      [errors.connectionLost, undefined],
      [],
      false,
    ]);
    const list = [{ code: 'TRAIN_LEFT', displayMsg: 'The rider is on the way.' }];
    fails(customer, contract.change, new Failure('refused', { errors: list }));
    expect(await customer.set(changeSeatAtom, train, draftOf(train, { coach: 'S7' }))).toBe(false);
    expect([tell(customer)[0], customer.calls]).toEqual(['The rider is on the way.', [contract.byId.path]]);
  });

  test('taken back, its money returns and the order on screen says so', async () => {
    const { customer, order, train } = await onTheWay();
    const removing = customer.set(removeTrainAtom, train);
    expect(customer.get(trainTasks.isBusyAtom)).toBe(true);
    expect([await customer.set(removeTrainAtom, train), await removing]).toEqual([false, true]);
    expect(customer.get(trainTasks.isBusyAtom)).toBe(false);
    expect(customer.get(orderAtom)).toMatchObject({ orderId: order.orderId, orderStatus: 'CANCELLED' });
    expect(customer.get(trainOrdersState.atom).data![0]).toMatchObject({ orderId: order.orderId, state: 'CANCELLED' });
    fails(customer, contract.remove, new Failure('offline'));
    expect(await customer.set(removeTrainAtom, train)).toBe(false);
    expect([tell(customer)[0], customer.get(trainTasks.isBusyAtom)]).toEqual([errors.connectionLost, false]);
  });

  test('a question is answered by the choice that was made for this order, once', async () => {
    const { customer, train } = await onTheWay();
    await railway(server, { pnr: PNR.mumbai, event: 'skip', stationId: 'BRC' });
    // So many hours before, the shop looks at a train each half hour only, and it may have looked just now.
    await server.advance(3600);
    await customer.set(trainOrderState.load, train.orderId!);
    const asking = customer.get(trainOrderState.atom).data!;
    expect(asking.question?.choices.map(({ choice }) => choice)).toContain('REFUND');
    expect(await customer.set(answerTrainAtom, asking)).toBe(false);
    customer.set(chooseAtom, { ...asking, trainOrderId: 'another' }, { choice: 'REFUND' });
    expect(customer.get(choiceAtom)(asking)).toBeNull();
    const place = asking.question!.choices.find(({ choice }) => choice === 'STATION')!;
    customer.set(chooseAtom, asking, { choice: 'STATION', stationId: place.stationId });
    expect(customer.get(choiceAtom)(asking)).toMatchObject({ choice: 'STATION', stationId: place.stationId });
    fails(customer, contract.byId, new Failure('offline'));
    const answering = customer.set(answerTrainAtom, asking);
    expect(customer.get(trainTasks.isBusyAtom)).toBe(true);
    expect([await customer.set(answerTrainAtom, asking), await answering]).toEqual([false, true]);
    expect(customer.get(trainOrderState.atom).data).toMatchObject({
      station: { stationId: place.stationId },
      question: null,
    });
    expect([customer.get(choiceAtom)(asking), customer.get(trainTasks.isBusyAtom), tell(customer)[0]]).toEqual([
      null,
      false,
      undefined,
    ]);
  });

  test('an answer that is not taken is said, and what is asked now is looked at', async () => {
    const { customer, train } = await onTheWay();
    customer.set(chooseAtom, train, { choice: 'TIME' });
    customer.calls.length = 0;
    expect(await customer.set(answerTrainAtom, train)).toBe(false);
    await vi.waitFor(() => expect(customer.calls).toEqual([contract.answer.path, contract.byId.path]));
    expect(tell(customer)[0]).toMatch(/\w/);
    fails(customer, contract.answer, new Failure('offline'));
    customer.calls.length = 0;
    expect(await customer.set(answerTrainAtom, train)).toBe(false);
    expect([tell(customer)[0], customer.calls, customer.get(choiceAtom)(train)?.choice]).toEqual([
      errors.connectionLost,
      [],
      'TIME',
    ]);
  });
});

describe('the train that the cart is for', () => {
  test('is looked at again: its time follows the railway; ordered or taken back elsewhere, the cart is for no train', async () => {
    const nobody = await opened();
    await nobody.set(renewTripOrderAtom);
    expect(nobody.calls).toEqual([]);
    const { customer, train } = await aboard();
    await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'BRC', minutes: 40 });
    await server.advance(600);
    // The server asks the railway when the cart is priced for a payment.
    const body = { cartId: customer.get(cartIdAtom)!, storeId: NDLS, deliveryType: 'DELIVERY' as const };
    await customer.get(apiAtom).call(validations, { body: { ...body, train: train.trainOrderId } });
    await customer.set(renewTripOrderAtom);
    expect(customer.get(tripAtom)!.arrivesAt - train.station.arrivesAt).toBe(40 * 60_000);
    expect(customer.get(tripAtom)!.orderUntil).toBe(customer.get(trainOrderState.atom).data!.orderUntil);
    // A lost network says nothing of it.
    fails(customer, contract.byId, new Failure('offline'));
    await customer.set(renewTripOrderAtom);
    expect(customer.get(tripAtom)).not.toBeNull();

    const gone = (await aboard()).customer;
    await gone.get(apiAtom).call(contract.remove, { orderId: gone.get(tripAtom)!.trainOrderId });
    await gone.set(renewTripOrderAtom);
    expect(gone.get(keptTripAtom)).toBeNull();
  });

  test('one that was ordered meanwhile is no train of the cart any more', async () => {
    const { customer, train } = await onTheWay();
    const { customer: other } = await aboard();
    const trip = other.get(tripAtom)!;
    customer.set(deliveryTypeAtom, 'DELIVERY');
    await customer.set(resumeTrainAtom, { ...train, trainOrderId: train.trainOrderId });
    expect(customer.get(tripAtom)?.trainOrderId).toBe(train.trainOrderId);
    await customer.set(renewTripOrderAtom);
    expect(customer.get(keptTripAtom)).toBeNull();
    expect(trip.trainOrderId).not.toBe(train.trainOrderId);
  });

  test('left, what was saved is taken back with the next look at the cart, and tried again while the network is gone', async () => {
    const { customer } = await aboard();
    await customer.set(dropLeftTrainAtom);
    expect(customer.get(tripAtom)).not.toBeNull();
    const api = customer.get(apiAtom);
    fails(customer, contract.byId, new Failure('offline'));
    customer.set(deliveryTypeAtom, 'PICKUP');
    expect([customer.get(tripAtom), customer.get(leftTripAtom)?.stationId]).toEqual([null, 'NDLS']);
    await customer.set(dropLeftTrainAtom);
    expect(customer.get(leftTripAtom)).not.toBeNull();
    customer.set(apiAtom, api);
    await customer.set(dropLeftTrainAtom);
    expect(customer.get(leftTripAtom)).toBeNull();
    await customer.set(trainOrdersState.load);
    expect(customer.get(trainOrdersState.atom).data).toEqual([]);

    const { customer: other } = await aboard();
    await other.get(apiAtom).call(contract.remove, { orderId: other.get(tripAtom)!.trainOrderId });
    other.set(deliveryTypeAtom, 'PICKUP');
    await other.set(dropLeftTrainAtom);
    expect(other.get(leftTripAtom)).toBeNull();
  });
});
