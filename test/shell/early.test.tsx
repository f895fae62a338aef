import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  globalThis.held = new Set();
  document.getElementById('early')?.remove();
  document.documentElement.prepend(Object.assign(document.createElement('template'), { id: 'early' }));
});

test('a tap on a page that is half awake is made once, when it is alive; taps after that are made at once', async () => {
  document.body.innerHTML =
    '<div id="app"><button>Add</button><button type="button">Veg only</button></div><aside class="late"></aside>';
  const heard: string[] = [];
  // What the page's own script listens with, before it is done.
  document
    .getElementById('app')!
    .addEventListener('click', (event) => heard.push((event.target as Element).textContent));
  const [add, veg] = [...document.querySelectorAll('button')] as [HTMLButtonElement, HTMLButtonElement];
  await import('../../src/shell/loading/early.ts');
  add.click();
  veg.click();
  add.click();
  expect([heard, add.getAttribute('aria-busy'), veg.getAttribute('aria-busy')]).toEqual([[], 'true', 'true']);
  dispatchEvent(new Event('alive'));
  expect([heard, add.getAttribute('aria-busy'), veg.getAttribute('aria-busy')]).toEqual([
    ['Add', 'Veg only'],
    null,
    null,
  ]);
  add.click();
  expect(heard).toEqual(['Add', 'Veg only', 'Add']);
});

/** A page with a link, a button and a link, and what its own script would hear. */
async function halfAwake() {
  vi.resetModules();
  document.body.innerHTML =
    '<div id="app"><a href="#menu">Menu</a><button>Add</button><a href="#cart">Cart</a></div><aside class="late"></aside>';
  const heard: string[] = [];
  document
    .getElementById('app')!
    .addEventListener('click', (event) => heard.push((event.target as Element).textContent));
  const [menu, cart] = [...document.querySelectorAll('a')] as [HTMLAnchorElement, HTMLAnchorElement];
  await import('../../src/shell/loading/early.ts');
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
  dispatchEvent(new Event('alive'));
  expect([heard, cart.getAttribute('aria-busy')]).toEqual([['Menu', 'Add', 'Cart'], null]);
});

