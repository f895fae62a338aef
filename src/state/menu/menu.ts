import { atom } from 'jotai';
import * as contract from '../../contract/menu.ts';
import { isWithin, localTime } from '../../domain/hours.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { storeIdAtom } from '../first/location.ts';
import { closedAtom, homeWidgetsAtom, keptMenuAtom, liveMenuAtom, menuAtom, type Widget } from '../first/menu.ts';
import { countryAtom } from '../base/country.ts';
import { apiAtom } from '../first/seams.ts';

const loadAtom = atom(null, async (get, set): Promise<void> => {
  const storeId = get(storeIdAtom);
  const held = get(menuAtom);
  const have = held.storeId === storeId ? held.version : '';
  set(liveMenuAtom, (before) => ({ ...before, status: 'loading' }));
  try {
    const reply = await get(apiAtom).call(contract.byStore, { storeId, query: have ? { have } : {} });
    if (get(storeIdAtom) !== storeId) return;
    // An answer without a menu says that the cached copy is still right: the 304 of the specification.
    set(liveMenuAtom, { status: 'ready', menu: reply.menu ?? held });
    if (reply.menu) set(keptMenuAtom, { ...reply.menu, locale: get(countryAtom).locale });
  } catch {
    // The menu on screen stays. If it is empty, the page offers another try.
    if (get(storeIdAtom) === storeId) set(liveMenuAtom, (before) => ({ ...before, status: 'failed' }));
  }
});
const loadingAtom = atom<Promise<void> | null>(null);
/** Loads the chosen store's menu. Never rejects; an answer for a store that is no longer chosen is dropped. */
export const refreshMenuAtom = atom(null, async (_get, set): Promise<void> => {
  const loading = set(loadAtom);
  set(loadingAtom, loading);
  await loading;
  set(loadingAtom, (now) => (now === loading ? null : now));
});
/** Until there is a menu, whichever, or its call has failed. */
export const awaitMenuAtom = atom(null, async (get, set): Promise<void> => {
  if (get(menuAtom).items.length === 0) await (get(loadingAtom) ?? set(refreshMenuAtom));
});

/** Tries twice, then does without it (specification section 8). */
async function twice<T>(ask: () => Promise<T>): Promise<T | null> {
  return await ask()
    .catch(ask)
    .catch(() => null);
}

/** The store whose widgets were asked for: once in each visit. */
const askedWidgetsAtom = atom<string | null>(null);
/**
 * Loads the home page's widgets, each with the content behind its link; a widget that fails is left out. Never rejects.
 */
export const refreshWidgetsAtom = atom(null, async (get, set): Promise<void> => {
  const { call } = get(apiAtom);
  const storeId = get(storeIdAtom);
  if (get(askedWidgetsAtom) === storeId) return;
  set(askedWidgetsAtom, storeId);
  const list = await twice(() => call(contract.widgets, { storeId, query: { page: 'home' } }, { retries: 0 }));
  const found = await Promise.all(
    (list?.widgets ?? []).map(async ({ label, title, links }): Promise<Widget[]> => {
      const path = links[0]?.href ?? '';
      // Never to another origin: the call carries who the customer is.
      if (!/^\/\w/.test(path)) return [];
      const content = await twice(() => call({ ...contract.widgetContent, path }, {}, { retries: 0 }));
      return content ? [{ ...content, label, title }] : [];
    }),
  );
  // A shelf all of whose dishes stand on one below it, too, would say them twice.
  const shelves = found
    .flat()
    .filter(
      ({ productIds }, at, all) =>
        !all.slice(at + 1).some((below) => productIds.every((id) => below.productIds.includes(id))),
    );
  if (get(storeIdAtom) === storeId) set(homeWidgetsAtom, shelves);
  // The list did not come: the next visit to the home page asks again.
  if (!list) set(askedWidgetsAtom, null);
});

/** Finds the dishes that are not sold at this hour, by the server's clock (requirement MENU-X10). */
export const tellHoursAtom = atom(null, (get, set) => {
  const { minutes } = localTime(Date.now() + get(clockAheadAtom), get(countryAtom).timeZone);
  const closed = get(menuAtom)
    .items.filter(
      (item) => item.availableFrom && item.availableTo && !isWithin(minutes, item.availableFrom, item.availableTo),
    )
    .map((item) => item.id);
  set(closedAtom, (before) =>
    before.size === closed.length && closed.every((id) => before.has(id)) ? before : new Set(closed),
  );
});
