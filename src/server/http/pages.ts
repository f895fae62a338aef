import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { countryConfig } from '../../../country/index.ts';
import type { Phone } from '../../contract/phones.ts';
import { BETWEEN } from '../../domain/found.ts';
import { redirectOf } from '../../domain/redirects.ts';
import { trimmedEnd } from '../../domain/plainText.ts';
import { inLanguage } from '../call/language.ts';
import type { Proxies } from '../proxies.ts';
import {
  favicon,
  headOf,
  likesOf,
  localeOf,
  previewed,
  previewPath,
  robotsText,
  sitemap,
  textsOf,
  type Findable,
  type SearchTexts,
  type ShopOf,
} from './found.ts';
import { nowhere, NOWHERE_POLICY } from './nowhere.ts';
import { pictured, preview, TooManyPreviews } from './preview.ts';
import { dishPath, structuredData } from './structured.ts';

/** The part of a bundle's meta.json, written by build.mjs, that serving needs. */
interface BundleMeta {
  readonly host: string;
  readonly language: string;
  readonly mount: string;
  readonly files: Readonly<Record<string, unknown>>;
  readonly fake: string | null;
  readonly policy: Readonly<Record<string, readonly string[]>>;
  /**
   * Hashes for the content security policy, by page name: of the style elements, the early scripts and the style
   * attributes.
   */
  readonly pages?: Readonly<
    Record<
      string,
      { readonly inline: readonly string[]; readonly early?: readonly string[]; readonly styles: readonly string[] }
    >
  >;
  /** Of `npm run dev`: when its files were written, and why the newest edit is not among them. Its pages follow it. */
  readonly changes?: { readonly built: number; readonly failed: string | null };
  readonly country: string;
  /** For bundles that search engines read. */
  readonly seo?: Findable['seo'];
  readonly paths?: Findable['paths'];
}

export interface PagesOptions {
  /** The folder that build.mjs writes to. */
  readonly dist?: string;
  /** In production there is no simulator, no imitated host, and our own pages may not frame a bundle. */
  readonly production: boolean;
  /** Who may say below which path a page was asked for. */
  readonly proxies: Proxies;
  /** False replaces every sw.js with a script that removes the service worker and its caches. */
  readonly serviceWorker?: boolean;
  /**
   * Other origins that a standalone page may contact: those of payment sheets, when the shop is registered for them.
   */
  readonly connect?: readonly string[];
  /**
   * What others reach us by, `https://shop.example`. Never what a page was asked at: whoever asks writes that, and a
   * cache would keep a stranger's address in our pages.
   */
  readonly origin: () => string;
  /** Address of the bank's page with its fields for a card, which pages show in a frame; null: there is none. */
  readonly cardFields?: () => string | null;
  readonly shopOf: ShopOf;
  /** Hears why a page had to go without what search engines read beside its texts. */
  readonly onUntold?: (error: unknown) => void;
  /** The one page that others may show in a frame, and the origins that may. */
  readonly framed?: { readonly page: string; readonly by: readonly string[] };
  /** Pages of what this server has no provider for, with all below them: nobody is told of them. */
  readonly hidden?: readonly string[];
  /** All phones that the simulator could show; it shows only those whose bundle is built. */
  readonly phones?: readonly Phone[];
  /** The addresses of bundles that several hosts share, by folder ('in/gpay'); such a bundle is served at these alone. */
  readonly shared?: ReadonlyMap<string, readonly Address[]>;
}

interface Address {
  /** Without the first slash, with the last. */
  readonly mount: string;
  readonly page: { readonly ancestors: readonly string[]; readonly settings: Readonly<Record<string, string>> };
}