test('the link to the content leads there before the script is there, and not to the home page [NAV-X06]', async () => {
  vi.resetModules();
  document.head.innerHTML = '<base href="/in/">';
  document.body.innerHTML =
    '<a href="#main">Skip to the content</a><main id="main" tabindex="-1"></main><aside class="late"></aside>';
  await import('../../src/shell/loading/early.ts');
  const tap = new MouseEvent('click', { bubbles: true, cancelable: true });
  document.querySelector('a')!.dispatchEvent(tap);
  expect(tap.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(document.getElementById('main'));
  dispatchEvent(new Event('alive'));
  document.head.innerHTML = '';
});

test('a toggle is seen to turn with every tap, and is tapped when the page is alive if it is not as it was', async () => {
  vi.resetModules();
  document.body.innerHTML =
    '<div id="app"><button aria-pressed="false">Heart</button></div><aside class="late"></aside>';
  const heart = document.querySelector('button')!;
  const heard: (string | null)[] = [];
  heart.addEventListener('click', () => heard.push(heart.getAttribute('aria-pressed')));
  await import('../../src/shell/loading/early.ts');
  const seen = [1, 2, 3].map(() => {
    heart.click();
    return [heart.getAttribute('aria-pressed'), heart.getAttribute('aria-busy')];
  });
  expect(seen).toEqual([
    ['true', null],
    ['false', null],
    ['true', null],
  ]);
  expect(heard).toEqual([]);
  dispatchEvent(new Event('alive'));
  // From where it was.
  expect(heard).toEqual(['false']);
});

test.each([
  ['throws', () => new ErrorEvent('error')],
  ['rejects', () => new Event('unhandledrejection')],
])('where the script %s nothing waits for it, and what was only shown is taken back', async (_how, event) => {
  const { add } = await halfAwake();
  add.setAttribute('aria-pressed', 'false');
  const other = document.createElement('button');
  document.body.append(other);
  add.click();
  other.click();
  window.dispatchEvent(event());
  expect([add.getAttribute('aria-pressed'), other.getAttribute('aria-busy')]).toEqual(['false', null]);
  dispatchEvent(new Event('alive'));
});

test('where the script takes too long nothing waits for it any more', async () => {
  const { heard, add, cart } = await halfAwake();
  const ended = (where: EventTarget) => where.dispatchEvent(new Event('animationend'));
  add.click();
  ended(cart);
  expect(add.getAttribute('aria-busy')).toBe('true');
  // As the browser says that the notice is seen (ui/base.css).
  ended(document.querySelector('.late')!);
  expect(add.getAttribute('aria-busy')).toBeNull();
  cart.click();
  expect(heard).toEqual(['Cart']);
  // Nobody waits for it any more: a page that comes alive after all does not do it.
  dispatchEvent(new Event('alive'));
  expect(heard).toEqual(['Cart']);
});

test('a picture that does not come ends no waiting', async () => {
  const { add } = await halfAwake();
  add.click();
  const picture = document.createElement('img');
  document.body.append(picture);
  picture.dispatchEvent(new Event('error'));
  expect(add.getAttribute('aria-busy')).toBe('true');
  dispatchEvent(new Event('alive'));
  expect(add.getAttribute('aria-busy')).toBeNull();
});

test('what was tapped while the page came in is answered at its end, in order', async () => {
  vi.resetModules();
  document.body.innerHTML =
    '<button>Add</button><a href="#cart">Cart</a><button aria-pressed="false">Heart</button><aside class="late"></aside>';
  const [add, cart, heart] = [...document.body.children] as HTMLElement[];
  await import('../../src/shell/loading/hold.ts');
  for (const one of [heart!, heart!, add!, cart!]) one.click();
  const looks = () =>
    [add, cart, heart].map((one) => [one!.getAttribute('aria-busy'), one!.getAttribute('aria-pressed')]);
  expect(looks()).toEqual([
    ['true', null],
    ['true', null],
    ['true', 'false'],
  ]);
  await import('../../src/shell/loading/early.ts');
  expect(looks()).toEqual([
    ['true', null],
    ['true', null],
    [null, 'true'],
  ]);
  const heard: string[] = [];
  document.body.addEventListener('click', (event) => heard.push((event.target as Element).textContent));
  dispatchEvent(new Event('alive'));
  expect(heard).toEqual(['Heart', 'Add', 'Cart']);
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

test.each([
  ['"w"', 'w'],
  ['"Y"', 'y'],
  [null, undefined],
  ...['', 'null', '"ux"', 'w', '{"a":1}'].map((text) => [text, undefined] as const),
] as const)('a layout of dishes remembered as %j is drawn first as %j [CFG-43]', async (text, look) => {
  vi.resetModules();
  vi.stubGlobal('LOOK_KEY', 'IN/browser:~card-variant');
  delete document.documentElement.dataset['look'];
  if (text === null) localStorage.removeItem('IN/browser:~card-variant');
  else localStorage.setItem('IN/browser:~card-variant', text);
  await import('../../src/shell/loading/slowly.ts');
  expect(document.documentElement.dataset['look']).toBe(look);
  vi.unstubAllGlobals();
});

test.each(['4g', '3g', undefined])(
  'what the browser says of the line, %s, holds back pictures until the script is there',
  async (line) => {
    vi.resetModules();
    const { dataset } = document.documentElement;
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { effectiveType: line } });
    await import('../../src/shell/loading/hold.ts');
    expect(dataset['held']).toBe(`${line}`);
    await halfAwake();
    expect(dataset['held']).toBe(`${line}`);
    dispatchEvent(new Event('alive'));
    expect(dataset['held']).toBeUndefined();
    Reflect.deleteProperty(navigator, 'connection');
  },
);
