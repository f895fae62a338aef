import { kept } from './lib/kept.ts';

/**
 * Where this device sits in somebody else's group order: what is added goes into that host's cart until it rises. The host
 * needs none, the cart itself says that it is shared. The rest is in state/group.ts, which no first screen needs.
 */
export type Seat = { readonly code: string; readonly storeId: string } | null;

export const seatAtom = kept<Seat>({ key: 'group-seat', initial: null, forget: 'logout' });
