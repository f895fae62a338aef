import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id } from './names.ts';
import { success } from './reply.ts';

const path = '/customer-service/ve1/user/favourites/products';
const reply = success({ productIds: z.array(z.string()) });

/** Newest first. A guest's favourites are added to the account at login. */
export const products = endpoint({ method: 'GET', path, about: 'Favourite dishes of this session.', reply });
export const addProduct = endpoint({
  method: 'POST',
  path,
  about: 'Adds a favourite dish; adding again changes nothing. Errors PRODUCT_UNKNOWN, FAVOURITES_FULL.',
  body: z.object({ productId: Id }),
  reply,
});
export const removeProduct = endpoint({
  method: 'DELETE',
  path: '/customer-service/ve1/user/favourites/products/{productId}',
  about: 'Takes a favourite away; one that is not there is fine.',
  reply,
});
