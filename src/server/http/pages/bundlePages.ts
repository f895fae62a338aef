import { isHeldBy, tagOf } from '../tags.ts';
import { escapeHtml } from '../../../domain/html.ts';
import path from 'node:path';
import { Hono, type Context } from 'hono';
import { countryConfig } from '../../../../country/index.ts';
import { redirectOf } from '../../../domain/redirects.ts';
import { trimmedEnd } from '../../../domain/trimmedEnd.ts';
import { DAY_S } from '../../../domain/time.ts';
import { inLanguage } from '../../call/language.ts';
import { headOf, likesOf, localeOf, previewed, previewPath, textsOf, type Findable, type SearchTexts } from './seo.ts';
import { pictured, TooManyPreviews } from './preview.ts';
import { structuredData } from './structured.ts';
import { type BundleMeta, type PagesOptions, type Address, BASE_TOKEN, forwardedPrefix } from './bundles.ts';
import { NOT_BUILT, NO_FILE, TYPES, Folder, answer, answerPage } from './builtFolder.ts';
import { policyOf, securityHeaders, pagePolicy, framesOf } from './pagePolicy.ts';

const LATER = 'Too many pictures are being drawn. Ask again in a few seconds.';

const KILL_SWITCH = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
})()));
`;

/** Pages that are filled in for every address; others are files like all. */
const FILLED = /^(?:index|menu|app)\.html$/;

const pageFile = (inside: string) => {
  if (inside === '/' || inside === '/home' || inside === '/landing' || inside === '/index.html') return 'index.html';
  return inside === '/menu' || inside === '/menu.html' ? 'menu.html' : 'app.html';
};

/** The path that is asked for: a category that the query of a menu path names is a segment of it, as in the app. */
function pathOf(c: Context, country: string, inside: string): string {
  if (c.req.query('categoryId') === undefined) return inside;
  return redirectOf(inside, new URL(c.req.url).search, countryConfig(country))?.split('?')[0] ?? inside;
}

/**
 * Whether the page gets the imitated host (only asked outside production): by the query ?simulator, by the header, or
 * by the cookie that the first such page sets.
 */
function wantsFake(c: Context, base: string): boolean {
  const asked = c.req.query('simulator');
  if (asked === 'off') {
    c.header('Set-Cookie', `simulator=; Path=${base}/; Max-Age=0; SameSite=Lax`);
    return false;
  }
  if (asked === undefined)
    return (
      c.req.header('x-simulator') !== undefined || /(?:^|;\s*)simulator=1(?:;|$)/.test(c.req.header('cookie') ?? '')
    );
  // Set a cookie, because a reload or a deep link inside the frame lacks the query.
  c.header('Set-Cookie', `simulator=1; Path=${base}/; SameSite=Lax`);
  return true;
}

/** Writes title and description into a page, and what else search engines read. */
function withSearchTexts(html: string, texts: SearchTexts | null | undefined, head: string, data: string): string {
  const titled = !texts
    ? html
    : html
        .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(texts.title)}</title>`)
        .replace(
          /(<meta name="description" content=")[^"]*/,
          (_, start: string) => start + escapeHtml([texts.description, texts.more ?? ''].join(' ').trim()),
        );
  // At the end: it must not keep the first paint waiting.
  return titled.replace('</head>', () => `${head}</head>`).replace('</body>', () => `${data}</body>`);
}

export function findableOf(
  { country, language, seo, paths = [] }: BundleMeta,
  mount: string,
  { hidden = [] }: PagesOptions,
): Findable | null {
  if (seo === undefined) return null;
  const isShown = (path: string) => !hidden.some((own) => path === own || path.startsWith(`${own}/`));
  return {
    country,
    language,
    mount,
    seo: Object.fromEntries(Object.entries(seo).filter(([path]) => isShown(path))),
    paths: paths.filter(isShown),
  };
}

/** What search engines are told of a bundle's page in their own words; '' for a page that is not for them. */
async function dataOf(
  bundle: Findable,
  texts: SearchTexts | null | undefined,
  at: string,
  { shopOf, onUntold }: PagesOptions,
): Promise<string> {
  if (!texts || texts.isPrivate === true) return '';
  const page = {
    path: texts.canonical,
    title: texts.title,
    menuTitle: bundle.seo['/menu']?.title ?? texts.title,
    locale: localeOf(bundle),
    url: (path: string) => at + path,
    picture: (path: string) => at + previewPath(path),
  };
  try {
    return await inLanguage(bundle.language, () => structuredData(page, shopOf(bundle.country)));
  } catch (error) {
    // Customers get their page all the same.
    onUntold?.(error);
    return '';
  }
}

/** Loads the imitated host before every other script of the page. */
const withFake = (html: string, fake: string, origin: string) =>
  html.replace(
    /<base [^<>]*>\n/,
    (tag) => `${tag}<meta name="host-origins" content="${escapeHtml(origin)}">\n<script src="${fake}"></script>\n`,
  );

/** Writes what a bundle reads of its address into a page. */
const withSettings = (html: string, settings: Readonly<Record<string, string>>) =>
  html.replace(
    /<base [^<>]*>\n/,
    (tag) =>
      tag +
      Object.entries(settings)
        .map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}">\n`)
        .join(''),
  );

