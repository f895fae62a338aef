/** The page's service workers, or undefined where there are none. In a sandboxed frame merely reading the property throws. */
export function workersHere(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}
