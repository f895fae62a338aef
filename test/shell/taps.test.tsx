import fc from 'fast-check';
import { createStore, Provider } from 'jotai';
import { StrictMode, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { browserProfile } from '../../hosts/browser/profile.ts';
import type { Menu, MenuItem } from '../../src/contract/menu.ts';
import { money } from '../../src/contract/money.ts';
import { App } from '../../src/shell/first/App.tsx';
import type { Later } from '../../src/shell/first/row.ts';
import { prerender } from '../../src/shell/prerender.tsx';
import { cartLinesAtom, pendingAtom, type Operation } from '../../src/state/first/cart.ts';
import { openStorage, storageKey } from '../../src/state/first/lib/kept.ts';
import { currentCategoryAtom, defaultMenuAtom } from '../../src/state/first/menu.ts';
import { firstCountryAtom, profileAtom } from '../../src/state/first/seams.ts';

// Taps that come before the script, against React's own drawing of the same cart (product.md 3.3).

/** What the product waits for before it lets anybody tap. */
const told = vi.hoisted(() => ({ shown: () => {} }));
vi.mock('../../src/shell/first/phases.ts', async (original) => ({
  ...(await original<object>()),
  nowShown: () => told.shown(),
}));

const country = countryConfig('in');
const profile = browserProfile(undefined);

const item = (id: string, name: string, own: Partial<MenuItem> = {}): MenuItem => ({
  id,
  name,
  kind: 'SIDE',
  productType: 'SIDES',
  description: '',
  foodType: 'VEG',
  categoryIds: ['4'],
  prices: { ONE: money(9_900) },
  kcal: {},
  allergens: [],
  spice: 0,
  jain: false,
  jainOnRequest: false,
  tags: [],
  customisable: false,
  defaultToppings: [],
  crusts: [],
  ...own,
});
const pizza: Partial<MenuItem> = {
  kind: 'PIZZA',
  categoryIds: ['2'],
  prices: { R: money(19_900), M: money(39_900) },
  customisable: true,
};
/** All that a card can be: with sizes and without, twice on a page, with a name that could be taken for something else, sold out, a deal. */
const menu: Menu = {
  version: '1',
  storeId: country.DEFAULT_STORE,
  currencyCode: 'INR',
  categories: country.categories.map(({ id, label, path }) => ({ id, label, path })),
  items: [
    item('PZ1', 'Garden Four', { ...pizza, tags: ['bestseller', 'everyday-value'] }),
    item('PZ2', '48 ~ $& <b>"Hot"</b> & more', { ...pizza, tags: ['bestseller'] }),
    item('SD1', 'Bread 1', { tags: ['everyday-value', 'bestseller'] }),
    item('SD2', 'Fries', {}),
    item('SD3', 'Soup', { soldOut: true, alternativeId: 'PZ1', tags: ['bestseller'] }),
    item('CB1', 'Two for one', { kind: 'DEAL', tags: ['everyday-value'] }),
  ],
};
const nothingLater: Later = () => new Promise(() => {});
// Nothing scrolls here: every dish stays in the page.
vi.stubGlobal('IntersectionObserver', undefined);

const pages = new Map<string, Awaited<ReturnType<typeof prerender>>>();
beforeAll(async () => {
  for (const path of ['/', '/menu']) pages.set(path, await prerender({ profile, country, path, menu }));
});

const device = globalThis.localStorage;
const refuse = () => {
  throw new Error('nothing is kept here');
};
const blocked = { getItem: refuse, setItem: refuse, removeItem: refuse, clear: () => {} };

let root: Root | null = null;
const complaints: unknown[] = [];
function close(): void {
  dispatchEvent(new Event('alive'));
  flushSync(() => root?.unmount());
  root = null;
  vi.restoreAllMocks();
  vi.stubGlobal('localStorage', device);
  localStorage.clear();
}
afterEach(close);

let devices = 0;
/** The page as it comes from the server to another device, with its first script; nothing else has run. */
async function arrive(path: string): Promise<void> {
  const { samples, html } = pages.get(path)!;
  vi.resetModules();
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`http://localhost${path}`);
  devices += 1;
  openStorage(`device ${devices}`, () => {});
  document.body.innerHTML = `${samples}<div id="app">${html}</div><aside class="late"></aside>`;
  const key = document.getElementById('early')!.dataset;
  expect(key['key']).toBe('IN/browser:cart-operations');
  key['key'] = storageKey('cart-operations');
  globalThis.held = new Set();
  await import('../../src/shell/loading/early.ts');
}

