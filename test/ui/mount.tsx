import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach } from 'vitest';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const roots: Root[] = [];
afterEach(() => {
  act(() => roots.splice(0).forEach((root) => root.unmount()));
  document.body.replaceChildren();
});

/** Renders into the page; `show` renders something else in its place. */
export function mount(what: ReactNode): { host: HTMLElement; show: (next: ReactNode) => void } {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  roots.push(root);
  const show = (next: ReactNode) => act(() => root.render(next));
  show(what);
  return { host, show };
}

export const press = (target: Element) => act(() => (target as HTMLElement).click());
export const key = (target: Element, name: string) =>
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })));

/** The button or link that a screen reader calls by this name. */
export function named(name: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  );
  if (!found) throw new Error(`Nothing to press is called "${name}"`);
  return found;
}
