import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/favourites.ts';
import { favouritesAtom } from './favourites.ts';
import { kept } from './lib/kept.ts';
import { showFailureAtom } from './popup.ts';
import { apiAtom } from './seams.ts';
import { cartIdAtom } from './session.ts';

/** The list both sides had last: what is missing on one side since then was taken off there. */
const agreedAtom = kept<readonly string[]>({ key: 'favourites-agreed', schema: z.array(z.string()) as unknown as z.ZodMiniType<readonly string[]>, initial: [], forget: 'logout' });
const isRunningAtom = atom(false);

/**
 * Brings the device's favourites and the account's together, whoever changed what meanwhile. Never rejects: without a
 * network the device's list stays, and the next change tries again.
 */
export const syncFavouritesAtom = atom(null, async (get, set): Promise<void> => {
  // A visitor without a session has nobody to keep it for.
  if (get(isRunningAtom) || !get(cartIdAtom)) return;
  set(isRunningAtom, true);
  try {
    const { call } = get(apiAtom);
    const { productIds: there } = await call(contract.products, {});
    const here = get(favouritesAtom);
    const agreed = get(agreedAtom);
    const refused = new Set<string>();
    for (const productId of here.filter((id) => !agreed.includes(id) && !there.includes(id)).toReversed()) {
      try {
        await call(contract.addProduct, { body: { productId } });
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'refused') return;
        refused.add(productId);
        // A dish that left the menu goes without a word; a full list is the customer's to tidy.
        if (codeOf(thrown) !== 'PRODUCT_UNKNOWN') set(showFailureAtom, thrown);
      }
    }
    const gone = agreed.filter((id) => !here.includes(id) && there.includes(id));
    for (const productId of gone) await call(contract.removeProduct, { productId });
    const elsewhere = there.filter((id) => !here.includes(id) && !gone.includes(id));
    const together = [...here.filter((id) => !refused.has(id) && (there.includes(id) || !agreed.includes(id))), ...elsewhere];
    if (together.join() !== agreed.join()) set(agreedAtom, together);
    // A heart tapped during the calls is in the next round.
    if (together.join() !== here.join()) set(favouritesAtom, (now) => (now === here ? together : [...now, ...elsewhere.filter((id) => !now.includes(id))]));
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
  } finally {
    set(isRunningAtom, false);
  }
});
