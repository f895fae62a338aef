import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/favourites.ts';
import { favouritesAtom } from '../first/favourites.ts';
import { kept } from '../first/lib/kept.ts';
import { showFailureAtom } from '../base/popup.ts';
import { apiAtom } from '../first/seams.ts';
import { cartIdAtom, isLoggedInAtom } from '../base/session.ts';

/** The list that device and account last agreed on: what one side lacks since then was removed there. */
const agreedAtom = kept<readonly string[]>({
  key: 'favourites-agreed',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
});
const isRunningAtom = atom(false);

/**
 * Brings the favourites of the device and the account together, wherever they were changed. Never rejects: without a
 * network the device's list stays, and the next change tries again.
 */
export const syncFavouritesAtom = atom(null, async (get, set): Promise<void> => {
  // Without a session there is no account to keep them in; in a guest's lies only what this device has put there.
  if (get(isRunningAtom) || !get(cartIdAtom)) return;
  if (!get(isLoggedInAtom) && get(favouritesAtom).length === 0 && get(agreedAtom).length === 0) return;
  set(isRunningAtom, true);
  try {
    const { call } = get(apiAtom);
    const { productIds: there } = await call(contract.products, {});
    const here = get(favouritesAtom);
    const agreed = get(agreedAtom);
    const refused = new Set<string>();
    for (const productId of here.filter((id) => !agreed.includes(id) && !there.includes(id)).reverse()) {
      try {
        await call(contract.addProduct, { body: { productId } });
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'refused') return;
        refused.add(productId);
        // A dish that left the menu is dropped silently. That the list is full, the customer has to know.
        if (codeOf(thrown) !== 'PRODUCT_UNKNOWN') set(showFailureAtom, thrown);
      }
    }
    const gone = agreed.filter((id) => !here.includes(id) && there.includes(id));
    for (const productId of gone) await call(contract.removeProduct, { productId });
    const elsewhere = there.filter((id) => !here.includes(id) && !gone.includes(id));
    const together = [
      ...here.filter((id) => !refused.has(id) && (there.includes(id) || !agreed.includes(id))),
      ...elsewhere,
    ];
    if (together.join() !== agreed.join()) set(agreedAtom, together);
    // A heart tapped during the calls waits for the next round.
    if (together.join() !== here.join())
      set(favouritesAtom, (now) =>
        now === here ? together : [...now, ...elsewhere.filter((id) => !now.includes(id))],
      );
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
  } finally {
    set(isRunningAtom, false);
  }
});
