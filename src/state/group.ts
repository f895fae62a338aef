import { atom, type Getter, type Setter } from 'jotai';
import * as z from 'zod/mini';
import { codeOf } from '../api/failure.ts';
import * as contract from '../contract/group.ts';
import type { Diet, Group } from '../contract/group.ts';
import { GROUP_OUT } from '../domain/messages.ts';
import { cartAtom, isCartWaitingAtom, loadCartAtom, pendingAtom, putCartAtom, setCartOptionsAtom, syncCartAtom } from './cart.ts';
import { kept } from './lib/kept.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom, hostAtom, navigateAtom, placeAtom } from './seams.ts';
import { cartIdAtom } from './session.ts';
import { seatAtom } from './seat.ts';
import { shareAtom } from './share.ts';

const Me = z.object({ name: z.string(), diet: z.array(contract.Diet) });
export type Me = z.output<typeof Me>;
/** How this customer is called in group orders, and what goes with them; asked for once. */
export const meAtom = kept<Me>({ key: 'group-me', schema: Me, initial: { name: '', diet: [] }, forget: 'logout' });

/** The group order that this device is in, as host or as guest. */
export const ownCodeAtom = atom((get) => get(seatAtom)?.code ?? get(cartAtom)?.group?.code ?? null);

/** What a host is about to open: minutes, and the limit as typed. */
const Draft = z.object({ minutes: z.number(), limit: z.string() });
export const groupDraftAtom = kept<z.output<typeof Draft>>({ key: 'group-draft', schema: Draft, initial: { minutes: 30, limit: '' }, forget: 'logout' });

/** The group on screen. */
export const groupState = remote(async (get, set, signal, code: string): Promise<Group> => {
  const { group, stamp } = await get(apiAtom).call(contract.byCode, { code, query: {} }, { signal });
  if (!group) throw new Error('no group in an answer that was asked for one');
  await met(get, set, group, stamp);
  return group;
});

/** The group that this device is in, whatever is on screen, and the stamp of what is known of it. */
const heldAtom = forgotten<{ readonly group: Group; readonly stamp: string } | null>(null);
export const ownGroupAtom = atom((get) => get(heldAtom)?.group ?? null);

export const isOver = (group: Pick<Group, 'state'>) => group.state === 'ORDERED' || group.state === 'ENDED';

/** Back to the own cart. What was added and has not arrived goes there, so that nothing is lost. */
async function rise(get: Getter, set: Setter): Promise<void> {
  set(seatAtom, null);
  set(putCartAtom, null);
  await set(loadCartAtom).catch(() => undefined);
}

/** What a newer view of a group means for this device. */
async function met(get: Getter, set: Setter, group: Group, stamp = ''): Promise<void> {
  set(heldAtom, { group, stamp });
  if (get(groupState.atom).data?.code === group.code) set(groupState.put, group);
  const isSeated = get(seatAtom)?.code === group.code;
  if (isSeated && (isOver(group) || group.role !== 'guest')) {
    const isHere = get(placeAtom).startsWith(`/group/${group.code}`);
    await rise(get, set);
    if (group.role === 'stranger') set(toastMessageAtom, GROUP_OUT);
    else if (!isHere) {
      set(toastMessageAtom, group.state === 'ORDERED' ? `${group.hostName} has placed the group order.` : `${group.hostName} has called the group order off.`,
        { label: 'See it', act: () => get(navigateAtom).go(`/group/${group.code}`) });
    }
    return;
  }
  if (isSeated && group.store.id !== get(seatAtom)?.storeId) set(seatAtom, { code: group.code, storeId: group.store.id });
  // Somebody added, or the host took something out, or the order was placed on another device.
  if (isSeated || group.role === 'host') await set(loadCartAtom).catch(() => undefined);
}

async function sit(set: Setter, group: Group): Promise<void> {
  set(seatAtom, { code: group.code, storeId: group.store.id });
  set(putCartAtom, null);
  await set(loadCartAtom).catch(() => undefined);
}

