import { atom } from 'jotai';
import { workersHere } from '../bridge/workers.ts';
import * as push from '../contract/push.ts';
import { inTime } from '../domain/deadline.ts';
import { PUSH_DENIED, PUSH_UNKNOWN } from '../domain/messages.ts';
import { toastMessageAtom } from './popup.ts';
import { apiAtom } from './seams.ts';

const DEADLINE_MS = 15_000;
const PERMISSION_DEADLINE_MS = 120_000;

/** `none`: this page has nobody who could show a notice. */
export type PushState = 'unknown' | 'none' | 'offered' | 'denied' | 'on';
const heldAtom = atom<PushState>('unknown');
export const pushAtom = atom((get) => get(heldAtom));
const isBusyHeldAtom = atom(false);
export const isPushBusyAtom = atom((get) => get(isBusyHeldAtom));

/** A page inside a payment app registers no worker, so there nothing is ever offered. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  const workers = workersHere();
  if (typeof Notification === 'undefined' || !workers) return null;
  const registration = await inTime(workers.getRegistration(), DEADLINE_MS).catch(() => undefined);
  return registration && 'pushManager' in registration ? registration : null;
}

/** Finds out whether notices can be offered; asks nobody for anything. */
export const lookAtPushAtom = atom(null, async (_get, set): Promise<void> => {
  const registration = await worker();
  if (registration === null) return set(heldAtom, 'none');
  if (Notification.permission === 'denied') return set(heldAtom, 'denied');
  const held = await inTime(registration.pushManager.getSubscription(), DEADLINE_MS).catch(() => null);
  set(heldAtom, held && Notification.permission === 'granted' ? 'on' : 'offered');
});

/** After a tap: the browser asks, and the server hears where to send. */
export const switchPushOnAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isBusyHeldAtom)) return;
  set(isBusyHeldAtom, true);
  try {
    const registration = await worker();
    const permission = registration && await inTime(Notification.requestPermission(), PERMISSION_DEADLINE_MS);
    if (!registration || permission !== 'granted') {
      set(heldAtom, permission === 'denied' ? 'denied' : 'offered');
      set(toastMessageAtom, PUSH_DENIED);
      return;
    }
    const { call } = get(apiAtom);
    const { publicKey } = await call(push.key, {});
    const held = await inTime(registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }), DEADLINE_MS);
    const { endpoint, keys } = held.toJSON();
    await call(push.subscribe, {
      body: { subscription: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }, mount: new URL(document.baseURI).pathname },
    });
    set(heldAtom, 'on');
  } catch {
    set(toastMessageAtom, PUSH_UNKNOWN);
  } finally {
    set(isBusyHeldAtom, false);
  }
});

/** The browser takes nothing any more; what is still sent, the server hears, is for nobody. Answers what it had. Never rejects. */
export const endPushAtom = atom(null, async (_get, set): Promise<PushSubscription | null> => {
  const held = await worker().then((registration) => registration && inTime(registration.pushManager.getSubscription(), DEADLINE_MS)).catch(() => null);
  if (!held) return null;
  set(heldAtom, 'offered');
  await inTime(held.unsubscribe(), DEADLINE_MS).catch(() => false);
  return held;
});

export const switchPushOffAtom = atom(null, async (get, set): Promise<void> => {
  const held = await set(endPushAtom);
  set(heldAtom, 'offered');
  if (held) await get(apiAtom).call(push.unsubscribe, { body: { endpoint: held.endpoint } }).catch(() => undefined);
});
