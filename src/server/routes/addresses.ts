import * as addresses from '../../contract/addresses.ts';
import { errors } from '../call/language.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { refuse } from '../call/refusal.ts';
import { mustNameCaller } from '../rules/people/owner.ts';
import { checkedAddress, saveAddress } from '../rules/places/addresses.ts';
import { addressesOf, changeAddress, removeAddress } from '../store/addresses.ts';
import type { SavedAddress } from '../store/addresses.ts';

const shown = (saved: SavedAddress): addresses.Address => ({ address_id: saved.id, ...saved.address });
/** Gives the same answer for somebody else's address and for one that does not exist. @throws Refusal 404 NOT_FOUND */
const missing = (): never => refuse(404, 'NOT_FOUND', errors.notFound);

export const addressRoutes: Route[] = [
  on(addresses.list, async ({ userId }, call) => {
    mustNameCaller(call, userId, { by: 'either' });
    return { addresses: (await addressesOf(call.db, userIdOf(call))).map(shown) };
  }),
  on(addresses.create, async ({ mobNo, body }, call) => {
    mustNameCaller(call, mobNo, { by: 'either' });
    const saved = await saveAddress(call, body);
    return { address: shown(saved) };
  }),
  on(addresses.change, async ({ addressId, body }, call) => {
    const address = await checkedAddress(call, body);
    if (!(await changeAddress(call.db, userIdOf(call), addressId, address, call.now))) missing();
    return { address: shown({ id: addressId, address }) };
  }),
  on(addresses.remove, async ({ addressId }, call) => {
    if (!(await removeAddress(call.db, userIdOf(call), addressId))) missing();
    return { address_id: addressId };
  }),
];
