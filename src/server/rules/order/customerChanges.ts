import type { Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { lockOrder, plannedLife, setOrder, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { hurryStep } from './lifecycle.ts';
import { COLLECT_MS } from './orders.ts';

/** Until the order leaves the store, its note can be changed. */
const NOTE_CHANGES: readonly string[] = ['PENDING', 'ADVANCE ORDER', 'ORDER PLACED', 'INPROCESS'];

/** @throws Refusal 409 NOTE_LATE */
export async function changeNote(call: Call, { id }: OrderRow, typed: string): Promise<void> {
  const note = typed.trim();
  await transact(call.db, async (tx) => {
    const order = await lockOrder(tx, id);
    if (order === undefined || !NOTE_CHANGES.includes(order.status)) return refuse(409, 'NOTE_LATE', t.noteLate);
    await setOrder(tx, id, { snapshot: JSON.stringify({ ...snapshotOf(order), note: note === '' ? null : note }) });
  });
  // Where the rider's messages go too: the store's own screens are no part of this.
  call.services.log.info({ orderId: id, note }, 'changed the note of an order');
}

/**
 * The customer stands at the counter or in a bay: the order is handed over soon.
 * @throws Refusal 422 NOT_COLLECTED, BAY_UNKNOWN, 409 NOT_READY
 */
export async function noteArrival(call: Call, order: OrderRow, typed: string | undefined): Promise<void> {
  if (order.delivery_type !== 'CURB' && order.delivery_type !== 'PICKUP')
    refuse(422, 'NOT_COLLECTED', t.badInput, { field: 'orderId' });
  const { stores } = await call.services.catalogue.of(call.db, order.country, call.seen);
  const bays = stores.get(order.store_id)?.curbBays ?? 0;
  const bay = typed?.trim() ?? '';
  const isBay = /^\d{1,3}$/.test(bay) && Number(bay) >= 1 && Number(bay) <= bays;
  if (bay !== '' && order.delivery_type === 'CURB' && !isBay)
    refuse(422, 'BAY_UNKNOWN', t.bayUnknown({ bays }), { field: 'bay' });
  await transact(call.db, async (tx) => {
    const locked = await lockOrder(tx, order.id);
    const life = locked && plannedLife(locked);
    if (!locked || !life || !['ORDER PLACED', 'INPROCESS'].includes(locked.status))
      return refuse(409, 'NOT_READY', errors.noTracking);
    if (locked.arrived_at === null) {
      await setOrder(tx, locked.id, { arrived_at: call.now, bay: bay === '' ? null : bay });
      const { steps } = life;
      const ready = steps.findIndex((step) => step.stage === 'READY');
      await hurryStep(tx, locked, ready + 1, Math.max(call.now, steps[ready]?.at ?? call.now) + COLLECT_MS);
    } else if (bay !== '') await setOrder(tx, locked.id, { bay });
  });
}
