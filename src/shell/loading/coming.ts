/**
 * Runs at the end of the page, in syntax that any browser reads (build/script.ts). It says how the page's scripts come (the notice of build/noScriptNotice.ts, which its style shows). Whatever has come (scripts, styles,
 * pictures) lets the notice wait anew, because its style counts the time since it was put into the page. Where a script
 * does not load or fails, the samples before the notice are taken out: without them it comes soon, and says that the page
 * has failed. So it does in a browser that is too old for the app and stumbles over their text.
 */
declare global {
  /** The first error of the page, until somebody tells the server of it (watchers/page.ts). */
  var fault: object | undefined;
}

export const [samples, late] = document.querySelectorAll<HTMLElement>('#early,.late') as unknown as [
  HTMLTemplateElement,
  HTMLElement,
];

/** A picture or style that does not load changes nothing. */
function onError(event: Event): void {
  // IMG and LINK, but not SCRIPT; of the window there is no name.
  if (/G|K/.test((event.target as Node).nodeName)) return;
  window.fault = window.fault || event;
  samples.remove();
  if (late.onanimationend) late.onanimationend(event as AnimationEvent);
}

addEventListener('load', () => late.replaceWith(late), true);
addEventListener('error', onError, true);
addEventListener('unhandledrejection', onError);
