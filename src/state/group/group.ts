import * as errors from '#text/errors.ts';
import * as t from '#text/group.ts';
import { atom, type Getter, type Setter } from 'jotai';
import * as z from 'zod/mini';
import { isGone } from '../../api/failure.ts';
import * as contract from '../../contract/group.ts';
import type { Diet, Group } from '../../contract/group.ts';
import { typedText } from '../../domain/typedText.ts';
import { loadCartAtom, syncCartAtom } from '../cart/cart.ts';
import { cartAtom, isCartWaitingAtom, pendingAtom } from '../first/cart.ts';
import { setCartOptionsAtom } from '../cart/cart.ts';
import { kept } from '../first/lib/kept.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { tasks } from '../base/task.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom, navigateAtom, pathAtom } from '../first/seams.ts';
import { cartIdAtom } from '../base/session.ts';
import { seatAtom } from '../first/group.ts';
import { shareAtom } from '../base/share.ts';

const Me = z.object({ name: z.string(), diet: z.array(contract.Diet) });
export type Me = z.output<typeof Me>;
/** The customer's name in group orders and what they do not eat; asked for once. */
export const meAtom = kept<Me>({ key: 'group-me', schema: Me, initial: { name: '', diet: [] }, forget: 'logout' });

/** The group order that this device is in, as host or as guest. */
export const ownCodeAtom = atom((get) => get(seatAtom)?.code ?? get(cartAtom)?.group?.code ?? null);

/** What the host is about to open: minutes, and the limit as typed. */
const Draft = z.object({ minutes: z.number(), limit: z.string() });
export const groupDraftAtom = kept<z.output<typeof Draft>>({
  key: 'group-draft',
  schema: Draft,
  initial: { minutes: 30, limit: '' },
  forget: 'logout',
});

/** The group on screen. */
export const groupState = remote(async (get, set, signal, code: string): Promise<Group> => {
  const { group, stamp } = await get(apiAtom).call(contract.byCode, { code, query: {} }, { signal });
  if (!group) throw new Error('no group in an answer that was asked for one');
  await met(get, set, group, stamp);
  return group;
});

/** The group that this device is in, whatever is on screen, and the stamp of its last known state. */
const heldAtom = customerAtom<{ readonly group: Group; readonly stamp: string } | null>(null);
export const ownGroupAtom = atom((get) => get(heldAtom)?.group ?? null);

export const isOver = (group: Pick<Group, 'state'>) => group.state === 'ORDERED' || group.state === 'ENDED';

/** Returns to the own cart. Additions that have not been sent yet go there, so that nothing is lost. */
async function rise(set: Setter): Promise<void> {
  set(seatAtom, null);
  set(cartAtom, null);
  await set(loadCartAtom).catch(() => undefined);
}

/** Takes over a newer state of a group, with everything that follows for this device. */
async function met(get: Getter, set: Setter, group: Group, stamp = ''): Promise<void> {
  set(heldAtom, { group, stamp });
  if (get(groupState.atom).data?.code === group.code) set(groupState.put, group);
  const isSeated = get(seatAtom)?.code === group.code;
  if (isSeated && (isOver(group) || group.role !== 'guest')) {
    const isHere = get(pathAtom).startsWith(`/group/${group.code}`);
    await rise(set);
    if (group.role === 'stranger') set(toastMessageAtom, errors.groupOut);
    else if (!isHere) {
      set(
        toastMessageAtom,
        group.state === 'ORDERED'
          ? t.toastOrdered({ host: group.hostName })
          : t.toastCalledOff({ host: group.hostName }),
        { label: t.toastSee, act: () => get(navigateAtom).go(`/group/${group.code}`) },
      );
    }
    return;
  }
  if (isSeated && group.store.id !== get(seatAtom)?.storeId)
    set(seatAtom, { code: group.code, storeId: group.store.id });
  // Somebody has added a dish, the host has removed one, or the order was placed on another device.
  if (isSeated || group.role === 'host') await set(loadCartAtom).catch(() => undefined);
}

async function sit(set: Setter, group: Group): Promise<void> {
  set(seatAtom, { code: group.code, storeId: group.store.id });
  set(cartAtom, null);
  await set(loadCartAtom).catch(() => undefined);
}

