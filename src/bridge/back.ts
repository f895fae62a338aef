import { on } from './web.ts';
import type { BackResult, Page, Transport, Unsubscribe } from './hostBridge.ts';

const SENTINEL = 'hostBack';
/** Some hosts ignore preventDefault and go back as well; this long we take a second event for the same press. */
const IGNORED_MS = 300;

/** While a listener is registered, one spare history entry lies on top, so that the first back press reaches the listener. */
export function createBack(win: Page | undefined, listen: Transport['listen']) {
  const handlers: Array<() => BackResult> = [];
  let armed = false;
  let swallow = 0;
  let hostHandled: ReturnType<typeof setTimeout> | undefined;
  let stops: Unsubscribe[] | undefined;

  const onSentinel = () => Boolean((win!.history.state as Record<string, unknown> | null)?.[SENTINEL]);
  const arm = () => {
    if (!win || !handlers.length) return;
    try {
      if (!onSentinel()) win.history.pushState({ ...(win.history.state as object | null), [SENTINEL]: true }, '');
      armed = true;
    } catch {
      // Browsers take a hundred entries in half a minute and no more: then back keeps its usual meaning.
    }
  };
  const tidy = () => {
    if (!win || handlers.length || !armed) return;
    armed = false;
    // The customer has gone on to another page: the spare entry below is skipped on the way back.
    if (!onSentinel()) return;
    swallow++;
    win.history.back();
  };
  const ask = (): BackResult => {
    for (const handler of [...handlers].reverse()) if (handler() === 'handled') return 'handled';
    return 'default';
  };
  const popped = () => {
    if (swallow) return void swallow--;
    if (onSentinel()) {
      if (handlers.length) armed = true;
      else win!.history.back();
      return;
    }
    if (!armed) return;
    armed = false;
    if (hostHandled || ask() === 'handled') arm();
    else win!.history.back();
  };
  const attach = () =>
    (stops ??= [
      on(win, 'popstate', popped),
      listen('back', (event) => {
        clearTimeout(hostHandled);
        hostHandled = undefined;
        if (ask() === 'default') return;
        event.preventDefault();
        // A host that ignores preventDefault goes back as well: that second event is not a second press.
        hostHandled = setTimeout(() => (hostHandled = undefined), IGNORED_MS);
      }),
    ]);

  return {
    onBack(handler: () => BackResult): Unsubscribe {
      attach();
      const own = () => handler();
      handlers.push(own);
      arm();
      return () => {
        const at = handlers.indexOf(own);
        if (at < 0) return;
        handlers.splice(at, 1);
        setTimeout(tidy);
      };
    },
    stop: () => stops?.forEach((each) => each()),
  };
}
