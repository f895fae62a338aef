import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Position, text } from './names.ts';
import { success } from './reply.ts';

/** Characters of each field that is typed. */
export const LONGEST = { houseNo: 80, address: 160, landmark: 120 } as const;

export const AddressInput = z.object({
  ...Position.shape,
  houseNo: text(LONGEST.houseNo).check(z.minLength(1)),
  /** Street, or where streets have no names nothing of it, and the area. */
  address: text(400).check(z.minLength(1)),
  /** The area alone, the end of `address`; it tells the street from it. */
  area: z.optional(text(240)),
  type: z.enum(['home', 'office', 'other']),
  /** Name of the address, for the type `other`. */
  label: z.optional(text(40)),
  landmark: z.optional(text(LONGEST.landmark)),
  instructions: z.optional(text(160)),
  receiverName: z.optional(text(60)),
  receiverMobile: z.optional(text(24)),
});
export type AddressInput = z.output<typeof AddressInput>;
export const Address = z.object({ address_id: z.string(), ...AddressInput.shape });
export type Address = z.output<typeof Address>;

const one = success({ address: Address });
export const list = endpoint({
  method: 'GET',
  path: '/customer-service/ve2/user/{userId}/addresses',
  access: 'user',
  about: 'Saved addresses.',
  reply: success({ addresses: z.array(Address) }),
});
export const create = endpoint({
  method: 'POST',
  path: '/customer-service/ve2/user/{mobNo}/addresses',
  aliases: ['/user/{mobNo}/addresses'],
  access: 'user',
  about: 'Saves an address. Errors HOUSE_MISSING, and STREET_MISSING where it says no more than the area.',
  body: AddressInput,
  reply: one,
});
export const change = endpoint({
  method: 'PUT',
  path: '/customer-service/ve2/user/addresses/{addressId}',
  aliases: ['/user/addresses/{addressId}'],
  access: 'user',
  about: 'Changes an address.',
  body: AddressInput,
  reply: one,
});
export const remove = endpoint({
  method: 'DELETE',
  path: '/customer-service/ve2/user/addresses/{addressId}',
  aliases: ['/user/addresses/{addressId}'],
  access: 'user',
  about: 'Deletes an address.',
  reply: success({ address_id: z.string() }),
});