/** Serves one bundle below `mount`: '/in/gpay', or '' for the root of the origin. */
export function bundlePages(
  app: Hono,
  mount: string,
  folder: Folder,
  options: PagesOptions & { readonly findable: () => readonly Findable[] },
  { ancestors, settings }: Address['page'] = { ancestors: [], settings: {} },
): void {
  const page = async (c: Context, meta: BundleMeta, inside: string): Promise<Response> => {
    const prefix = forwardedPrefix(c, options);
    const base = prefix + mount;
    const file = pageFile(inside);
    const found = findableOf(meta, mount, options);
    // The service worker asks for the files by their names: that of all other paths stands for no page of its own.
    const asked = file === 'index.html' ? '/' : file === 'menu.html' ? '/menu' : inside;
    const texts = found === null || asked === '/app.html' ? undefined : await textsOf(found, asked, options.shopOf);
    const fake = !options.production && meta.fake !== null && wantsFake(c, base) ? meta.fake : null;
    const origin = fake === null ? '' : new URL(c.req.url).origin;
    const address = found === null ? '' : options.origin();
    const data = found === null ? '' : await dataOf(found, texts, address + base, options);
    const others = options.findable().filter((one) => one.mount !== mount);
    const alike = found && texts ? await likesOf(found, texts.canonical, others, options.shopOf) : [];
    const likes = alike.map((one) => one.mount).join();
    // By what is written into it, never by what was asked for: every order's page is one, and a stranger names as many paths.
    const said = texts ? tagOf(JSON.stringify(texts)) : String(texts);
    const key = [base, file, said, address, fake ?? '', origin, tagOf(data), likes].join(' ');
    const drawn = await folder.page(key, file, (html) => {
      let text = html.replaceAll(BASE_TOKEN, base);
      if (prefix !== '') text = text.replace('<script type="application/json" id="boot">{', `$&"api":"${prefix}",`);
      if (found) {
        text = withSearchTexts(text, texts, headOf(found, texts, { origin: address, prefix, alike }), data);
      }
      text = withSettings(text, settings);
      return fake === null ? text : withFake(text, fake, origin);
    });
    const policy = pagePolicy(meta, file);
    const framers = inside === options.framed?.page ? options.framed.by : [];
    const framed = [...(policy['frame-ancestors'] ?? []), ...ancestors, ...framers];
    return answerPage(
      c,
      drawn,
      policyOf({ ...policy, 'frame-ancestors': framed }, options.production, options.connect, framesOf(options)),
      options.production,
      texts === null ? 404 : 200,
    );
  };
  /** The picture that is shown beside a link to a page of the bundle. */
  const picture = async (c: Context, meta: BundleMeta, at: string): Promise<Response> => {
    const found = findableOf(meta, mount, options);
    const texts = found && (await textsOf(found, at, options.shopOf));
    securityHeaders(c, null);
    // It is for pages of others.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    if (!found || !texts) return c.text(NO_FILE, 404, { 'Cache-Control': 'no-store' });
    try {
      const jpeg = await folder.preview(texts, pictured(texts.canonical, await options.shopOf(found.country).menu()));
      const etag = tagOf(jpeg);
      c.header('Content-Type', TYPES['.jpg']);
      c.header('Cache-Control', `public, max-age=${DAY_S}`);
      return isHeldBy(c, etag) ? c.body(null, 304) : answer(c, jpeg);
    } catch (error) {
      if (error instanceof TooManyPreviews)
        return c.text(LATER, 503, { 'Retry-After': '5', 'Cache-Control': 'no-store' });
      throw error;
    }
  };
  const serve = async (c: Context): Promise<Response> => {
    const meta = folder.meta();
    if (!meta) return c.text(NOT_BUILT, 503, { 'Retry-After': '5' });
    const inside = trimmedEnd(c.req.path.slice(mount.length), /\//) || '/';
    const name = inside.slice(1);
    if (name === 'sw.js' && options.serviceWorker === false) {
      return c.body(KILL_SWITCH, 200, {
        'Content-Type': TYPES['.js'] as string,
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
      });
    }
    if (meta.changes && name === 'changes') return folder.changes(c);
    if (Object.hasOwn(meta.files, name) && !FILLED.test(name) && (name !== meta.fake || !options.production))
      return folder.asset(c, name);
    const shown = previewed(inside);
    if (shown !== null) return picture(c, meta, shown);
    // A missing file such as a script gets a plain 404. A page instead would be cached and reported as a syntax error.
    if (path.extname(name) in TYPES && !FILLED.test(name)) {
      securityHeaders(c, null);
      return c.text(NO_FILE, 404, { 'Cache-Control': 'no-store' });
    }
    return page(c, meta, pathOf(c, meta.country, inside));
  };
  if (mount !== '') {
    app.on(['GET', 'HEAD'], mount, (c) => {
      const { search } = new URL(c.req.url);
      return c.redirect(`${forwardedPrefix(c, options)}${mount}/${search}`, 308);
    });
  }
  app.on(['GET', 'HEAD'], `${mount}/*`, serve);
}
