/**
 * Whether a key still belongs to what a keyboard composes: Enter and the arrows choose among its suggestions then, and
 * nothing of ours. Some browsers end the composition before that Enter, and tell it only by its old number.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;
