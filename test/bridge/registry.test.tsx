import { afterEach, beforeEach, expect, test, vi } from 'vitest';

interface Registry {
  readonly units: {
    readonly all: Record<string, unknown>;
    load(unit: string, id: string): Promise<unknown>;
  };
  ran: string[];
  tries: number;
}
const page = globalThis as unknown as Registry;

/** A unit's file, as the build writes it: it registers what runs later. `before` runs when the file is there. */
const file = (unit: string, before = '') =>
  `data:text/javascript,${encodeURIComponent(`${before};globalThis.units.code.${unit}=()=>{globalThis.ran.push('${unit}');globalThis.units.all.of_${unit}='${unit}'};//`)}`;

/** Takes the table of files from the page and starts the registry. */
async function begin(units: Readonly<Record<string, readonly string[]>> | undefined): Promise<void> {
  document.body.innerHTML = `<script type="application/json" id="boot">${JSON.stringify({ units })}</script>`;
  vi.resetModules();
  // A script, which exports nothing: TypeScript takes it for no module.
  const script: string = '../../src/bridge/registry.ts';
  await import(script);
}

beforeEach(() => {
  Object.assign(page, { ran: [], tries: 0 });
});
afterEach(() => {
  for (const key in {}) Reflect.deleteProperty(Object.prototype, key);
});

test('a unit runs once what it needs has run, and each runs once however often it is asked for', async () => {
  await begin({
    menu: [file('menu'), 'kit', 'text'],
    text: [file('text')],
    kit: [file('kit'), 'text'],
    cart: [file('cart'), 'kit'],
  });
  expect(await Promise.all([page.units.load('menu', 'of_menu'), page.units.load('menu', 'of_kit')])).toEqual([
    'menu',
    'kit',
  ]);
  expect(page.ran).toEqual(['text', 'kit', 'menu']);
  expect(await page.units.load('cart', 'of_cart')).toBe('cart');
  expect(page.ran).toEqual(['text', 'kit', 'menu', 'cart']);
});

test('a file that did not come is asked for again, as another module, and what needs it with it', async () => {
  const later = file('late', `globalThis.tries+=1;if(globalThis.tries===1)throw new Error('away')`);
  await begin({ screen: [file('screen'), 'late'], late: [later] });
  await expect(page.units.load('screen', 'of_screen')).rejects.toThrow('away');
  expect(page.ran).toEqual([]);
  expect(await page.units.load('screen', 'of_screen')).toBe('screen');
  expect([page.tries, page.ran]).toEqual([2, ['late', 'screen']]);
});

test('a file that is there is not fetched again after another one failed, and one that runs at once needs no second run', async () => {
  await begin({
    kit: [file('kit', 'globalThis.tries+=1')],
    late: [file('late', `if(globalThis.tries++===1)throw new Error('away')`), 'kit'],
    first: ['data:text/javascript,globalThis.units.all.of_first="first";//'],
  });
  expect(await page.units.load('kit', 'of_kit')).toBe('kit');
  await expect(page.units.load('late', 'of_late')).rejects.toThrow('away');
  expect(await page.units.load('late', 'of_late')).toBe('late');
  // Once for the kit, twice for the one that was late.
  expect([page.tries, page.ran]).toEqual([3, ['kit', 'late']]);
  expect(await page.units.load('first', 'of_first')).toBe('first');
});

test('a unit with a stylesheet runs once that is there; one that fails is asked for again', async () => {
  const links: HTMLLinkElement[] = [];
  // This document has no stylesheets: here they come and fail when the test says so.
  const append = vi.spyOn(document.head, 'append').mockImplementation((one) => void links.push(one as HTMLLinkElement));
  await begin({ styled: [file('styled'), 'rest'], rest: ['rest-1.css'] });
  const failing = page.units.load('styled', 'of_styled');
  links[0]!.dispatchEvent(new Event('error'));
  await expect(failing).rejects.toThrow('rest-1.css');
  expect(page.ran).toEqual([]);
  const asked = page.units.load('styled', 'of_styled');
  links[1]!.dispatchEvent(new Event('load'));
  expect([await asked, page.ran, links.map(({ rel }) => rel)]).toEqual([
    'styled',
    ['styled'],
    ['stylesheet', 'stylesheet'],
  ]);
  append.mockRestore();
});

test('a file that neither comes nor fails is given up after two minutes, and asked for as another file', async () => {
  vi.useFakeTimers();
  try {
    const later = file('hangs', `globalThis.tries+=1;if(globalThis.tries===1)await new Promise(()=>{})`);
    await begin({ slow: [file('slow'), 'hangs'], hangs: [later] });
    const givenUp = vi.fn();
    const asked = page.units.load('slow', 'of_slow').catch(givenUp);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(givenUp).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(givenUp).toHaveBeenCalledOnce();
    const again = await page.units.load('slow', 'of_slow');
    expect([page.tries, page.ran, again]).toEqual([2, ['hangs', 'slow'], 'slow']);
  } finally {
    vi.useRealTimers();
  }
});

test('a page whose table is missing, or lacks a unit, fails where it is asked for, and nothing else does', async () => {
  await begin(undefined);
  await expect(page.units.load('menu', 'of_menu')).rejects.toThrow();
  await begin({ menu: [file('menu')] });
  await expect(page.units.load('none', 'of_none')).rejects.toThrow();
  expect(await page.units.load('menu', 'of_menu')).toBe('menu');
});

test("what a host adds to every object is in no library's `for in`", async () => {
  // oxlint-disable-next-line eslint/no-extend-native
  Object.defineProperty(Object.prototype, 'hostsOwn', {
    value: () => 1,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  const seen = () => {
    const keys: string[] = [];
    for (const key in { own: 1 }) keys.push(key);
    return keys;
  };
  expect(seen()).toEqual(['own', 'hostsOwn']);
  await begin({});
  expect(seen()).toEqual(['own']);
  expect('hostsOwn' in {}).toBe(true);
  Reflect.deleteProperty(Object.prototype, 'hostsOwn');
});