/**
 * Asks whether anything is new; errors stay silent. @returns whether an answer came: without one the next question
 * waits longer
 */
export const watchGroupAtom = atom(null, async (get, set, code: string): Promise<boolean> => {
  const held = get(heldAtom);
  const have = held?.group.code === code ? held.stamp : '';
  try {
    const { group, stamp } = await get(apiAtom).call(contract.byCode, { code, query: have ? { have } : {} });
    if (!group) return true;
    await met(get, set, group, stamp);
    return true;
  } catch (thrown) {
    if (!isGone(thrown)) return false;
    if (get(seatAtom)?.code === code) await rise(set);
    // The page says that it is gone, too.
    if (get(groupState.atom).data?.code === code) await set(groupState.load, code);
    return false;
  }
});

/** Changes of the group, one at a time. After a failure what is on screen stays. */
export const groupTasks = tasks();

/** @param work gives the group as it is afterwards; null where this device has left it */
const change = <A extends unknown[]>(work: (get: Getter, set: Setter, ...args: A) => Promise<Group | null>) =>
  groupTasks.task(async (get, set, ...args: A) => {
    const group = await work(get, set, ...args);
    if (group) await met(get, set, group);
  });

/** Opens the own cart to others and goes to the group's page. */
export const startGroupAtom = change(
  async (get, set, { me, minutes, limit }: { me: Me; minutes: number; limit: number | null }) => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    // Sends the host's store first, because the guests see its menu.
    set(setCartOptionsAtom, {});
    await set(syncCartAtom);
    const { group } = await call(contract.start, {
      cartId: get(cartIdAtom) ?? '',
      body: { name: typedText(me.name), diet: me.diet, minutes, limit },
    });
    set(meAtom, me);
    get(navigateAtom).go(`/group/${group.code}`, { replace: true });
    return group;
  },
);

export const joinGroupAtom = change(async (get, set, code: string, me: Me) => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const { group } = await get(apiAtom).call(contract.join, {
    code,
    body: { name: typedText(me.name), diet: me.diet },
  });
  set(meAtom, me);
  await sit(set, group);
  return group;
});

/** A guest who had gone back to the own cart returns to the group's. */
export const sitDownAtom = atom(null, async (get, set, group: Group): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  await sit(set, group);
});
/** A guest goes back to the own cart. Their dishes stay in the group, and they may return. */
export const standUpAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  await rise(set);
});

export const changeMeAtom = change(
  async (get, set, code: string, personId: string, body: { name?: string; diet?: Diet[]; done?: boolean }) => {
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    return (await get(apiAtom).call(contract.change, { code, personId, body })).group;
  },
);

export const ruleGroupAtom = change(
  async (get, _set, code: string, body: { close?: boolean; moreMinutes?: number; limit?: number | null }) =>
    (await get(apiAtom).call(contract.rule, { code, body })).group,
);

/** The host removes a person, or a guest leaves. Changes of theirs that were not sent yet are dropped. */
export const removePersonAtom = change(async (get, set, code: string, personId: string) => {
  await get(apiAtom).call(contract.leave, { code, personId });
  if (get(seatAtom)?.code === code) {
    set(pendingAtom, []);
    await rise(set);
    get(navigateAtom).go('/menu', { replace: true });
    return null;
  }
  return (await get(apiAtom).call(contract.byCode, { code, query: {} })).group;
});

export const endGroupAtom = change(async (get, _set, code: string) => {
  await get(apiAtom).call(contract.end, { code });
  return (await get(apiAtom).call(contract.byCode, { code, query: {} })).group;
});

/**
 * Shares the link by the host's or the browser's share sheet, or copies it. If neither works, the code on the page
 * remains.
 */
export const shareGroupAtom = atom(
  null,
  (_get, set, group: Pick<Group, 'code' | 'hostName' | 'state'>, way: 'share' | 'copy'): Promise<void> => {
    const title = (group.state === 'ORDERED' ? t.shareTitleOrdered : t.shareTitle)({ host: group.hostName });
    return set(shareAtom, {
      title,
      text: title,
      path: `/group/${group.code}`,
      isCopyWanted: way === 'copy',
      failed: t.shareFailed,
    });
  },
);
