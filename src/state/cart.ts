import { atom, type Getter, type Setter } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/cart.ts';
import type { SessionReply } from '../contract/session.ts';
import { missingToMinimum } from '../domain/cart.ts';
import { inputOf, isCartWaitingAtom, pendingAtom, pendingOptionsAtom, pricedAtom, type Operation } from './basket.ts';
import { newId } from './lib/ids.ts';
import { deliveryTypeAtom, storeIdAtom } from './location.ts';
import { showFailureAtom } from './popup.ts';
import { apiAtom, countryAtom } from './seams.ts';
import { seatAtom } from './seat.ts';
import { cartIdAtom, renewSessionAtom, sessionAtom } from './session.ts';

// How the basket meets the server. The basket itself is in the first load; this is not.
export * from './basket.ts';

/**
 * Takes a fresh session. When the guest of before is gone (its time is over, or it became a customer and the answer was lost),
 * the basket on this device goes into the new guest's: under the same line ids, so that a later login finds nothing twice.
 */
export const takeSessionAtom = atom(null, (get, set, reply: SessionReply): void => {
  const before = get(sessionAtom);
  set(renewSessionAtom, reply);
  if (before === null || before.attributes.cartId === reply.attributes.cartId || reply.credentials.refreshToken) return;
  const lines = (get(pricedAtom)?.validItems ?? []).filter((line) => !line.free && !line.by);
  set(pendingAtom, (now) => [...lines.map((line) => ({ kind: 'add' as const, operationId: newId(), line: inputOf(line) })), ...now]);
  set(pricedAtom, null);
});

/** Less than the country's smallest order: nothing leads on to paying. */
export const isBelowMinimumAtom = atom((get) => {
  const cart = get(pricedAtom);
  return cart !== null && missingToMinimum(cart.bill, get(countryAtom).minimumOrder) > 0;
});

const BATCH = 100;

/** The cart that operations go to: the own one, or in somebody's group order the host's, named by the group's code. */
const targetAtom = atom((get) => get(seatAtom)?.code ?? get(cartIdAtom) ?? '');
/** A seat that is gone: whatever was meant for it goes into the own cart. */
const SEAT_GONE = new Set(['GROUP_OVER', 'GROUP_OUT', 'GROUP_JOIN_FIRST']);

/** Operations of one kind that may go in one call. */
function nextBatch(pending: readonly Operation[], limit: number): readonly Operation[] {
  const end = pending.findIndex((one) => one.kind !== pending[0]?.kind);
  return pending.slice(0, Math.min(end < 0 ? pending.length : end, limit));
}

/** The last change that the server has answered: offers asked for after it must know of it. */
export const lastSentAtom = atom<{ readonly cartId: string; readonly operationId: string } | null>(null);

async function send(get: Getter, set: Setter, batch: readonly Operation[]): Promise<void> {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  const options = get(pendingOptionsAtom);
  const cartId = get(targetAtom);
  const where = { options: { ...options, storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) } };
  const { cart } = batch[0]?.kind === 'add'
    ? await call(contract.add, { cartId, body: { ...where, items: batch.flatMap((one) => (one.kind === 'add' ? [{ operationId: one.operationId, line: one.line }] : [])) } })
    : await call(contract.change, { cartId, body: { ...where, items: batch.flatMap((one) => (one.kind === 'change' ? [changeOf(one)] : [])) } });
  const sent = new Set(batch.map((one) => one.operationId));
  const last = batch.at(-1);
  if (last) set(lastSentAtom, { cartId, operationId: last.operationId });
  if (get(targetAtom) === cartId) set(pricedAtom, cart);
  set(pendingAtom, (now) => now.filter((one) => !sent.has(one.operationId)));
  if (get(pendingOptionsAtom) === options) set(pendingOptionsAtom, null);
}

function changeOf({ operationId, lineId, quantity, line }: Extract<Operation, { kind: 'change' }>): contract.LineChange {
  return { operationId, lineId, ...(quantity === undefined ? {} : { quantity }), ...(line === undefined ? {} : { line }) };
}

async function sendAll(get: Getter, set: Setter): Promise<void> {
  let limit = BATCH;
  for (;;) {
    const batch = nextBatch(get(pendingAtom), limit);
    if (batch.length === 0 && get(pendingOptionsAtom) === null) return;
    try {
      await send(get, set, batch);
      limit = BATCH;
    } catch (thrown) {
      if (!isFailure(thrown) || thrown.kind !== 'refused') {
        // No network: it waits, and the strip says so.
        if (!isFailure(thrown) || ['expired', 'unrefreshed', 'broken'].includes(thrown.kind)) set(showFailureAtom, thrown);
        return;
      }
      if (SEAT_GONE.has(codeOf(thrown)) && get(seatAtom)) {
        set(showFailureAtom, thrown);
        set(seatAtom, null);
        set(pricedAtom, null);
        continue;
      }
      // One by one, so that only what the server refuses is lost.
      if (batch.length > 1) { limit = 1; continue; }
      set(showFailureAtom, thrown);
      const refused = batch[0]?.operationId;
      if (refused === undefined) set(pendingOptionsAtom, null);
      else set(pendingAtom, (now) => now.filter((one) => one.operationId !== refused));
    }
  }
}

const runningAtom = atom<Promise<void> | null>(null);

/**
 * Sends what waits, in order, one call at a time; a second caller waits for the first. Never rejects: what the server
 * refuses is dropped with its reason shown, everything else waits for a network.
 */
export const syncCartAtom = atom(null, (get, set): Promise<void> => {
  const running = get(runningAtom) ?? sendAll(get, set).finally(() => set(runningAtom, null));
  set(runningAtom, running);
  return running;
});

const toldAtom = atom('');
const loadingAtom = atom<{ readonly what: string; readonly done: Promise<void> } | null>(null);

/** Asks the server for the cart as it is and costs now (page start, new store, another device); who asks for the same meanwhile waits for the same answer. */
export const loadCartAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(targetAtom);
  if (!cartId) return;
  const what = [cartId, get(storeIdAtom), get(deliveryTypeAtom), get(lastSentAtom)?.operationId].join();
  const running = get(loadingAtom);
  if (running?.what === what) return await running.done;
  const done = set(askCartAtom, cartId).finally(() => set(loadingAtom, (now) => (now?.done === done ? null : now)));
  set(loadingAtom, { what, done });
  await done;
});

const askCartAtom = atom(null, async (get, set, cartId: string): Promise<void> => {
  const lastSent = get(lastSentAtom);
  const reply = await get(apiAtom).call(contract.byId, { cartId, query: { storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) } });
  // A change that was answered meanwhile brought a newer cart.
  if (get(targetAtom) !== cartId || get(lastSentAtom) !== lastSent) return;
  set(pricedAtom, reply.cart);
  // Guests of a group order see the menu of the host's store: another choice is told at once, not with the next dish.
  const where = `${get(storeIdAtom)} ${get(deliveryTypeAtom)}`;
  if (reply.cart.group?.role !== 'host' || get(toldAtom) === where) return;
  set(toldAtom, where);
  set(pendingOptionsAtom, (now) => ({ ...now }));
});
