/**
 * Runs at the end of the page: whatever comes (scripts, styles, pictures) lets the notice of a page that has not started
 * wait anew (build/late.ts), because its own style counts the time since it was put into the page.
 */
export const late = document.querySelector<HTMLElement>('.late')!;
addEventListener('load', () => late.replaceWith(late), true);
