/**
 * Into the browser's log and, by shell/watchers/page.ts, into the server's: for what nobody is to see who only wants a pizza.
 * Not by `reportError`: hosts and browsers count what comes that way as an error that nobody has caught.
 */
export function logFault(thrown: unknown): void {
  console.error(thrown);
  globalThis.dispatchEvent?.(new ErrorEvent('error', { error: thrown }));
}
