import { dataset, effectiveType } from './slowly.ts';

declare global {
  /** Buttons and links that were tapped while the page was still loading; several taps on one count once. */
  var held: Set<HTMLElement> | undefined;
}

/**
 * Runs in the page's head: keeps taps until the end of the page, where early.ts carries them out. Having all of that
 * here would delay the menu.
 */
const held = (window.held = new Set());
onclick = (event) => {
  const button = (event.target as Element).closest<HTMLElement>('button,a[href]');
  if (!button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  held.add(button);
  button.setAttribute('aria-busy', 'true');
};

// On a line of 3G the pictures of dishes that nobody sees yet would delay the script by a second: they come after it (Block.module.css,
// early.ts).
dataset['held'] = effectiveType;
