import * as contract from '../../contract/coupons.ts';
import { isStoreShownAtom, partnerOfferAtom } from './coupons.ts';
import { storeIdAtom } from '../first/location.ts';
import { apiAtom } from '../first/seams.ts';
import { remote } from '../lib/remote.ts';

/** What runs at the store, for whoever has nothing in the cart yet: it needs no session, and no cart at the server. */
export const storeOffersState = remote(
  async (get, set, signal) => {
    set(isStoreShownAtom, true);
    return await get(apiAtom).call(
      contract.ofStore,
      { storeId: get(storeIdAtom), query: { includePartnerOffer: get(partnerOfferAtom) } },
      { signal },
    );
  },
  { isCustomers: false },
);
