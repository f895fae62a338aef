import * as t from '#text/customise.ts';
import { href } from '../../ui/href.ts';

type Go = (path: string, options?: { replace?: boolean }) => void;

/**
 * Goes back to the page before, which keeps its scroll position. If that was no page of the app, goes to `fallback`.
 * `then` runs when the page has changed: a message told before would belong to this one.
 */
export function leave(go: Go, fallback: string, then?: () => void): void {
  if (history.state) {
    if (then) addEventListener('popstate', then, { once: true });
    history.back();
  } else {
    go(fallback, { replace: true });
    then?.();
  }
}

/** The Back link at the top of a dish's page; it leaves as `leave` does. */
export function backToMenu(go: Go) {
  return {
    label: t.back,
    href: href('/menu'),
    onClick: (event: { preventDefault(): void }) => {
      event.preventDefault();
      leave(go, '/menu');
    },
  };
}
