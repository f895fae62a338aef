/**
 * In the page itself, before any other script: a prerendered page can be touched seconds before it can act. A tap on a
 * button is shown as taken (aria-busy), kept, and made again, in order, when the page is alive. Links work by themselves, but
 * one that is tapped after a button waits with it: leaving would lose what was tapped before. Where the script cannot be had, nothing waits.
 */
const taps: HTMLElement[] = [];

function onTap(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>('button,a[href]');
  if (!button) return;
  const isLink = button.matches('a');
  if (isLink && (taps.length === 0 || event.metaKey || event.ctrlKey || event.shiftKey)) return;
  // Nobody else hears of it now: a page that is half awake would act at once, and again when the tap is made again.
  event.preventDefault();
  event.stopImmediatePropagation();
  // Impatient taps on the same button are one.
  if (taps.includes(button)) return;
  taps.push(button);
  button.setAttribute('aria-busy', 'true');
}

function end(): void {
  document.removeEventListener('click', onTap, true);
  for (const button of taps) button.removeAttribute('aria-busy');
}

document.addEventListener('click', onTap, true);
document.addEventListener('error', ({ target }) => { if (target instanceof HTMLScriptElement) end(); }, true);
document.addEventListener('alive', () => {
  end();
  for (const button of taps) button.click();
}, { once: true });

export {};
