// What search engines read, and what a shared link shows elsewhere: addresses, titles, pictures, and what there is at all.
import { Buffer } from 'node:buffer';

/** What a bundle that search engines read says of itself (meta.json). */
export interface Findable {
  readonly country: string;
  readonly mount: string;
  /** Titles, descriptions and canonical paths by path. */
  readonly seo: Readonly<Record<string, SearchTexts>>;
  /** Every path that its pages have, `/order/:orderId`. */
  readonly paths: readonly string[];
}

export interface SearchTexts {
  readonly title: string;
  readonly description: string;
  readonly keywords?: string;
  readonly canonical: string;
  /** Nothing that somebody would look for: a cart, a login. */
  readonly isPrivate?: boolean;
}

/** BCP 47 regions: Bangladesh is not 'BG' outside of this house (product.md C26). */
const REGIONS: Readonly<Record<string, string>> = { in: 'IN', lk: 'LK', bg: 'BD' };
const SHARED_PICTURE = 'icon-512.png';
/** Of the PNG in favicon.ico; 0 would be 256. */
const FAVICON_SIDE = 180;

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const localeOf = ({ country }: Findable) => `en-${REGIONS[country] ?? country.toUpperCase()}`;

/** What a dish or a combo is called and what it is; null when nothing of this id is sold: a page about nothing is none. */
export type Sold = (
  kind: 'items' | 'deals',
  country: string,
  id: string,
) => Promise<{ readonly name: string; readonly description: string } | null>;

const SOLD: Readonly<Record<string, 'items' | 'deals'>> = {
  '/customise/:productId': 'items',
  '/combo/:dealId': 'deals',
};

/**
 * What is said of the page at a path: null when there is no such page, undefined for one that nobody would look for.
 * Categories are known by their own paths, dishes and combos by their ids.
 */
export async function textsOf(
  { seo, paths, country }: Findable,
  inside: string,
  sold: Sold,
): Promise<SearchTexts | null | undefined> {
  if (Object.hasOwn(seo, inside)) return seo[inside];
  const given = inside.split('/');
  const pattern = paths.find((own) => {
    const wanted = own.split('/');
    return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at]);
  });
  if (pattern === undefined || pattern === '/menu/:category') return null;
  const kind = SOLD[pattern];
  if (kind === undefined) return undefined;
  const found = await sold(kind, country, given[2] ?? '');
  const [shop] = seo['/']?.title.split(' | ') ?? [];
  return found && { title: `${found.name} | ${shop}`, description: found.description, canonical: inside };
}

/** What a page tells search engines and whoever shows a link to it. */
export function headOf(
  bundle: Findable,
  texts: SearchTexts | null | undefined,
  { origin, base, others }: { readonly origin: string; readonly base: string; readonly others: readonly Findable[] },
): string {
  if (!texts || texts.isPrivate === true) return '<meta name="robots" content="noindex">\n';
  const url = (path: string) => escaped(`${origin}${base}${path}`);
  const here = url(texts.canonical);
  const alike = [bundle, ...others].filter(({ seo }) => seo[texts.canonical]?.canonical === texts.canonical);
  const property = (name: string, content: string) => `<meta property="og:${name}" content="${content}">\n`;
  return [
    `<link rel="canonical" href="${here}">\n`,
    ...(texts.keywords === undefined ? [] : [`<meta name="keywords" content="${escaped(texts.keywords)}">\n`]),
    ...(alike.length < 2
      ? []
      : alike.map(
          (one) =>
            `<link rel="alternate" hreflang="${localeOf(one)}" href="${escaped(origin + (one === bundle ? base : one.mount) + texts.canonical)}">\n`,
        )),
    property('type', 'website'),
    property('title', escaped(texts.title)),
    property('description', escaped(texts.description)),
    property('url', here),
    property('image', url(`/${SHARED_PICTURE}`)),
    property('locale', localeOf(bundle).replace('-', '_')),
    '<meta name="twitter:card" content="summary">\n',
  ].join('');
}

/** robots.txt of the whole origin. */
export const robotsText = (origin: string): string =>
  ['User-agent: *', 'Disallow: /bank/', 'Disallow: /simulator/', '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n');

/** Every page of every country that somebody would look for, with its likes in the other countries. */
export function sitemap(origin: string, bundles: readonly Findable[]): string {
  const pages = new Map<string, Findable[]>();
  for (const bundle of bundles)
    for (const { canonical, isPrivate } of Object.values(bundle.seo))
      if (isPrivate !== true && !pages.get(canonical)?.includes(bundle))
        pages.set(canonical, [...(pages.get(canonical) ?? []), bundle]);
  const address = (bundle: Findable, path: string) => escaped(origin + bundle.mount + path);
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
