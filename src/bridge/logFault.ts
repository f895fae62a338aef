/**
 * Into the browser's log and, by shell/watchers.ts, into the server's: for what nobody is to see who only wants a pizza.
 * Browsers from before `reportError` are told in its way.
 */
export function logFault(thrown: unknown): void {
  if (globalThis.reportError) globalThis.reportError(thrown);
  else {
    console.error(thrown);
    dispatchEvent(new ErrorEvent('error', { error: thrown }));
  }
}
