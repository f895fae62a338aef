import { countryConfig } from '../../../../country/index.ts';
import type { AddressInput } from '../../../contract/addresses.ts';
import { isHouse } from '../../../domain/houseNumber.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { addAddress, type SavedAddress } from '../../store/addresses.ts';
import { transact } from '../../store/db.ts';
import { lockUser } from '../../store/sessions.ts';
import { saysStreet } from './places.ts';

const KEPT_AT_MOST = 20;

/**
 * The address with its number as it is kept.
 * @throws Refusal 422 if a rider could not find the door with it
 */
export async function checkedAddress(call: Call, body: AddressInput): Promise<AddressInput> {
  const catalogue = await catalogueHere(call);
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

/** @throws Refusal as `checkedAddress`, 422 ADDRESS_LIMIT */
export async function saveAddress(call: Call, body: AddressInput): Promise<SavedAddress> {
  const address = await checkedAddress(call, body);
  const userId = userIdOf(call);
  const saved = await transact(call.db, async (tx) => {
    await lockUser(tx, userId);
    return await addAddress(tx, userId, address, call.now, KEPT_AT_MOST);
  });
  return saved ?? refuse(422, 'ADDRESS_LIMIT', errors.addressLimit);
}
