import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import { root } from './sources.ts';

type Check = (value: unknown, at: string, bundle: Bundle) => readonly string[] | Promise<readonly string[]>;
interface Bundle {
  readonly folder: string;
  readonly locale: string;
}

const wrong = (isRight: boolean, at: string, value: unknown) => (isRight ? [] : [`${at}: ${JSON.stringify(value)}`]);
const text: Check = (value, at) => wrong(typeof value === 'string' && value.trim() !== '', at, value);
const colour: Check = (value, at) => wrong(/^#[0-9a-f]{6}$/i.test(String(value)), at, value);
const oneOf =
  (...names: readonly unknown[]): Check =>
  (value, at) =>
    wrong(names.includes(value), at, value);
const each =
  (check: Check): Check =>
  async (value, at, bundle) =>
    Array.isArray(value) && value.length > 0
      ? (await Promise.all(value.map(async (one, index) => await check(one, `${at}[${index}]`, bundle)))).flat()
      : [`${at}: no list`];
/** Every member is checked, and none may be there that the specification does not know. */
const members =
  (table: Readonly<Record<string, Check>>, ...needed: readonly string[]): Check =>
  async (value, at, bundle) => {
    const own = value as Readonly<Record<string, unknown>>;
    const missing = needed.filter((name) => !(name in own)).map((name) => `${at}.${name} is missing`);
    const found = Object.entries(own).map(async ([name, one]) =>
      Object.hasOwn(table, name) ? await table[name]!(one, `${at}.${name}`, bundle) : [`${at}: nobody knows ${name}`],
    );
    return [...missing, ...(await Promise.all(found)).flat()];
  };

// Where the bundle is served does not matter: all addresses are relative, and stay below it.
const HOME = 'https://shop.example/some/where/';
const inScope: Check = (value, at) => wrong(new URL(String(value), `${HOME}manifest`).href.startsWith(HOME), at, value);
const named =
  (more: Readonly<Record<string, Check>>, ...needed: readonly string[]): Check =>
  async (value, at, bundle) => {
    const { src, sizes, type } = value as { src: string; sizes: string; type: string };
    const file = path.join(bundle.folder, src);
    const problems = await members(
      { src: text, sizes: text, type: text, ...more },
      'src',
      'sizes',
      'type',
      ...needed,
    )(value, at, bundle);
    if (!existsSync(file)) return [...problems, `${at}: there is no ${src}`];
    const { format, width, height } = await sharp(file).metadata();
    return [
      ...problems,
      ...wrong(type === (format === 'svg' ? 'image/svg+xml' : `image/${format}`), `${at}.type`, type),
      ...wrong(sizes === (format === 'svg' ? 'any' : `${width}x${height}`), `${at}.sizes`, sizes),
    ];
  };
const icon = named({ purpose: oneOf('any', 'maskable', 'monochrome') });

/** By form factor, what of both sides is the longer one; browsers show none that are smaller, larger or longer than this. */
const screenshot: Check = async (value, at, bundle) => {
  const { form_factor: form, sizes } = value as { form_factor: string; sizes: string };
  const [width = 0, height = 0] = sizes.split('x').map(Number);
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return [
    ...(await named({ form_factor: oneOf('narrow', 'wide'), label: text }, 'form_factor', 'label')(value, at, bundle)),
    ...wrong(short >= 320 && long <= 3840 && long / short <= 2.3, `${at}.sizes`, sizes),
    ...wrong((form === 'wide') === width > height, `${at}.form_factor`, sizes),
  ];
};

const DISPLAYS = ['fullscreen', 'standalone', 'minimal-ui', 'browser'] as const;
/** https://www.w3.org/TR/appmanifest, https://www.w3.org/TR/manifest-app-info, https://wicg.github.io/web-app-launch */
const MANIFEST = members(
  {
    id: inScope,
    start_url: inScope,
    scope: inScope,
    name: text,
    short_name: (value, at) => wrong([...String(value)].length <= 12 && value !== '', at, value),
    description: text,
    lang: (value, at, { locale }) =>
      wrong(value === locale && Intl.getCanonicalLocales(locale)[0] === locale, at, value),
    display: oneOf(...DISPLAYS),
    display_override: each(oneOf(...DISPLAYS, 'window-controls-overlay', 'tabbed')),
    orientation: oneOf('any', 'natural', 'landscape', 'portrait', 'portrait-primary', 'landscape-primary'),
    theme_color: colour,
    background_color: colour,
    // https://github.com/w3c/manifest/wiki/Categories
    categories: each(oneOf('food', 'shopping', 'lifestyle')),
    icons: each(icon),
    shortcuts: each(members({ name: text, url: inScope, icons: each(icon) }, 'name', 'url')),
    screenshots: each(screenshot),
    prefer_related_applications: oneOf(true, false),
    launch_handler: members({
      client_mode: oneOf('auto', 'focus-existing', 'navigate-existing', 'navigate-new'),
    }),
  },
  ...['id', 'start_url', 'scope', 'name', 'short_name', 'description', 'lang', 'display', 'theme_color'],
  ...['background_color', 'icons', 'shortcuts', 'screenshots'],
);

interface Manifest {
  readonly icons: readonly { readonly sizes: string; readonly type: string; readonly purpose: string }[];
  readonly screenshots: readonly { readonly form_factor: string }[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
}

const bundles = countries.flatMap((country) =>
  country.languages.map((language, at) => {
    const name = `${country.COUNTRY_CODE.toLowerCase()}/browser${at === 0 ? '' : `.${language}`}`;
    return { name, folder: path.join(root, 'dist', name), locale: country.locales[language]! };
  }),
);

describe.each(bundles)('the manifest of $name', (bundle) => {
  const read = <T>(file: string) => JSON.parse(readFileSync(path.join(bundle.folder, file), 'utf8')) as T;

  it('has what the specification knows, each as it says, and pictures of both widths [CFG-27]', async () => {
    const manifest = read<Manifest>('manifest.webmanifest');
    expect(await MANIFEST(manifest, 'manifest', bundle)).toEqual([]);
    expect(new Set(manifest.screenshots.map((one) => one.form_factor))).toEqual(new Set(['narrow', 'wide']));
    // What browsers ask of an app before they offer it.
    for (const sizes of ['192x192', '512x512'])
      for (const purpose of ['any', 'maskable'])
        expect(manifest.icons).toContainEqual(expect.objectContaining({ sizes, purpose, type: 'image/png' }));
  });

  it('calls a shelf to which it leads what the menu calls it', () => {
    const { menu } = read<{ menu: string }>('meta.json');
    const { categories } = read<{ categories: { label: string; path: string }[] }>(menu);
    const { shortcuts } = read<Manifest>('manifest.webmanifest');
    const shelves = shortcuts.filter(({ url }) => url.startsWith('./menu/'));
    expect(shelves).not.toEqual([]);
    for (const { name, url } of shelves)
      expect(categories).toContainEqual(expect.objectContaining({ label: name, path: url.slice(1) }));
  });
});
