import * as errorText from '#text/errors.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as config from '../../contract/config.ts';
import type { Reply } from '../../contract/endpoint.ts';
import { messageOf } from '../../domain/alerts.ts';
import { isStoreGuessedAtom, storeIdAtom } from '../first/location.ts';
import { kept } from '../first/lib/kept.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';

/** `pwa config` of the global state (specification section 3): name and colours as the server has them now. */
export const pwaConfigAtom = atom<Reply<typeof config.pwa>['pwa'] | null>(null);
export const loadPwaConfigAtom = atom(null, async (get, set): Promise<void> => {
  const reply = await get(apiAtom)
    .call(config.pwa, {})
    .catch(() => null);
  if (reply) set(pwaConfigAtom, reply.pwa);
});

const MOST_DISMISSED = 20;
/** Alerts that the customer does not want to see again, the newest last, each until it is over. */
const dismissedAtom = kept<readonly { readonly storeId: string; readonly id: string }[]>({
  key: 'alerts-dismissed',
  schema: z.array(z.object({ storeId: z.string(), id: z.string() })),
  initial: [],
  forget: 'never',
  optional: true,
});
const toldAtom = atom<ReadonlySet<string>>(new Set<string>());
/**
 * Shows notices about the chosen store, each once in a visit, and no more once it was dismissed. Never rejects: nobody has
 * asked for them.
 */
export const loadAlertsAtom = atom(null, async (get, set): Promise<void> => {
  const storeId = get(storeIdAtom);
  const reply = await get(apiAtom)
    .call(config.alerts, { query: { storeId } })
    .catch(() => null);
  if (!reply || get(storeIdAtom) !== storeId) return;
  const isOver = (one: { storeId: string; id: string }) =>
    one.storeId === storeId && reply.alerts.every(({ id }) => id !== one.id);
  if (get(dismissedAtom).some(isOver)) set(dismissedAtom, (all) => all.filter((one) => !isOver(one)));
  const dismissed = new Set(get(dismissedAtom).map(({ id }) => id));
  const all = reply.alerts.map(({ id, message }) => ({ id, message: messageOf(message) ?? '' }));
  // The hours of a store that nobody has chosen do not matter yet.
  const news = all.filter(
    ({ id, message }) =>
      message !== '' &&
      !dismissed.has(id) &&
      !get(toldAtom).has(id) &&
      !(get(isStoreGuessedAtom) && id.startsWith('closed-')),
  );
  if (news.length === 0) return;
  set(toldAtom, (told) => new Set([...told, ...news.map((alert) => alert.id)]));
  set(toastMessageAtom, news.map((alert) => alert.message).join(' '), {
    label: errorText.ok,
    act: () => set(dismissedAtom, (all) => [...all, ...news.map(({ id }) => ({ storeId, id }))].slice(-MOST_DISMISSED)),
  });
});
