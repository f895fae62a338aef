// What search engines read, and what a shared link shows elsewhere: addresses, titles, pictures, and what there is at all.
import { escapeHtml } from '../../../domain/html.ts';
import { Buffer } from 'node:buffer';
import { countryConfig } from '../../../../country/index.ts';
import { BETWEEN } from '../../../domain/seo.ts';
import type { Shopfront } from '../../rules/shopfront/shopfront.ts';
import { PREVIEW } from './preview.ts';
import { dishPath } from './structured.ts';

/** What a bundle that search engines read says of itself (meta.json). */
export interface Findable {
  readonly country: string;
  readonly language: string;
  readonly mount: string;
  /** Titles, descriptions and canonical paths by path. */
  readonly seo: Readonly<Record<string, SearchTexts>>;
  /** Every path that its pages have, `/order/:orderId`. */
  readonly paths: readonly string[];
}

export interface SearchTexts {
  readonly title: string;
  readonly description: string;
  /** What search engines read after the description, where it alone is too short for them to show. */
  readonly more?: string;
  readonly keywords?: string;
  readonly canonical: string;
  /** Nothing that somebody would look for: a cart, a login. */
  readonly isPrivate?: boolean;
}

/** Of the PNG in favicon.ico; 0 would be 256. */
const FAVICON_SIDE = 180;

/** BCP 47, as `hreflang` and `og:locale` know it. */
export const localeOf = ({ country, language }: Findable): string =>
  countryConfig(country).locales[language] ?? language;

/** The shop of a country's folder, `in`. */
export type ShopOf = (country: string) => Shopfront;

const DISHES: ReadonlySet<string> = new Set(['/customise/:productId', '/combo/:dealId']);

/**
 * What is said of the page at a path: null when there is no such page, undefined for one that nobody would look for.
 * Categories are known by their own paths, dishes and combos by their ids.
 */
export async function textsOf(
  { seo, paths, country }: Findable,
  inside: string,
  shopOf: ShopOf,
): Promise<SearchTexts | null | undefined> {
  if (Object.hasOwn(seo, inside)) return seo[inside];
  const given = inside.split('/');
  const pattern = paths.find((own) => {
    const wanted = own.split('/');
    return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at]);
  });
  if (pattern === undefined || pattern === '/menu/:category') return null;
  if (!DISHES.has(pattern)) return Object.hasOwn(seo, pattern) ? seo[pattern] : undefined;
  const { items, categories } = await shopOf(country).menu();
  const found = items.find((one) => dishPath(one) === inside);
  // A page about nothing is none.
  if (!found) return null;
  const [shop] = seo['/']?.title.split(BETWEEN) ?? [];
  const category = categories.find(({ id, path }) => found.categoryIds.includes(id) && seo[path]?.canonical === path);
  const more = seo[category?.path ?? '/']?.description;
  return {
    title: found.name + BETWEEN + shop,
    description: found.description,
    ...(more === undefined ? {} : { more }),
    canonical: inside,
  };
}

/**
 * The bundle and those of `others` that have the same page: in another language of its country, or in another country. A
 * country that cannot say what it sells has none of these dishes.
 */
export async function likesOf(
  bundle: Findable,
  canonical: string,
  others: readonly Findable[],
  shopOf: ShopOf,
): Promise<readonly Findable[]> {
  const isTold = ({ seo }: Findable) => seo[canonical]?.canonical === canonical;
  if (isTold(bundle)) return [bundle, ...others.filter(isTold)];
  const sellers = new Set([bundle.country]);
  for (const country of new Set(others.map((one) => one.country))) {
    if (sellers.has(country)) continue;
    const menu = await shopOf(country)
      .menu()
      .catch(() => null);
    if (menu?.items.some((one) => dishPath(one) === canonical)) sellers.add(country);
  }
  return [bundle, ...others.filter(({ country }) => sellers.has(country))];
}

/** Where a bundle has the picture of a page: below this, by the page's canonical path. */
const PREVIEWS = '/preview';
const HOME_PREVIEW = '/index';

/** The path of the picture that is shown beside a link to the page at a canonical path. */
export const previewPath = (canonical: string): string =>
  `${PREVIEWS}${canonical === '/' ? HOME_PREVIEW : canonical}.jpg`;