function storeOf(operations: readonly Operation[], category: string | null) {
  const store = createStore();
  store.set(profileAtom, profile);
  store.set(firstCountryAtom, country);
  store.set(defaultMenuAtom, menu);
  if (operations.length > 0) store.set(pendingAtom, operations);
  store.set(currentCategoryAtom, category);
  return store;
}
const appOf = (path: string, store: ReturnType<typeof createStore>): ReactElement => (
  <StrictMode>
    <Provider store={store}>
      <Router ssrPath={path} ssrSearch="">
        <App later={nothingLater} />
      </Router>
    </Provider>
  </StrictMode>
);
/** What React alone draws of these operations. */
function drawn(path: string, operations: readonly Operation[], category: string | null): string {
  const page = document.createElement('div');
  page.innerHTML = renderToString(appOf(path, storeOf(operations, category)));
  return page.innerHTML;
}

/** React takes the page over, as in shell/first/start.tsx. */
async function wake(path: string): Promise<ReturnType<typeof createStore>> {
  const store = storeOf([], null);
  globalThis.taps?.(
    (update) => store.set(pendingAtom, update),
    (category) => store.set(currentCategoryAtom, category),
  );
  vi.spyOn(console, 'error').mockImplementation((...said) => complaints.push(said));
  const shown = new Promise<void>((done) => {
    told.shown = done;
  });
  root = hydrateRoot(document.getElementById('app')!, appOf(path, store), {
    onRecoverableError: (error) => complaints.push(error),
  });
  await shown;
  return store;
}
/** React draws a tap before anything else happens. */
const drawnOnce = () => Promise.resolve();

const kept = () => JSON.parse(localStorage.getItem(storageKey('cart-operations')) ?? '[]') as Operation[];
const cartText = () => document.querySelector('[data-dock]')!.lastElementChild!.textContent;

/** A tap on a dish, wherever it stands on the page: on its last button (Add, plus) or its first (minus, where there is one). */
interface Tap {
  readonly id: string;
  readonly at: number;
  readonly more: boolean;
}
const taps = fc.array(
  fc.record({ id: fc.constantFrom('PZ1', 'PZ2', 'SD1', 'SD2'), at: fc.nat(3), more: fc.boolean() }),
  { maxLength: 14 },
);

/** Home shows its bestsellers and everyday value; a dish of neither is not tapped there. */
function tap({ id, at, more }: Tap): void {
  const all = [...document.querySelectorAll(`[data-dish^="${id}"]>div`)];
  const buttons = all[at % all.length]?.querySelectorAll('button');
  buttons?.[more ? buttons.length - 1 : 0]!.click();
}
const counts = () => [...document.querySelectorAll('[data-dish]>div output')].map((one) => one.textContent);

test.each(['/', '/menu'])(
  '%s: taps before the script loads change the page as React would draw it from the stored operations [CART-X02]',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(taps, async (sequence) => {
        await arrive(path);
        sequence.forEach(tap);
        expect(document.getElementById('app')!.innerHTML).toBe(drawn(path, kept(), null));
        close();
      }),
      { numRuns: 20 },
    );
  },
);

test.each(['/', '/menu'])(
  '%s: taps before and after the script loads end like taps all after it, and React finds the page it expects [CART-X02]',
  async (path) => {
    /** Plays the first of these before React takes the page over, and the others after it. */
    const play = async (sequence: readonly Tap[], before: number, keeps: boolean) => {
      await arrive(path);
      if (!keeps) vi.stubGlobal('localStorage', blocked);
      sequence.slice(0, before).forEach(tap);
      const store = await wake(path);
      expect(complaints.splice(0)).toEqual([]);
      dispatchEvent(new Event('alive'));
      for (const one of sequence.slice(before)) {
        tap(one);
        await drawnOnce();
      }
      const lines = store.get(cartLinesAtom).map(({ productId, quantity, input }) => [productId, quantity, input.size]);
      const pieces = store.get(cartLinesAtom).reduce((sum, line) => sum + line.quantity, 0);
      await vi.waitFor(() =>
        expect(cartText()).toMatch(pieces === 0 ? /^Cart$/ : new RegExp(`^${pieces}Cart, ${pieces} item`)),
      );
      const pending = store.get(pendingAtom);
      expect(new Set(pending.map((one) => one.operationId)).size).toBe(pending.length);
      if (keeps) expect(kept()).toEqual(JSON.parse(JSON.stringify(pending)));
      expect(complaints.splice(0)).toEqual([]);
      const end = { lines, counts: counts(), kinds: pending.map((one) => one.kind) };
      close();
      return end;
    };
    await fc.assert(
      fc.asyncProperty(taps, fc.nat(14), fc.boolean(), async (sequence, before, keeps) => {
        expect(await play(sequence, before, keeps)).toEqual(await play(sequence, 0, true));
      }),
      { numRuns: 12 },
    );
  },
);

