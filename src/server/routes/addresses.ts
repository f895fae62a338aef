import { countryConfig } from '../../../country/index.ts';
import * as addresses from '../../contract/addresses.ts';
import { errors } from '../call/language.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { refuse } from '../call/refusal.ts';
import { checkedAddress, saveAddress } from '../rules/places/addresses.ts';
import { addressesOf, changeAddress, removeAddress } from '../store/addresses.ts';
import type { SavedAddress } from '../store/addresses.ts';

const shown = (saved: SavedAddress): addresses.Address => ({ address_id: saved.id, ...saved.address });
/** Gives the same answer for somebody else's address and for one that does not exist. @throws Refusal 404 NOT_FOUND */
const missing = (): never => refuse(404, 'NOT_FOUND', errors.notFound);

/**
 * The path names the owner of the list, by user id or by phone number; it must be the caller.
 * @throws Refusal 404 NOT_FOUND
 */
function mustBeOwn(named: string, call: Call): void {
  const { userId, mobile, country } = call.caller;
  if (named !== userId && (mobile === null || phoneNumber(named, countryConfig(country)) !== mobile)) missing();
}

export const addressRoutes: Route[] = [
  on(addresses.list, async ({ userId }, call) => {
    mustBeOwn(userId, call);
    return { addresses: (await addressesOf(call.db, userIdOf(call))).map(shown) };
  }),
  on(addresses.create, async ({ mobNo, body }, call) => {
    mustBeOwn(mobNo, call);
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
