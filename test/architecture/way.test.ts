import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './sources.ts';

// What a newcomer's order loads of scripts and styles, from the first page to "placed". The calls and pages beside them are
// counted by `npm run bench -- --only order`; what each unit is made of is told by `npm run build -- --weights`.

interface Meta {
  readonly laterCss: string;
  readonly pages: Readonly<Record<string, { readonly scripts: readonly string[] }>>;
  readonly files: Readonly<Record<string, { readonly brotli: number }>>;
  readonly units: Readonly<
    Record<string, { readonly file: string; readonly sources: readonly string[]; readonly needs: readonly string[] }>
  >;
}

const metaOf = (host: string): Meta => {
  const file = path.join(root, 'dist/in', host, 'meta.json');
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first (\`npm test\` does).`);
  return JSON.parse(readFileSync(file, 'utf8')) as Meta;
};

/** What each step asks for beside what came before, by the names of load units (src/build/units.ts). */
const STEPS = {
  menu: [],
  alive: ['alive'],
  cart: ['cart'],
  place: ['places'],
  payment: ['pay'],
  placed: ['follow'],
} as const;
type Step = keyof typeof STEPS;

/** KB of 1000 bytes, brotli, that have come when a step is done; the same code in another order differs by 0.05. */
const LIMITS: Readonly<Record<string, Readonly<Record<Step, number>>>> = {
  browser: { menu: 58.7, alive: 95.3, cart: 110.6, place: 123.5, payment: 142.3, placed: 154 },
  gpay: { menu: 59, alive: 94.7, cart: 109.7, place: 123.4, payment: 142, placed: 155.5 },
  paytm: { menu: 59, alive: 95.1, cart: 110.1, place: 123.8, payment: 142.4, placed: 155.8 },
};

/** The usual order and its sheet, which come on home. */
const NEXT_ORDER = 4.2;

/** Of no use to who orders for the first time, to a door, with cash: it comes when it is opened or shown. */
const NOT_ON_THE_WAY =
  /^src\/(?:screens|state|contract)\/(?:.*\/)?(?:chat\/(?!ChatRow)|(?:league|history|experiments|password|profile|usualOrder|customise|search|combo|account|rewards)\b)|^src\/domain\/(?:chat|experiments|search|seo)\b|^src\/ui\/food\//;

/** The units of every step, and all that these need. */
function unitsOn({ units }: Meta, steps: readonly Step[]): string[] {
  const seen = new Set<string>();
  const bring = (name: string) => {
    const unit = units[name];
    if (!unit) throw new Error(`There is no unit ${name}.`);
    if (seen.has(name)) return;
    seen.add(name);
    unit.needs.forEach(bring);
  };
  steps.flatMap((step) => STEPS[step]).forEach(bring);
  return [...seen];
}

describe.each(Object.keys(LIMITS))('the way to an order in in/%s', (host) => {
  const steps = Object.keys(STEPS) as Step[];

  it.each(steps)('has cost no more than its budget at: %s', (step) => {
    const meta = metaOf(host);
    const { laterCss, pages, files, units } = meta;
    const names = unitsOn(meta, steps.slice(0, steps.indexOf(step) + 1)).map((name) => units[name]!.file);
    // The rules of the first screens are in the page.
    const loaded = new Set([...pages['menu']!.scripts, ...(step === 'menu' ? [] : [laterCss]), ...names]);
    const bytes = [...loaded].reduce((sum, file) => sum + files[file]!.brotli, 0);
    expect(bytes / 1000).toBeLessThanOrEqual(LIMITS[host]![step]);
  });

  it('needs nothing at the next order but its own script', () => {
    const meta = metaOf(host);
    const before = unitsOn(meta, steps);
    const home = readFileSync(path.join(root, 'dist/in', host, 'index.html'), 'utf8');
    const [, boot = ''] = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(home) ?? [];
    const { units } = JSON.parse(boot) as { units: Record<string, [file: string, ...needs: string[]]> };
    const [file = '', ...needs] = units['usual'] ?? [];
    expect(needs.filter((unit) => !before.includes(unit))).toEqual([]);
    expect(meta.files[file]!.brotli / 1000).toBeLessThanOrEqual(NEXT_ORDER);
  });

  it('passes no screen that is not on it', () => {
    const meta = metaOf(host);
    const sources = unitsOn(meta, steps).flatMap((name) => meta.units[name]!.sources);
    expect(sources.filter((source) => NOT_ON_THE_WAY.test(source))).toEqual([]);
  });
});
