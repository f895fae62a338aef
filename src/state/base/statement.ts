import { atom, type Getter } from 'jotai';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { countryAtom } from './country.ts';

interface Page<E> {
  readonly entries: readonly E[];
  readonly pageNumber: number;
  readonly pages: number;
}
type Query = { readonly pageNumber: string } & ({ readonly loyaltyProgramCode: string } | { readonly from: string });

/**
 * Movements of an account, page by page. `atom` has all that were read so far, newest first. `state` loads a page: page 1
 * replaces what was read, later pages are added. `from` is epoch milliseconds; without it the programme's code is sent.
 *
 * @param read null where the customer has no such account
 */
export function statement<P extends Page<{ readonly entryId: string }>>(
  nothing: P,
  read: (get: Getter, query: Query, signal: AbortSignal) => Promise<P | null>,
) {
  const heldAtom = customerAtom<P>(nothing);
  return {
    atom: atom((get) => get(heldAtom)),
    state: remote(async (get, set, signal, { pageNumber = 1, from }: { pageNumber?: number; from?: number } = {}) => {
      const more =
        from === undefined
          ? { loyaltyProgramCode: get(countryAtom).LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode }
          : { from: String(from) };
      const reply = await read(get, { pageNumber: String(pageNumber), ...more }, signal);
      if (reply === null) return null;
      set(heldAtom, (before) => {
        const held = pageNumber > 1 ? before.entries : [];
        // A new movement shifts others onto the next page: each is shown once.
        const known = new Set(held.map(({ entryId }) => entryId));
        return { ...reply, entries: [...held, ...reply.entries.filter(({ entryId }) => !known.has(entryId))] };
      });
      return reply.pageNumber;
    }),
  };
}