/** The page whose picture is at this path; null for no picture. */
export function previewed(inside: string): string | null {
  if (!inside.startsWith(`${PREVIEWS}/`) || !inside.endsWith('.jpg')) return null;
  const page = inside.slice(PREVIEWS.length, -'.jpg'.length);
  if (page === '/') return null;
  return page === HOME_PREVIEW ? '/' : page;
}

/** What a page tells search engines and whoever shows a link to it. `prefix` is what a proxy took off the address. */
export function headOf(
  bundle: Findable,
  texts: SearchTexts | null | undefined,
  { origin, prefix, alike }: { readonly origin: string; readonly prefix: string; readonly alike: readonly Findable[] },
): string {
  const noIndex = '<meta name="robots" content="noindex">\n';
  if (!texts) return noIndex;
  const url = ({ mount }: Findable, path: string) => escapeHtml(`${origin}${prefix}${mount}${path}`);
  const here = url(bundle, texts.canonical);
  const property = (name: string, content: string) => `<meta property="og:${name}" content="${content}">\n`;
  const shown = [
    property('type', 'website'),
    property('title', escapeHtml(texts.title)),
    property('description', escapeHtml(texts.description)),
    property('image', url(bundle, previewPath(texts.canonical))),
    property('image:type', 'image/jpeg'),
    property('image:width', String(PREVIEW.width)),
    property('image:height', String(PREVIEW.height)),
    property('image:alt', escapeHtml(texts.title)),
    property('locale', localeOf(bundle).replace('-', '_')),
    '<meta name="twitter:card" content="summary_large_image">\n',
  ];
  // Nobody looks for it, and still it is sent to friends.
  if (texts.isPrivate === true) return [noIndex, ...shown].join('');
  return [
    `<link rel="canonical" href="${here}">\n`,
    ...(texts.keywords === undefined ? [] : [`<meta name="keywords" content="${escapeHtml(texts.keywords)}">\n`]),
    ...(alike.length < 2
      ? []
      : alike.map((one) => `<link rel="alternate" hreflang="${localeOf(one)}" href="${url(one, texts.canonical)}">\n`)),
    property('url', here),
    ...shown,
  ].join('');
}

/** robots.txt of the whole origin; we are below `prefix` of it. */
export const robotsText = (origin: string, prefix: string): string =>
  [
    'User-agent: *',
    `Disallow: ${prefix}/bank/`,
    `Disallow: ${prefix}/simulator/`,
    '',
    `Sitemap: ${origin}${prefix}/sitemap.xml`,
    '',
  ].join('\n');

/**
 * Every page of every country that somebody would look for, and every dish of `dishes`, by bundle; each with its likes in
 * other languages and countries.
 */
export function sitemap(
  root: string,
  bundles: readonly Findable[],
  dishes: ReadonlyMap<Findable, readonly string[]> = new Map(),
): string {
  const pages = new Map<string, Findable[]>();
  for (const bundle of bundles)
    for (const { canonical, isPrivate } of Object.values(bundle.seo))
      if (isPrivate !== true && !pages.get(canonical)?.includes(bundle))
        pages.set(canonical, [...(pages.get(canonical) ?? []), bundle]);
  for (const [bundle, paths] of dishes) for (const path of paths) pages.set(path, [...(pages.get(path) ?? []), bundle]);
  const address = (bundle: Findable, path: string) => escapeHtml(root + bundle.mount + path);
  const urls = [...pages].flatMap(([path, alike]) =>
    alike.map((bundle) => {
      const links =
        alike.length < 2
          ? []
          : alike.map(
              (one) => `<xhtml:link rel="alternate" hreflang="${localeOf(one)}" href="${address(one, path)}"/>`,
            );
      return `<url><loc>${address(bundle, path)}</loc>${links.join('')}</url>`;
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
}

/** The icon in the form that is asked for by name: one PNG in an ICO file. */
export function favicon(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // one picture
  head.writeUInt8(FAVICON_SIDE, 6);
  head.writeUInt8(FAVICON_SIDE, 7);
  head.writeUInt16LE(1, 10); // planes
  head.writeUInt16LE(32, 12); // bits of a pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
