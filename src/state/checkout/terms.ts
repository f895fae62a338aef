import { atom } from 'jotai';
import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';
import { customerAtom } from '../lib/forget.ts';
import { quoteState } from './quote.ts';

/** The version of the terms that was accepted with an order on this device. A newer one has to be accepted again. */
export const acceptedTermsAtom = kept<string>({ key: 'terms', schema: z.string(), initial: '', forget: 'logout' });
const tickedTermsAtom = customerAtom<boolean | null>(null);
const TermsTick = z.object({ version: z.string(), isAccepted: z.boolean() });
/** The same for a customer who comes back from a page of the bank: it counts for the terms that it was set beside. */
const keptTickAtom = kept<z.output<typeof TermsTick> | null>({
  key: 'terms-tick',
  schema: z.nullable(TermsTick),
  initial: null,
  forget: 'logout',
});
/** Never ticked beforehand (product.md C52), except if this very version was accepted before. */
export const termsAcceptedAtom = atom(
  (get): boolean => {
    const version = get(quoteState.atom).data?.termsVersion;
    const tick = get(keptTickAtom);
    const before = tick?.version === version ? tick?.isAccepted : undefined;
    return get(tickedTermsAtom) ?? before ?? (version !== undefined && get(acceptedTermsAtom) === version);
  },
  (get, set, isAccepted: boolean) => {
    const version = get(quoteState.atom).data?.termsVersion;
    set(tickedTermsAtom, isAccepted);
    set(keptTickAtom, version === undefined ? null : { version, isAccepted });
  },
);
export const forgetTickAtom = atom(null, (_get, set) => {
  set(tickedTermsAtom, null);
  set(keptTickAtom, null);
});
