import type { Operation } from '../../state/first/cart.ts';
import { newId } from '../../state/first/lib/ids.ts';
import { late, samples } from './coming.ts';
import { MANY, MOST, NAME } from '../drawn.ts';
import type {} from './hold.ts';

/**
 * Runs at the end of the page, before any other script: a prerendered page can be touched seconds before React can act.
 * A tapped dish is counted at once: in the cart's operations on the device, so that nothing is lost if the script never
 * comes, and on the page, which then looks exactly as React draws these operations. React starts from them (start.tsx)
 * and hydrates the page as it is, so nothing is done twice. A tapped category is scrolled to. A tapped toggle turns;
 * any other button shows that it was taken (aria-busy). These are kept and tapped again, in order, when the page is
 * alive. Links work by themselves, but a link tapped after a button waits with it, because leaving would load the
 * script again. If the script cannot be loaded, nothing waits.
 */
declare global {
  /**
   * Hands what the page shows over to React, which draws it from then on: a change of the cart's operations, and the
   * category in view.
   */
  var taps:
    | ((
        change: (update: (pending: readonly Operation[]) => readonly Operation[]) => void,
        choose: (category: string) => void,
      ) => void)
    | undefined;
}

const operations: Operation[] = [];
/** The cart's line of each dish on this page, by `data-dish`. */
const lines = new Map<string, { readonly lineId: string; readonly quantity: number }>();
let pieces = 0;
const waiting = new Set<HTMLElement>();
let category: string | undefined;
let isTaken: boolean | undefined;
let isOver: boolean | undefined;

/**
 * Makes `own` look like `like`. Nodes are matched from the last one, so that Add stays the element that becomes plus,
 * and keeps the focus.
 */
function become(own: Node, like: Node, fill: (text: string) => string): void {
  // A text or a comment.
  if (like.nodeValue) own.nodeValue = fill(like.nodeValue);
  else {
    for (const { name } of [...(own as Element).attributes]) (own as Element).removeAttribute(name);
    for (const { name, value } of (like as Element).attributes) (own as Element).setAttribute(name, fill(value));
  }
  let last = own.lastChild;
  for (let next = like.lastChild; next; next = next.previousSibling) {
    let node: Node | null = last;
    if (last && last.nodeName === next.nodeName) last = last.previousSibling;
    else node = own.insertBefore(next.cloneNode(), last ? last.nextSibling : own.firstChild);
    become(node!, next, fill);
  }
  // What has no match stands before the rest.
  while (last) {
    const rest = last.previousSibling;
    last.remove();
    last = rest;
  }
}

/** `samples` has the stepper and the cart with no, one and many pieces (prerender.tsx). */
function draw(element: Element, blank: number, count: number, name?: string): void {
  become(element, samples.content.children[blank + Math.min(count, 2)]!, (text) =>
    text.replace(MANY, `${count}`).replace(NAME, () => name!),
  );
}

/**
 * Adds an operation to those on the device, which are read again each time: other pages add and send theirs meanwhile.
 */
function keep(operation: Operation): void {
  operations.push(operation);
  try {
    const key = samples.dataset['key']!;
    const before = `${localStorage.getItem(key)}`;
    // Text that is no list, or an empty list, is replaced.
    localStorage.setItem(key, `${before[1] === '{' ? `${before.slice(0, -1)},` : '['}${JSON.stringify(operation)}]`);
  } catch {
    // Without storage React gets the operations from `taps`.
  }
}

/** Counts a dish. @returns whether it did */
function count(dish: string, step: number): boolean {
  const line = lines.get(dish) || { lineId: newId(), quantity: 0 };
  const { lineId } = line;
  const quantity = line.quantity + step;
  if (quantity > MOST) return false;
  const [productId, size] = dish.split(' ');
  keep(
    Object.assign(
      { operationId: newId() },
      line.quantity
        ? { kind: 'change' as const, lineId, quantity }
        : { kind: 'add' as const, line: { productId, size, quantity, lineId } },
    ) as Operation,
  );
  // A removed line stays removed: the next piece starts a new one.
  lines.set(dish, { lineId: quantity ? lineId : newId(), quantity });
  for (const stepper of document.querySelectorAll(`[data-dish="${dish}"]>div`))
    draw(stepper, 0, quantity, stepper.closest('li')!.querySelector('h3')!.textContent);
  pieces += step;
  draw(document.querySelector('[data-dock]>:last-child')!, 3, pieces);
  return true;
}

/** Turns a toggle. @returns how it was, as text; null if the button is none */
function turn(button: HTMLElement): string | null {
  const pressed = button.getAttribute('aria-pressed');
  if (pressed) button.setAttribute('aria-pressed', (pressed !== 'true') as unknown as string);
  return pressed;
}

/** The script is there, or will not come: waiting buttons look as they were before the tap, and all pictures may come (hold.ts). */
function end(): void {
  delete document.documentElement.dataset['held'];
  for (const button of waiting) if (!turn(button)) button.removeAttribute('aria-busy');
}

/** Carries out a tap on a category, a stepper or a link within the page. @returns false for anything else */
function answer(button: HTMLElement): boolean {
  const place = button.getAttribute('href');
  // Because of <base> the link '#main' would lead home; it means this page.
  if (place === '#main') {
    document.querySelector<HTMLElement>(place)!.focus();
    return true;
  }
  if (isTaken) return false;
  const section = document.querySelector<HTMLElement>(`section[data-path="${place}"]`);
  if (section) {
    category = section.id;
    for (const tab of button.parentElement!.children) tab.removeAttribute('aria-current');
    button.setAttribute('aria-current', 'page');
    section.scrollIntoView();
    section.focus({ preventScroll: true });
    return true;
  }
  const stepper = button.closest<HTMLElement>('[data-dish]>div');
  if (!stepper) return false;
  const isCounted = count(stepper.parentElement!.dataset['dish']!, button === stepper.lastChild ? 1 : -1);
  // Minus disappears with the last piece: Add, which stays, takes the focus.
  if (!button.isConnected) (stepper.lastChild as HTMLElement).focus();
  return isCounted;
}

function onTap(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>('button,a[href]');
  if (!button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!answer(button)) {
    if (isOver || ((button as HTMLAnchorElement).href && !(waiting.size + operations.length))) return;
    // Several taps on a button count once. A toggle tapped twice is as it was, so it no longer waits.
    if (!turn(button)) {
      waiting.add(button);
      button.setAttribute('aria-busy', 'true');
    } else if (!waiting.delete(button)) waiting.add(button);
  }
  // Nobody else gets this tap: a page that is half awake would act on it now, and again when it is repeated.
  event.preventDefault();
  event.stopImmediatePropagation();
}

window.taps = (change, choose) => {
  isTaken = true;
  // Operations that are on the device already have the same ids and are not added twice.
  if (operations.length)
    change((now) =>
      now.concat(operations.filter(({ operationId }) => now.every((one) => one.operationId !== operationId))),
    );
  if (category) choose(category);
};
addEventListener('click', onTap, true);
addEventListener('alive', () => {
  end();
  removeEventListener('click', onTap, true);
  for (const button of waiting) button.click();
});
// Taps from while the page was loading (hold.ts).
onclick = null;
// The notice is seen, or a script has failed: the waiting taps are let go.
late.onanimationend = () => {
  end();
  waiting.clear();
  isOver = true;
};
for (const button of window.held!) {
  button.removeAttribute('aria-busy');
  button.click();
}
