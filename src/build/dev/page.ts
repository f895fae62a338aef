/**
 * Inline in every page of `npm run dev`: loads the page again when something was built after it, and says so when the newest edit
 * could not be built. What it says is for developers.
 */
interface Change {
  /** When the newest files were written: Unix time in ms, at least 1 more than before. */
  readonly built: number;
  /** Why the newest edit is not among them; null if it is. */
  readonly failed: string | null;
}

/** The browser asks again by itself; a server that starts anew is back before this. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 200;
const own = Number(document.querySelector<HTMLElement>('script[data-built]')?.dataset['built']);
/** Whether a script or stylesheet did not come: the next edit was faster than the page. */
let isTorn = false;
addEventListener(
  'error',
  ({ target }) => {
    isTorn ||= target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
  },
  { capture: true },
);
const board = document.createElement('pre');
board.setAttribute('role', 'alert');
board.style.cssText =
  'position:fixed;inset:0 0 auto;z-index:9999;max-height:60vh;overflow:auto;margin:0;padding:12px;background:#7a1020;color:#fff;font:12px/1.4 monospace;white-space:pre-wrap;overflow-wrap:anywhere';
let impatient: ReturnType<typeof setTimeout> | undefined;

function say(what: string | null): void {
  board.textContent = what;
  if (what === null) board.remove();
  else document.body.append(board);
}

function follow(): void {
  const source = new EventSource('changes');
  source.onmessage = ({ data }) => {
    clearTimeout(impatient);
    impatient = undefined;
    const { built, failed } = JSON.parse(String(data)) as Change;
    if (failed === null && (isTorn || built !== own)) location.reload();
    else say(failed);
  };
  source.onerror = () => {
    impatient ??= setTimeout(() => say('npm run dev: the server does not answer. Its terminal says why.'), PATIENCE_MS);
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS);
  };
}
follow();

export {};
