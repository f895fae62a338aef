import { atom } from 'jotai';
import * as config from '../contract/config.ts';
import type { Reply } from '../contract/endpoint.ts';
import { isStoreGuessedAtom, storeIdAtom } from './first/location.ts';
import { apiAtom } from './first/seams.ts';
import { toastMessageAtom } from './first/toast.ts';

/** `pwa config` of the global state (specification section 3): name and colours as the server has them now. */
export const pwaConfigAtom = atom<Reply<typeof config.pwa>['pwa'] | null>(null);
export const loadPwaConfigAtom = atom(null, async (get, set): Promise<void> => {
  const reply = await get(apiAtom)
    .call(config.pwa, {})
    .catch(() => null);
  if (reply) set(pwaConfigAtom, reply.pwa);
});

const toldAtom = atom<ReadonlySet<string>>(new Set<string>());
/** Shows notices about the chosen store, each once. Never rejects: nobody has asked for them. */
export const loadAlertsAtom = atom(null, async (get, set): Promise<void> => {
  const storeId = get(storeIdAtom);
  const reply = await get(apiAtom)
    .call(config.alerts, { query: { storeId } })
    .catch(() => null);
  if (!reply || get(storeIdAtom) !== storeId) return;
  // The hours of a store that nobody has chosen do not matter yet.
  const news = reply.alerts.filter(
    ({ id }) => !get(toldAtom).has(id) && !(get(isStoreGuessedAtom) && id.startsWith('closed-')),
  );
  if (news.length === 0) return;
  set(toldAtom, (told) => new Set([...told, ...news.map((alert) => alert.id)]));
  set(toastMessageAtom, news.map((alert) => alert.message).join(' '));
});
