/**
 * Placeholders for a dish's name and a count in the samples of the stepper and the cart: the prerenderer writes them
 * (prerender.tsx), and taps before the script replace them with the real ones (early.ts).
 */
export const NAME = '~';
/** Placeholder for all counts above one. */
export const MANY = '48';
/**
 * The highest count that is drawn from the samples. A stepper ends at one more, where it looks different: React draws
 * that.
 */
export const MOST = 49;
