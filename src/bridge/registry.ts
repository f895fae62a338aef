/**
 * Through this registry the load units (src/build/units.ts) find one another at run time. Each unit is one file: the first runs
 * at once, a later one registers a function that runs when the units it needs are there. The page's boot data has the file of
 * each unit and the units it needs; no file names another, so that a release renames only files that changed.
 */
interface Units {
  /** The exports that units take from one another, by short name. */
  readonly all: Record<string, unknown>;
  /** The function that a later unit's file registers, by the unit's name. */
  readonly code: Record<string, () => void>;
  /** Stands for a dynamic import in built files: answers the module with this id once its unit has run. May be called again after a failure. */
  load(unit: string, id: string): Promise<unknown>;
}

// Enumerable properties that a host adds to Object.prototype would break each `for in` of the libraries here.
// oxlint-disable-next-line eslint/no-extend-native
for (const key in {}) Object.defineProperty(Object.prototype, key, { enumerable: false });

const all: Units['all'] = {};
const code: Units['code'] = {};
const fetched = new Map<string, Promise<unknown>>();
const ran = new Set<string>();
let table: Readonly<Record<string, readonly [file: string, ...needs: string[]]>> | undefined;
let attempts = 0;
/** Of the specification, section 2. */
const TIMEOUT_MS = 120_000;

/** The units' files, from the page's boot data. */
const units = () =>
  (table ??=
    (JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as { units?: NonNullable<typeof table> }).units ??
    {});

/** Loads a stylesheet, which the table has as a unit of its own. */
const dress = (address: string) =>
  new Promise((done, failed) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address, onload: done });
    link.onerror = () => {
      link.remove();
      failed(Error(address));
    };
    document.head.append(link);
  });

function bring(unit: string): Promise<unknown> {
  let one = fetched.get(unit);
  if (!one) {
    const [file = unit, ...needs] = units()[unit] ?? [];
    // Browsers do not fetch a module again that failed once, and join whoever asks for a file that is still on its way. With
    // another query it is another module and another file, of which the server has the same bytes.
    const address = new URL(attempts ? `${file}?${attempts}` : file, document.baseURI).href;
    one = Promise.race([
      Promise.all([file.endsWith('.css') ? dress(address) : import(address), ...needs.map(bring)]),
      new Promise((_, failed) => {
        setTimeout(failed, TIMEOUT_MS, Error(unit));
      }),
    ]);
    fetched.set(unit, one);
    one.catch(() => {
      attempts += 1;
      fetched.delete(unit);
    });
  }
  return one;
}

function run(unit: string): void {
  if (ran.has(unit)) return;
  ran.add(unit);
  const [, ...needs] = units()[unit] ?? [];
  needs.forEach(run);
  code[unit]?.();
}

Object.assign(globalThis, {
  units: {
    all,
    code,
    load: async (unit, id) => {
      await bring(unit);
      run(unit);
      return all[id];
    },
  } satisfies Units,
});
