/** The notice of a page that is still loading (build/noScriptNotice.ts). */
const late = globalThis.document?.querySelector('.late');
let waits = 1;

/**
 * Something more is waited for, or something less; at first it is the connection. While it is anything the notice stands
 * in the page, whose style shows it where that takes long.
 */
export function wait(step: 1 | -1): void {
  waits += step;
  if (!waits) late?.remove();
  else if (late?.isConnected === false) {
    late.querySelector<HTMLAnchorElement>('[data-leave]')!.href = location.href;
    document.body.append(late);
  }
}

let tell = () => {};
const connected = new Promise<void>((done) => {
  tell = done;
});

/** Called once the page is connected. */
export function nowConnected(): void {
  wait(-1);
  tell();
}

/** Resolves when the page is connected. Screens beyond the first ones begin with calls, so they wait for it. */
export function whenConnected(): Promise<void> {
  return connected;
}

let tellShown = () => {};
const shown = new Promise<void>((done) => {
  tellShown = done;
});

/** Called when the first screen is on the page and its effects run. */
export function nowShown(): void {
  tellShown();
}

/**
 * Resolves when the first screen is shown. Remembered values are read only then: during hydration the page has to look
 * as it was prerendered.
 */
export function whenShown(): Promise<void> {
  return shown;
}
