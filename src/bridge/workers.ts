/** The page's service workers, or undefined where there are none; a sandboxed frame throws when it is only asked. */
export function workersHere(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker as ServiceWorkerContainer | undefined;
  } catch {
    return undefined;
  }
}