/** Asks whether anything is new; quiet. Answers whether an answer came: after none the next question waits longer. */
export const watchGroupAtom = atom(null, async (get, set, code: string): Promise<boolean> => {
  const held = get(heldAtom);
  const have = held?.group.code === code ? held.stamp : '';
  try {
    const { group, stamp } = await get(apiAtom).call(contract.byCode, { code, query: have ? { have } : {} });
    if (!group) return true;
    await met(get, set, group, stamp);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'NOT_FOUND' && get(seatAtom)?.code === code) await rise(get, set);
    return false;
  }
});

const isBusyHeldAtom = forgotten(false);
/** Something about the group is on its way: buttons say so. */
export const isGroupBusyAtom = atom((get) => get(isBusyHeldAtom));

/** One thing at a time; a failure is shown, and what is on screen stays. Answers whether it was done. */
async function doing(get: Getter, set: Setter, work: () => Promise<Group | null>): Promise<boolean> {
  if (get(isBusyHeldAtom)) return false;
  set(isBusyHeldAtom, true);
  try {
    const group = await work();
    if (group) await met(get, set, group);
    return true;
  } catch (thrown) {
    set(showFailureAtom, thrown);
    return false;
  } finally {
    set(isBusyHeldAtom, false);
  }
}

/** Opens the own cart to others and goes to its page. */
export const startGroupAtom = atom(null, (get, set, wish: { me: Me; minutes: number; limit: number | null }) => doing(get, set, async () => {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  // The guests are to see the menu of the store that the host has chosen.
  set(setCartOptionsAtom, {});
  await set(syncCartAtom);
  const { me, minutes, limit } = wish;
  const { group } = await call(contract.start, { cartId: get(cartIdAtom) ?? '', body: { name: me.name.trim(), diet: me.diet, minutes, limit } });
  set(meAtom, me);
  get(navigateAtom).go(`/group/${group.code}`, { replace: true });
  return group;
}));

export const joinGroupAtom = atom(null, (get, set, code: string, me: Me) => doing(get, set, async () => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const { group } = await get(apiAtom).call(contract.join, { code, body: { name: me.name.trim(), diet: me.diet } });
  set(meAtom, me);
  await sit(set, group);
  return group;
}));

/** A guest who went back to the own cart goes on here. */
export const sitDownAtom = atom(null, async (get, set, group: Group): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  await sit(set, group);
});
/** Back to the own cart; the dishes here stay, and so does the seat. */
export const standUpAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  await rise(get, set);
});

export const changeMeAtom = atom(null, (get, set, code: string, personId: string, change: { name?: string; diet?: Diet[]; done?: boolean }) => doing(get, set, async () => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  return (await get(apiAtom).call(contract.change, { code, personId, body: change })).group;
}));

export const ruleGroupAtom = atom(null, (get, set, code: string, rule: { close?: boolean; moreMinutes?: number; limit?: number | null }) => doing(get, set, async () => (
  (await get(apiAtom).call(contract.rule, { code, body: rule })).group)));

/** The host takes somebody out, or a guest goes. What a guest still had on the way goes too. */
export const removePersonAtom = atom(null, (get, set, code: string, personId: string) => doing(get, set, async () => {
  await get(apiAtom).call(contract.leave, { code, personId });
  if (get(seatAtom)?.code === code) {
    set(pendingAtom, []);
    await rise(get, set);
    get(navigateAtom).go('/menu', { replace: true });
    return null;
  }
  return (await get(apiAtom).call(contract.byCode, { code, query: {} })).group;
}));

export const endGroupAtom = atom(null, (get, set, code: string) => doing(get, set, async () => {
  await get(apiAtom).call(contract.end, { code });
  return (await get(apiAtom).call(contract.byCode, { code, query: {} })).group;
}));

/** The link in the host's own sheet, in the browser's, or on the clipboard; where nothing can be done the code on the page is left. */
export const shareGroupAtom = atom(null, (_get, set, group: Pick<Group, 'code' | 'hostName' | 'state'>, way: 'share' | 'copy'): Promise<void> => {
  const title = group.state === 'ORDERED' ? `${group.hostName}'s group order: who pays what` : `Order with ${group.hostName}`;
  return set(shareAtom, { title, text: title, path: `/group/${group.code}`, isCopyWanted: way === 'copy', failed: 'That is not possible here. Please tell them the code on this page.' });
});
