import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

/** Stored checkout detail, with the names of the specification, section 3. */
const Detail = z.object({ fName: z.string(), lName: z.string(), mobNo: z.string(), email: z.string() });
export type Detail = z.output<typeof Detail>;
const NO_DETAIL: Detail = { fName: '', lName: '', mobNo: '', email: '' };
export const detailAtom = kept<Detail>({
  key: 'checkout-detail',
  schema: Detail,
  initial: NO_DETAIL,
  forget: 'logout',
});
export function customerOf(detail: Detail) {
  return {
    firstName: detail.fName,
    lastName: detail.lName,
    mobile: detail.mobNo,
    ...(detail.email ? { email: detail.email } : {}),
  };
}
