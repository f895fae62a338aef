import { escapeHtml, jsonInHtml } from '../../../domain/html.ts';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Hono, type Context } from 'hono';
import type { Phone } from '../../../contract/simulator.ts';
import { nowhere, NOWHERE_POLICY } from './notFound.ts';
import { type BundleMeta, type PagesOptions, type Address, BASE_TOKEN, forwardedPrefix } from './bundles.ts';
import { NOT_BUILT, NO_FILE, TYPES, Folder, answer, answerPage } from './builtFolder.ts';
import { findableOf, bundlePages } from './bundlePages.ts';
import { policyOf, securityHeaders } from './pagePolicy.ts';
import { rootFiles } from './rootFiles.ts';

const DIST = path.resolve(import.meta.dirname, '../../../../dist');

const SIMULATOR_POLICY = { 'frame-src': ["'self'"], 'require-trusted-types-for': [] };

/** Fills the simulator's page with the list of phones, and with links for readers without scripts. */
function withPhones(html: string, phones: readonly Phone[]): string {
  const links = phones.map(({ mount, name }) => `<a href="${escapeHtml(mount)}">${escapeHtml(name)}</a>`);
  return html
    .replace('id="phones">[]', () => `id="phones">${jsonInHtml(phones)}`)
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

/** Whether whoever asks is a browser that opens an address; clients of the API take anything, or JSON. */
const opensPage = (c: Context) => /(?:^|,)\s*text\/html\s*(?:;|,|$)/.test(c.req.header('accept') ?? '');

/** Paths outside every mount: browsers get a page that leads to the shops. */
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