const stepperOf = (id: string) => document.querySelector<HTMLElement>(`[data-dish^="${id}"]>div`)!;
const plusOf = (id: string) => stepperOf(id).lastElementChild as HTMLButtonElement;
const minusOf = (id: string) => stepperOf(id).firstElementChild as HTMLButtonElement;
const nameOf = (button: Element | null) => button?.getAttribute('aria-label');

test('the Add button becomes plus and gets the focus back with the last piece; the count stays one live region', async () => {
  await arrive('/menu');
  const add = plusOf('PZ1');
  add.focus();
  add.click();
  const output = stepperOf('PZ1').querySelector('output');
  expect([document.activeElement, nameOf(add)]).toEqual([add, 'One more Garden Four']);
  add.click();
  expect(stepperOf('PZ1').querySelector('output')).toBe(output);
  expect([output?.textContent, nameOf(minusOf('PZ1'))]).toEqual(['2 Garden Four', 'One less Garden Four']);
  minusOf('PZ1').click();
  minusOf('PZ1').focus();
  expect(nameOf(minusOf('PZ1'))).toBe('Remove Garden Four');
  minusOf('PZ1').click();
  expect([document.activeElement, nameOf(add)]).toEqual([add, 'Add Garden Four']);
});

test('what other pages have kept stays before what is tapped here; what is no list is begun anew', async () => {
  const before = { kind: 'add', operationId: 'other', line: { lineId: 'other', productId: 'PZ2', quantity: 1 } };
  for (const [text, expected] of [
    [JSON.stringify([before]), [before]],
    ['[]', []],
    ['undefined', []],
    ['null', []],
  ] as const) {
    await arrive('/menu');
    localStorage.setItem(storageKey('cart-operations'), text);
    plusOf('SD1').click();
    const line = { productId: 'SD1', quantity: 1, lineId: expect.any(String) as string };
    expect(kept()).toEqual([...expected, { kind: 'add', operationId: expect.any(String) as string, line }]);
    close();
  }
});

test('a category is scrolled to and marked, and React marks the same', async () => {
  await arrive('/menu');
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(this: Element) {
    scrolled.push(this.getAttribute('aria-label') ?? '');
  });
  const tabs = document.querySelector('nav[aria-label=Categories]')!;
  tabs.querySelector<HTMLElement>('[href="menu/sides"]')!.click();
  const marked = () => [...tabs.querySelectorAll('[aria-current=page]')].map((tab) => tab.textContent);
  expect([scrolled, marked(), document.activeElement?.getAttribute('aria-label')]).toEqual([
    ['Sides'],
    ['Sides'],
    'Sides',
  ]);
  await wake('/menu');
  expect([complaints.splice(0), marked()]).toEqual([[], ['Sides']]);
});

test('the fiftieth piece waits for React, which knows that it is the last', async () => {
  await arrive('/menu');
  for (let times = 0; times < 51; times += 1) plusOf('SD1').click();
  expect([stepperOf('SD1').querySelector('output')?.textContent, plusOf('SD1').getAttribute('aria-busy')]).toEqual([
    '49 Bread 1',
    'true',
  ]);
  await wake('/menu');
  dispatchEvent(new Event('alive'));
  await drawnOnce();
  expect([stepperOf('SD1').querySelector('output')?.textContent, plusOf('SD1').disabled]).toEqual(['50 Bread 1', true]);
  // All that React found too much: what waits says so until it is tapped again.
  const found = String(complaints.splice(0)).match(/^- +.*$/gm) ?? [];
  expect(found.filter((line) => line.startsWith('-   ')).map((line) => line.slice(1).trim())).toEqual([
    'aria-busy="true"',
  ]);
});

test('where the script cannot be had, dishes are still counted and kept, and links lead on', async () => {
  await arrive('/menu');
  plusOf('SD1').click();
  document.head.append(document.createElement('script'));
  document.querySelector('script')!.dispatchEvent(new Event('error'));
  plusOf('SD1').click();
  const cart = document.querySelector('[data-dock]')!.lastElementChild!;
  let isLeaving = false;
  document.body.addEventListener('click', (event) => {
    isLeaving = !event.defaultPrevented;
    event.preventDefault();
  });
  (cart as HTMLElement).click();
  expect([counts(), kept().length, isLeaving, document.querySelector('[aria-busy]')]).toEqual([
    ['2 Bread 1'],
    2,
    true,
    null,
  ]);
});
