import type { Setter } from 'jotai';

/**
 * Everything that belongs to one customer registers here, so that logging out has to import no other file
 * (specification section 4, Logout).
 */
export const forgetters = new Set<(set: Setter) => void>();
