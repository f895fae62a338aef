import { kept } from './lib/kept.ts';

/**
 * The seat of this device in somebody else's group order: what is added goes into that host's cart until the guest
 * leaves the seat. A host needs no seat, because the cart itself says that it is shared. The rest is in state/group/group.ts,
 * which no first screen needs.
 */
export const seatAtom = kept({ key: 'group-seat', initial: null, forget: 'logout' });
