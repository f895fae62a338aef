import { countryConfig } from '../../../country/index.ts';
import * as addresses from '../../contract/addresses.ts';
import type { AddressInput } from '../../contract/addresses.ts';
import { errors } from '../call/language.ts';
import { isHouse } from '../../domain/door.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { refuse } from '../call/refusal.ts';
import { saysStreet } from '../rules/places/places.ts';
import { onLogin } from '../rules/people/sessions.ts';
import { addAddress, addressesOf, changeAddress, moveAddresses, removeAddress } from '../store/addresses.ts';
import type { SavedAddress } from '../store/addresses.ts';
import { transact } from '../store/db.ts';
import { lockUser } from '../store/sessions.ts';

const KEPT_AT_MOST = 20;

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

/**
 * The address with its number as it is kept.
 * @throws Refusal 422 if a rider could not find the door with it
 */
async function checked(body: AddressInput, call: Call): Promise<AddressInput> {
  const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  if (!isHouse(body.houseNo)) refuse(422, 'HOUSE_MISSING', errors.houseMissing, { field: 'houseNo' });
  if (!saysStreet(catalogue, body)) refuse(422, 'STREET_MISSING', errors.streetMissing, { field: 'address' });
  if (body.type === 'other' && (body.label ?? '') === '')
    refuse(422, 'INVALID_INPUT', errors.fieldEmpty, { field: 'label' });
  if (body.receiverMobile === undefined || body.receiverMobile === '') return body;
  const country = countryConfig(call.caller.country);
  const receiverMobile =
    phoneNumber(body.receiverMobile, country) ??
    refuse(422, 'INVALID_MOBILE', errors.mobileInvalid({ digits: country.PHONE_DIGIT }), { field: 'receiverMobile' });
  return { ...body, receiverMobile };
}

onLogin((tx, { guestUserId, userId }) => moveAddresses(tx, guestUserId, userId));

export const addressRoutes: Route[] = [
  on(addresses.list, async ({ userId }, call) => {
    mustBeOwn(userId, call);
    return { status: 'SUCCESS' as const, addresses: (await addressesOf(call.db, userIdOf(call))).map(shown) };
  }),
  on(addresses.create, async ({ mobNo, body }, call) => {
    mustBeOwn(mobNo, call);
    const address = await checked(body, call);
    const saved = await transact(call.db, async (tx) => {
      await lockUser(tx, userIdOf(call));
      return await addAddress(tx, userIdOf(call), address, call.now, KEPT_AT_MOST);
    });
    if (saved === null) refuse(422, 'ADDRESS_LIMIT', errors.addressLimit);
    return { status: 'SUCCESS' as const, address: shown(saved) };
  }),
  on(addresses.change, async ({ addressId, body }, call) => {
    const address = await checked(body, call);
    if (!(await changeAddress(call.db, userIdOf(call), addressId, address, call.now))) missing();
    return { status: 'SUCCESS' as const, address: shown({ id: addressId, address }) };
  }),
  on(addresses.remove, async ({ addressId }, call) => {
    if (!(await removeAddress(call.db, userIdOf(call), addressId))) missing();
    return { status: 'SUCCESS' as const, address_id: addressId };
  }),
];
