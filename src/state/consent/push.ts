import { atom } from 'jotai';
import { workersHere } from '../../bridge/workers.ts';
import * as push from '../../contract/push.ts';
import { withTimeout } from '../../domain/withTimeout.ts';
import * as errors from '#text/errors.ts';
import { tasks } from '../base/task.ts';
import { sayAtom } from './consents.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom } from '../first/seams.ts';
import { question } from '../lib/question.ts';

const DEADLINE_MS = 15_000;
const PERMISSION_DEADLINE_MS = 120_000;

/** `none`: this page cannot show notifications. */
export type PushState = 'unknown' | 'none' | 'offered' | 'denied' | 'on';
const heldAtom = atom<PushState>('unknown');
export const pushAtom = atom((get) => get(heldAtom));
export const pushTasks = tasks();

/** The page's service worker. Inside a payment app none is registered, so nothing is offered there. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  const workers = workersHere();
  if (typeof Notification === 'undefined' || !workers) return null;
  const registration = await withTimeout(workers.getRegistration(), DEADLINE_MS).catch(() => undefined);
  return registration && 'pushManager' in registration ? registration : null;
}

/** Finds out whether notifications can be offered, without asking for permission. */
export const lookAtPushAtom = atom(null, async (_get, set): Promise<void> => {
  const registration = await worker();
  if (registration === null) return set(heldAtom, 'none');
  if (Notification.permission === 'denied') return set(heldAtom, 'denied');
  const held = await withTimeout(registration.pushManager.getSubscription(), DEADLINE_MS).catch(() => null);
  set(heldAtom, held && Notification.permission === 'granted' ? 'on' : 'offered');
});

/** Tells the server where to send notifications, for the session of this page. @throws Failure */
const tellPushAtom = atom(null, async (get, _set, held: PushSubscription): Promise<void> => {
  const { endpoint, keys } = held.toJSON();
  await get(apiAtom).call(push.subscribe, {
    body: {
      subscription: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
      mount: new URL(document.baseURI).pathname,
    },
  });
});

/** Notifications that this browser has stay on while those of other devices end. Never rejects. */
export const keepPushAtom = atom(null, async (_get, set): Promise<void> => {
  try {
    const registration = await worker();
    const held = registration && (await withTimeout(registration.pushManager.getSubscription(), DEADLINE_MS));
    if (held) await set(tellPushAtom, held);
  } catch {
    // It is offered again where an order is followed.
    set(heldAtom, 'offered');
  }
});

/** Whether this page may show notifications. */
const permissionQuestion = question(() => withTimeout(Notification.requestPermission(), PERMISSION_DEADLINE_MS));

/** After a tap: the browser asks the customer, and the server learns where to send notifications. */
export const switchPushOnAtom = pushTasks.task(
  async (get, set) => {
    const registration = await worker();
    const answer = registration && (await set(permissionQuestion.ask));
    if (answer?.is === 'failed') throw answer.thrown;
    const permission = answer?.is === 'answered' ? answer.value : null;
    if (!registration || permission !== 'granted') {
      set(heldAtom, permission === 'denied' ? 'denied' : 'offered');
      set(toastMessageAtom, errors.pushDenied);
      return;
    }
    const { publicKey } = await get(apiAtom).call(push.key, {});
    const held = await withTimeout(
      registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
      DEADLINE_MS,
    );
    await set(tellPushAtom, held);
    set(heldAtom, 'on');
    void set(sayAtom, 'news', true);
  },
  { failed: (_get, set) => set(toastMessageAtom, errors.pushUnknown) },
);

/** Ends the browser's subscription. @returns the one that it had, so that the server can be told. Never rejects. */
export const endPushAtom = atom(null, async (_get, set): Promise<PushSubscription | null> => {
  const held = await worker()
    .then((registration) => registration && withTimeout(registration.pushManager.getSubscription(), DEADLINE_MS))
    .catch(() => null);
  if (!held) return null;
  set(heldAtom, 'offered');
  await withTimeout(held.unsubscribe(), DEADLINE_MS).catch(() => false);
  return held;
});

export const switchPushOffAtom = atom(null, async (get, set): Promise<void> => {
  const held = await set(endPushAtom);
  set(heldAtom, 'offered');
  void set(sayAtom, 'news', false);
  if (held)
    await get(apiAtom)
      .call(push.unsubscribe, { body: { endpoint: held.endpoint } })
      .catch(() => undefined);
});
