/**
 * In the page itself, before any other script: a prerendered page can be touched seconds before it can act. A tap on a
 * button is shown as taken (aria-busy), kept, and made again, in order, when the page is alive. Links work by themselves.
 */
const taps: HTMLElement[] = [];

function onTap(event: Event): void {
  const button = (event.target as Element).closest('button');
  if (!button) return;
  // Nobody else hears of it now: a page that is half awake would act at once, and again when the tap is made again.
  event.preventDefault();
  event.stopImmediatePropagation();
  // Impatient taps on the same button are one.
  if (taps.includes(button)) return;
  taps.push(button);
  button.setAttribute('aria-busy', 'true');
}

document.addEventListener('click', onTap, true);
document.addEventListener('alive', () => {
  document.removeEventListener('click', onTap, true);
  for (const button of taps) {
    button.removeAttribute('aria-busy');
    button.click();
  }
}, { once: true });

export {};