const BASE_TOKEN = '/-base-';
const DIST = path.resolve(import.meta.dirname, '../../../dist');
const NOT_BUILT = 'The pages are not built yet: run `npm run build` (`npm start` does it by itself).';
const NO_FILE = 'There is no such file.';
const LATER = 'Too many pictures are being drawn. Ask again in a few seconds.';
const ONE_YEAR_S = 31_536_000;
const VARIANTS_KEPT = 64;
/** Some 60 KB each. */
const PREVIEWS_KEPT = 96;
const PREVIEW_SECONDS = 86_400;
const CHANGES_INTERVAL_MS = 40;
/** How soon a page asks again after a server that is started anew. */
const CHANGES_RETRY_MS = 200;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
};
const HASHED = /-[0-9A-Z]{8}\.(?:js|css|json|svg|png)$/;

const KILL_SWITCH = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
})()));
`;

/**
 * Content security policy of every page (reliability rules 6.3); a host's template adds its own directives. base-uri
 * allows `<base>`, and form-action allows the bank's form.
 */
const POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  // `proof.js` does the work of challenges (bridge/proof.ts).
  'worker-src': ["'self'"],
  'base-uri': ["'self'"],
  'object-src': ["'none'"],
  'form-action': ["'self'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['proof'],
};

function policyOf(
  own: Readonly<Record<string, readonly string[]>>,
  production: boolean,
  connect: readonly string[] = [],
  frames: readonly string[] = [],
): string {
  const merged: Record<string, readonly string[]> = {
    ...POLICY,
    'connect-src': [...POLICY['connect-src']!, ...connect],
    'frame-src': frames,
  };
  for (const [directive, sources] of Object.entries(own))
    merged[directive] = sources.length === 0 ? [] : [...(merged[directive] ?? []), ...sources];
  if (own['require-trusted-types-for']?.length === 0) delete merged['trusted-types'];
  // Outside production the simulator shows the bundles in frames of our own origin.
  const ancestors = [...(own['frame-ancestors'] ?? []), ...(production ? [] : ["'self'"])];
  merged['frame-ancestors'] = ancestors.length === 0 ? ["'none'"] : ancestors;
  return Object.entries(merged)
    .filter(([, sources]) => sources.length > 0)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

function securityHeaders(c: Context, policy: string | null): void {
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Referrer-Policy', 'strict-origin-when-cross-origin');
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  if (policy === null) return;
  c.header('Content-Security-Policy', policy);
  // Windows that a page opens (a bank, a payment sheet) may talk to it; a page that opened ours may not.
  c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
  c.header('Permissions-Policy', 'geolocation=(self), camera=(), microphone=(self), payment=(self), usb=()');
}

type Coding = 'br' | 'gzip' | null;

/** The encodings that the client accepts, best first. `br;q=0` means that it refuses br. */
function accepted(c: Context): readonly Exclude<Coding, null>[] {
  const header = c.req.header('accept-encoding') ?? '';
  return (['br', 'gzip'] as const).filter((coding) =>
    new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[\\d.]+\\s*)?(?:,|$)`, 'i').test(header),
  );
}

const etagOf = (content: string | Buffer) =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Compares If-None-Match weakly, as HTTP requires, because proxies weaken ETags when they recompress. */
function matches(c: Context, etag: string): boolean {
  const header = c.req.header('if-none-match');
  return (
    header !== undefined &&
    header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
  );
}

/**
 * The path prefix that a proxy removed. Only plain segments are accepted, because the prefix is written into the page.
 */
