import { atom, type Getter, type Setter } from 'jotai';
import { isFailure } from '../api/failure.ts';
import * as contract from '../contract/cart.ts';
import { isCartWaitingAtom, pendingAtom, pendingOptionsAtom, pricedAtom, type Operation } from './basket.ts';
import { deliveryTypeAtom, storeIdAtom } from './location.ts';
import { showFailureAtom } from './popup.ts';
import { apiAtom } from './seams.ts';
import { sessionAtom } from './session.ts';

// How the basket meets the server. The basket itself is in the first load; this is not.
export * from './basket.ts';

const BATCH = 100;

/** Operations of one kind that may go in one call. */
function nextBatch(pending: readonly Operation[], limit: number): readonly Operation[] {
  const end = pending.findIndex((one) => one.kind !== pending[0]?.kind);
  return pending.slice(0, Math.min(end < 0 ? pending.length : end, limit));
}

async function send(get: Getter, set: Setter, batch: readonly Operation[]): Promise<void> {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  const options = get(pendingOptionsAtom);
  const cartId = get(sessionAtom)?.attributes.cartId ?? '';
  const where = { options: { ...options, storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) } };
  const { cart } = batch[0]?.kind === 'add'
    ? await call(contract.add, { cartId, body: { ...where, items: batch.flatMap((one) => (one.kind === 'add' ? [{ operationId: one.operationId, line: one.line }] : [])) } })
    : await call(contract.change, { cartId, body: { ...where, items: batch.flatMap((one) => (one.kind === 'change' ? [changeOf(one)] : [])) } });
  const sent = new Set(batch.map((one) => one.operationId));
  set(pricedAtom, cart);
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
        if (!isFailure(thrown) || thrown.kind === 'expired' || thrown.kind === 'broken') set(showFailureAtom, thrown);
        return;
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
export const isCartSyncingAtom = atom((get) => get(runningAtom) !== null);

/**
 * Sends what waits, in order, one call at a time; a second caller waits for the first. Never rejects: what the server
 * refuses is dropped with its reason shown, everything else waits for a network.
 */
export const syncCartAtom = atom(null, (get, set): Promise<void> => {
  const running = get(runningAtom) ?? sendAll(get, set).finally(() => set(runningAtom, null));
  set(runningAtom, running);
  return running;
});

/** Asks the server for the cart as it is and costs now (page start, new store, another device). */
export const loadCartAtom = atom(null, async (get, set) => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(sessionAtom)?.attributes.cartId;
  if (!cartId) return;
  const reply = await get(apiAtom).call(contract.byId, { cartId, query: { storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) } });
  set(pricedAtom, reply.cart);
});
