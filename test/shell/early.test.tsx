import { expect, test, vi } from 'vitest';

test('a tap on a page that is half awake is made once, when it is alive; taps after that are made at once', async () => {
  document.body.innerHTML = '<div id="app"><button>Add</button><button type="button">Veg only</button></div>';
  const heard: string[] = [];
  // What the page's own script listens with, before it is done.
  document.getElementById('app')!.addEventListener('click', (event) => heard.push((event.target as Element).textContent));
  const [add, veg] = [...document.querySelectorAll('button')] as [HTMLButtonElement, HTMLButtonElement];
  await import('../../src/shell/early.ts');
  add.click();
  veg.click();
  add.click();
  expect([heard, add.getAttribute('aria-busy'), veg.getAttribute('aria-busy')]).toEqual([[], 'true', 'true']);
  document.dispatchEvent(new Event('alive'));
  expect([heard, add.getAttribute('aria-busy'), veg.getAttribute('aria-busy')]).toEqual([['Add', 'Veg only'], null, null]);
  add.click();
  expect(heard).toEqual(['Add', 'Veg only', 'Add']);
});

/** A page with a link, a button and a link, and what its own script would hear. */
async function halfAwake() {
  vi.resetModules();
  document.body.innerHTML = '<div id="app"><a href="#menu">Menu</a><button>Add</button><a href="#cart">Cart</a></div>';
  const heard: string[] = [];
  document.getElementById('app')!.addEventListener('click', (event) => heard.push((event.target as Element).textContent));
  const [menu, cart] = [...document.querySelectorAll('a')] as [HTMLAnchorElement, HTMLAnchorElement];
  await import('../../src/shell/early.ts');
  return { heard, menu, add: document.querySelector('button')!, cart };
}

test('a link works by itself, but tapped after a button it waits with it, however often, and leads on after it', async () => {
  const { heard, menu, add, cart } = await halfAwake();
  menu.click();
  expect(heard).toEqual(['Menu']);
  add.click();
  cart.click();
  cart.click();
  expect([heard, cart.getAttribute('aria-busy')]).toEqual([['Menu'], 'true']);
  document.dispatchEvent(new Event('alive'));
  expect([heard, cart.getAttribute('aria-busy')]).toEqual([['Menu', 'Add', 'Cart'], null]);
});

test('where the script cannot be had nothing waits for it', async () => {
  const { heard, add, cart } = await halfAwake();
  add.click();
  cart.click();
  const script = document.createElement('script');
  document.body.append(script);
  script.dispatchEvent(new Event('error'));
  expect([add.getAttribute('aria-busy'), cart.getAttribute('aria-busy')]).toEqual([null, null]);
  cart.click();
  expect(heard).toEqual(['Cart']);
});
