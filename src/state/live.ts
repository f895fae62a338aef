import { atom } from 'jotai';
import * as z from 'zod/mini';
import { AddressInput } from '../contract/addresses.ts';
import { Cart, CartOptions, LineInput } from '../contract/cart.ts';
import * as config from '../contract/config.ts';
import * as menu from '../contract/menu.ts';
import { DeliveryType } from '../contract/names.ts';
import { Credentials, UserAttributes } from '../contract/session.ts';
import { Store } from '../contract/stores.ts';
import { isWithin, localTime } from '../domain/hours.ts';
import { clockAheadAtom } from './clock.ts';
import { appConfigAtom } from './config.ts';
import { storeIdAtom } from './location.ts';
import { closedAtom, homeWidgetsAtom, keptMenuAtom, liveMenuAtom, menuAtom, type Widget } from './menu.ts';
import { apiAtom, countryAtom } from './seams.ts';

// The half of the first screens that needs the server and the schemas. It loads right after the page can be used, so that
// reading and the first tap wait for neither (see the README's decisions).

const Line = z.omit(LineInput, { lineId: true });

/** Schemas of what the first screens remember, by the key of their kept value. */
export const schemas = {
  'session': z.nullable(z.object({ credentials: Credentials, attributes: UserAttributes })),
  'delivery-type': DeliveryType,
  'store': z.nullable(Store),
  'takeaway-store': z.nullable(Store),
  'place': z.nullable(z.object({
    latitude: z.number(), longitude: z.number(), text: z.string(), address_id: z.optional(z.string()), address: z.nullable(AddressInput),
  })),
  'menu': z.nullable(menu.Menu),
  'app-config': z.nullable(config.AppConfig),
  'journal': z.nullable(z.object({
    key: z.string(), orderId: z.nullable(z.string()), step: z.enum(['submitting', 'paying', 'watching']), at: z.number(),
  })),
  'group-seat': z.nullable(z.object({ code: z.string(), storeId: z.string() })),
  'veg-only': z.boolean(),
  'card-variant': z.string(),
  'favourites': z.array(z.string()),
  'usual': z.array(Line),
  'cart': z.nullable(Cart),
  'cart-options': z.nullable(CartOptions),
  'cart-operations': z.array(z.union([
    z.object({ kind: z.literal('add'), operationId: z.string(), line: LineInput }),
    z.object({
      kind: z.literal('change'), operationId: z.string(), lineId: z.string(), quantity: z.optional(z.number()), line: z.optional(z.omit(Line, { quantity: true })),
    }),
  ])),
};

/** Asks for the chosen store's menu; never rejects, an answer for a store left meanwhile is dropped. */
export const refreshMenuAtom = atom(null, async (get, set): Promise<void> => {
  const storeId = get(storeIdAtom);
  const held = get(menuAtom);
  const have = held.storeId === storeId ? held.version : '';
  set(liveMenuAtom, (before) => ({ ...before, status: 'loading' }));
  try {
    const reply = await get(apiAtom).call(menu.byStore, { storeId, query: have ? { have } : {} });
    if (get(storeIdAtom) !== storeId) return;
    // Without a menu the cached copy is still right: the specification's named 304.
    set(liveMenuAtom, { status: 'ready', menu: reply.menu ?? held });
    if (reply.menu) set(keptMenuAtom, reply.menu);
  } catch {
    // The menu on screen stays; an empty one offers to try again.
    if (get(storeIdAtom) === storeId) set(liveMenuAtom, (before) => ({ ...before, status: 'failed' }));
  }
});

/** One retry, then without it (specification section 8). */
async function twice<T>(ask: () => Promise<T>): Promise<T | null> {
  return await ask().catch(ask).catch(() => null);
}

/** The store whose widgets were asked for: once for each visit. */
const askedWidgetsAtom = atom<string | null>(null);
/** The home page's widgets, each with the content behind its link; one that does not come leaves the rest. Never rejects. */
export const refreshWidgetsAtom = atom(null, async (get, set): Promise<void> => {
  const { call } = get(apiAtom);
  const storeId = get(storeIdAtom);
  if (get(askedWidgetsAtom) === storeId) return;
  set(askedWidgetsAtom, storeId);
  const list = await twice(() => call(menu.widgets, { storeId, query: { page: 'home' } }, { retries: 0 }));
  const found = await Promise.all((list?.widgets ?? []).map(async ({ label, title, links }): Promise<Widget[]> => {
    const name = links[0]?.href.split('/').at(-1);
    const content = name ? await twice(() => call(menu.widgetContent, { storeId, name }, { retries: 0 })) : null;
    return content && content.productIds.length > 0 ? [{ label, title, productIds: content.productIds }] : [];
  }));
  if (get(storeIdAtom) === storeId) set(homeWidgetsAtom, found.flat());
  // Nothing came: the next visit asks again.
  if (!list) set(askedWidgetsAtom, null);
});

/** Works out which dishes of certain hours are not sold now, by the server's clock (requirement MENU-X10). */
export const tellHoursAtom = atom(null, (get, set) => {
  const { minutes } = localTime(Date.now() + get(clockAheadAtom), get(countryAtom).timeZone);
  const closed = get(menuAtom).items.filter((item) => item.availableFrom && item.availableTo && !isWithin(minutes, item.availableFrom, item.availableTo)).map((item) => item.id);
  set(closedAtom, (before) => (before.size === closed.length && closed.every((id) => before.has(id)) ? before : new Set(closed)));
});

/** Never rejects: after a failed call the last good copy stays (specification section 3). */
export const refreshConfigAtom = atom(null, async (get, set): Promise<void> => {
  const reply = await get(apiAtom).call(config.app, {}).catch(() => null);
  if (reply) set(appConfigAtom, reply.config);
});