function forwardedPrefix(c: Context, { proxies }: PagesOptions): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!proxies.isOne(incoming?.socket.remoteAddress ?? '')) return '';
  const prefix = trimmedEnd(c.req.header('x-forwarded-prefix') ?? '', /\//);
  return /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(prefix) ? prefix : '';
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

interface Rendered {
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

async function rendered(html: string): Promise<Rendered> {
  const plain = Buffer.from(html);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  return { etag: etagOf(plain), plain, br, gzip: gz };
}

/** What `make` made for this key the first time; of more than so many the oldest is forgotten, and so is a failure. */
function remembered<T>(all: Map<string, Promise<T>>, most: number, key: string, make: () => Promise<T>): Promise<T> {
  let one = all.get(key);
  if (!one) {
    one = make();
    if (all.size >= most) all.delete(all.keys().next().value as string);
    all.set(key, one);
    one.catch(() => all.delete(key));
  }
  return one;
}

/** One folder of built files. */
class Folder {
  readonly dir: string;
  readonly #variants = new Map<string, Promise<Rendered>>();
  readonly #previews = new Map<string, Promise<Buffer>>();
  readonly #etags = new Map<string, string>();
  #meta: BundleMeta | null = null;
  #readAtMs = 0;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Reads meta.json again after every build, so that `npm run dev` needs no restart. */
  meta(): BundleMeta | null {
    try {
      const changedMs = statSync(path.join(this.dir, 'meta.json')).mtimeMs;
      if (changedMs !== this.#readAtMs) {
        this.#meta = JSON.parse(readFileSync(path.join(this.dir, 'meta.json'), 'utf8')) as BundleMeta;
        this.#readAtMs = changedMs;
        this.#variants.clear();
        this.#previews.clear();
        this.#etags.clear();
      }
      return this.#meta;
    } catch {
      return null; // in the middle of a build, or before the first
    }
  }

  /** Returns the page that `make` creates from a file; each variant is created and compressed once. */
  page(key: string, file: string, make: (html: string) => string): Promise<Rendered> {
    return remembered(this.#variants, VARIANTS_KEPT, key, async () =>
      rendered(make(await readFile(path.join(this.dir, file), 'utf8'))),
    );
  }

  /** The picture of a page, drawn once; `ids` are the dishes on it. @throws TooManyPreviews */
  preview({ title, description }: SearchTexts, ids: readonly string[]): Promise<Buffer> {
    const drawings = ids.flatMap((id) => {
      const file = Object.keys(this.#meta?.files ?? {}).find((one) => one.startsWith(`food-${id}-`));
      return file === undefined ? [] : [path.join(this.dir, file)];
    });
    const [name = '', shop = name] = title.split(BETWEEN);
    return remembered(this.#previews, PREVIEWS_KEPT, [title, description, ...drawings].join('\n'), async () =>
      preview({
        title: name,
        description,
        shop,
        drawings: await Promise.all(drawings.map((file) => readFile(file, 'utf8'))),
      }),
    );
  }

  /** Sends `changes` of meta.json as events: as it is, and each time the folder has been built again. */
  changes(c: Context): Response {
    const now = () => JSON.stringify(this.meta()?.changes);
    let timer: NodeJS.Timeout | undefined;
    const body = new ReadableStream({
      start(controller) {
        const send = (text: string) => controller.enqueue(new TextEncoder().encode(`${text}\n\n`));
        let sent: string | undefined;
        // Compared with what was sent: a watcher of the file would not see a build between its start and this.
        const tell = () => {
          const changes = now();
          if (changes === undefined || changes === sent) return;
          sent = changes;
          send(`data: ${changes}`);
        };
        send(`retry: ${CHANGES_RETRY_MS}`);
        tell();
        timer = setInterval(tell, CHANGES_INTERVAL_MS);
      },
      cancel: () => clearInterval(timer),
    });
    return c.body(body, 200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  }

  async asset(c: Context, name: string): Promise<Response> {
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    securityHeaders(c, null);
    // These files are public. A host may show the page in a frame without an origin, and such a frame can load only
    // files that allow every origin.
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Cache-Control', HASHED.test(name) ? `public, max-age=${ONE_YEAR_S}, immutable` : 'no-cache');
    c.header('Content-Type', type);
    const isScript = HASHED.test(name) && /\.(?:js|css)$/.test(name);
    c.header('Vary', isScript ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding');
    // A browser that keeps this file can get its next release as a difference (RFC 9842).
    if (isScript) c.header('Use-As-Dictionary', `match="${dictionaryPattern(c.req.path)}"`);
    const plain = path.join(this.dir, name);
    let etag = this.#etags.get(name);
    if (etag === undefined) {
      etag = etagOf(await readFile(plain));
      this.#etags.set(name, etag);
    }
    c.header('ETag', etag);
    if (matches(c, etag)) return c.body(null, 304);
    const held = isScript ? heldDictionary(c) : null;
    const difference = held === null ? null : await readFile(`${plain}.${held}.dcz`).catch(() => null);
    if (difference !== null) {
      c.header('Content-Encoding', 'dcz');
      return answer(c, difference);
    }
    for (const coding of accepted(c)) {
      const body = await readFile(`${plain}.${coding === 'br' ? 'br' : 'gz'}`).catch(() => null);
      if (body === null) continue;
      c.header('Content-Encoding', coding);
      return answer(c, body);
    }
    return answer(c, await readFile(plain));
  }
}

/** '/in/gpay/first-0A1B2C3D.js' is a dictionary for every '/in/gpay/first-*.js'. */
const dictionaryPattern = (path: string) => path.replace(/-[0-9A-Z]{8}(?=\.(?:js|css)$)/, '-*');

/**
 * Start of the hash of the file that the client holds; the build uses it in the names of difference files. null when
 * the client does not accept differences.
 */
function heldDictionary(c: Context): string | null {
  const digest = /^:([A-Za-z0-9+/]{43}=):$/.exec(c.req.header('available-dictionary') ?? '')?.[1];
  const takes = /(?:^|,)\s*dcz\s*(?:,|;|$)/.test(c.req.header('accept-encoding') ?? '');
  return digest === undefined || !takes ? null : Buffer.from(digest, 'base64').toString('hex').slice(0, 16);
}

function answer(c: Context, body: Buffer): Response {
  c.header('Content-Length', String(body.length));
  return c.req.method === 'HEAD' ? c.body(null) : c.body(body as unknown as ArrayBuffer);
}

function answerPage(
  c: Context,
  page: Rendered,
  policy: string,
  production: boolean,
  status: 200 | 404 = 200,
): Response {
  securityHeaders(c, policy);
  c.header('Content-Type', TYPES['.html'] as string);
  c.header('Cache-Control', 'no-cache');
  // A cookie asks for the imitated host; in production there is none, and a cache keeps one page for all.
  c.header('Vary', `Accept-Encoding, ${production ? '' : 'Cookie, '}X-Forwarded-Prefix`);
  c.status(status);
  // What is not there may be there tomorrow, at the same content.
  if (status === 200) {
    c.header('ETag', page.etag);
    if (matches(c, page.etag)) return c.body(null, 304);
  }
  const coding = accepted(c)[0] ?? null;
  if (coding !== null) c.header('Content-Encoding', coding);
  return answer(c, coding === null ? page.plain : page[coding]);
}

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

function findableOf(
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

/** The bundle's policy plus the hashes of the inline styles and scripts of one page. */
function pagePolicy({ policy, pages: all }: BundleMeta, file: string): BundleMeta['policy'] {
  const { inline = [], early = [], styles = [] } = all?.[file.replace('.html', '')] ?? {};
  const own = [...inline, ...(styles.length > 0 ? ["'unsafe-hashes'", ...styles] : [])];
  return {
    ...policy,
    ...(own.length > 0 ? { 'style-src': own } : {}),
    ...(early.length > 0 ? { 'script-src': [...(policy['script-src'] ?? []), ...early] } : {}),
  };
}

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
function bundlePages(
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
    const key = [base, file, texts ? inside : String(texts), address, fake ?? '', origin, etagOf(data), likes].join(
      ' ',
    );
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
      const etag = etagOf(jpeg);
      c.header('Content-Type', TYPES['.jpg']);
      c.header('Cache-Control', `public, max-age=${PREVIEW_SECONDS}`);
      c.header('ETag', etag);
      return matches(c, etag) ? c.body(null, 304) : answer(c, jpeg);
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

/** What pages may show in frames: the bank's fields for a card, at their one origin. */
function framesOf({ cardFields }: PagesOptions): readonly string[] {
  const address = cardFields?.() ?? null;
  return address === null ? [] : [new URL(address).origin];
}

const SIMULATOR_POLICY = { 'frame-src': ["'self'"], 'require-trusted-types-for': [] };

/** Fills the simulator's page with the list of phones, and with links for readers without scripts. */
function withPhones(html: string, phones: readonly Phone[]): string {
  const links = phones.map(({ mount, name }) => `<a href="${escapeHtml(mount)}">${escapeHtml(name)}</a>`);
  return html
    .replace('id="phones">[]', () => `id="phones">${JSON.stringify(phones).replaceAll('<', '\\u003c')}`)
    .replace('<!--phones-->', () => links.join(', '));
}

function simulatorPages(app: Hono, folder: Folder, phones: readonly Phone[], options: PagesOptions): void {
  app.on(['GET', 'HEAD'], '/', async (c) => {
    if (!folder.meta()) return c.text(NOT_BUILT, 503, { 'Retry-After': '5' });
    const base = forwardedPrefix(c, options);
    const page = await folder.page(base, 'index.html', (html) => withPhones(html.replaceAll(BASE_TOKEN, base), phones));
    return answerPage(c, page, policyOf(SIMULATOR_POLICY, false), false);
  });
  app.on(['GET', 'HEAD'], '/simulator/*', async (c) => {
    const name = c.req.path.slice('/simulator/'.length);
    if (folder.meta() && Object.hasOwn(folder.meta()?.files ?? {}, name)) return folder.asset(c, name);
    return c.text(NO_FILE, 404, { 'Cache-Control': 'no-store' });
  });
}

/** What is asked for at the root of the origin by its name alone. */
function rootFiles(app: Hono, first: Folder, findable: () => readonly Findable[], options: PagesOptions): void {
  const plain = (c: Context, type: string, body: string) => {
    securityHeaders(c, null);
    return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
  };
  app.on(['GET', 'HEAD'], '/robots.txt', (c) =>
    plain(c, TYPES['.txt']!, robotsText(options.origin(), forwardedPrefix(c, options))),
  );
  app.on(['GET', 'HEAD'], '/sitemap.xml', async (c) => {
    const root = options.origin() + forwardedPrefix(c, options);
    const bundles = findable();
    const dishes = new Map<Findable, readonly string[]>();
    try {
      for (const one of bundles) dishes.set(one, (await options.shopOf(one.country).menu()).items.map(dishPath));
    } catch (error) {
      // The pages that need no database are named all the same.
      options.onUntold?.(error);
    }
    return plain(c, 'application/xml; charset=utf-8', sitemap(root, bundles, dishes));
  });
  app.on(['GET', 'HEAD'], '/favicon.ico', async (c) => {
    const png = await readFile(path.join(first.dir, 'apple-touch-icon.png'));
    securityHeaders(c, null);
    c.header('Content-Type', TYPES['.ico']);
    c.header('Cache-Control', 'public, max-age=86400');
    return answer(c, favicon(png));
  });
}

/** Whether whoever asks is a browser that opens an address; clients of the API take anything, or JSON. */
const opensPage = (c: Context) => /(?:^|,)\s*text\/html\s*(?:;|,|$)/.test(c.req.header('accept') ?? '');

/** What is outside every mount: a page that leads to the shops, for browsers. */
function elsewhere(app: Hono, shops: () => readonly BundleMeta[], options: PagesOptions): void {
  app.on(['GET', 'HEAD'], '*', async (c, next) => {
    if (!opensPage(c)) return await next();
    const prefix = forwardedPrefix(c, options);
    const { pathname, search } = new URL(c.req.url);
    const [, first = ''] = pathname.split('/');
    const own = first.toLowerCase();
    // Countries are named in either case (countryConfig), and so are their addresses.
    if (own !== first && shops().some(({ mount }) => mount.split('/')[1] === own)) {
      c.header('Vary', 'Accept, X-Forwarded-Prefix');
      return c.redirect(`${prefix}/${own}${pathname.slice(own.length + 1)}${search}`, 308);
    }
    securityHeaders(c, NOWHERE_POLICY);
    c.header('X-Robots-Tag', 'noindex');
    c.header('Cache-Control', 'no-store');
    c.header('Content-Type', TYPES['.html']);
    c.status(404);
    return answer(c, Buffer.from(nowhere(shops(), prefix)));
  });
}

function folders(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** Where a bundle is served: at its mount, or where those are who share it. */
function addressesOf(
  { mount }: BundleMeta,
  all: PagesOptions['shared'],
): readonly { readonly mount: string; readonly page?: Address['page'] }[] {
  const [, cc = '', name = '', ...language] = mount.split('/');
  const addresses = all?.get(`${cc}/${name}`);
  // Another language is below the address of its host.
  return addresses === undefined
    ? [{ mount }]
    : addresses.map((one) => ({
        mount: ['', ...one.mount.split('/').slice(0, -1), ...language].join('/'),
        page: one.page,
      }));
}

/**
 * Serves every built bundle below its mount (`/in/`, `/in/gpay/` ...), and outside production the simulator at the
 * root. Register it after the API, because its routes match every remaining path below a mount. Without a build every
 * page answers 503 and says how to build.
 */
export function pages(options: PagesOptions): Hono {
  const dist = options.dist ?? DIST;
  const app = new Hono();
  const bundles = folders(dist)
    .flatMap((cc) => folders(path.join(dist, cc)).map((host) => new Folder(path.join(dist, cc, host))))
    .flatMap((folder) => {
      const meta = folder.meta();
      return meta?.mount
        ? addressesOf(meta, options.shared).map((address) => ({ folder, host: meta.host, ...address }))
        : [];
    })
    // Longer mounts first: '/in' would take '/in/gpay' for one of its own paths.
    .sort((a, b) => b.mount.length - a.mount.length);
  const findable = () =>
    bundles.flatMap(({ folder, mount }) => {
      const meta = folder.meta();
      return (meta && findableOf(meta, mount, options)) ?? [];
    });
  const first = bundles.at(-1);
  const shown = bundles.find(({ folder }) => folder.meta()?.seo !== undefined);
  if (shown) rootFiles(app, shown.folder, findable, options);
  for (const { folder, mount, host, page: own } of bundles)
    bundlePages(app, mount, folder, { ...options, findable, ...(host === 'browser' ? {} : { connect: [] }) }, own);
  const built = new Set(bundles.map(({ mount }) => `${mount.slice(1)}/`));
  if (!options.production)
    simulatorPages(
      app,
      new Folder(path.join(dist, 'simulator')),
      (options.phones ?? []).filter(({ mount }) => built.has(mount)),
      options,
    );
  else if (first) app.get('/', (c) => c.redirect(`${forwardedPrefix(c, options)}${first.mount}/`, 302));
  // Those that are open to everybody; where none is built, those inside payment apps.
  const isOpen = ({ folder }: { readonly folder: Folder }) => folder.meta()?.seo !== undefined;
  const open = [...(bundles.some(isOpen) ? bundles.filter(isOpen) : bundles)].sort((a, b) =>
    a.mount < b.mount ? -1 : 1,
  );
  const shops = () =>
    open.flatMap(({ folder, mount }) => {
      const meta = folder.meta();
      return meta ? [{ ...meta, mount }] : [];
    });
  if (first) elsewhere(app, shops, options);
  else app.get('*', (c) => c.text(NOT_BUILT, 503, { 'Retry-After': '5' }));
  return app;
}
