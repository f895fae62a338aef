let tell = () => {};
const connected = new Promise<void>((done) => {
  tell = done;
});

/** Called once the page is connected. */
export function nowConnected(): void {
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
