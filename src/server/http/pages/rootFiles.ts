import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Hono, type Context } from 'hono';
import { favicon, robotsText, sitemap, type Findable } from './seo.ts';
import { dishPath } from './structured.ts';
import { type PagesOptions, forwardedPrefix } from './bundles.ts';
import { TYPES, Folder, answer } from './builtFolder.ts';
import { securityHeaders } from './pagePolicy.ts';
import { DAY_S, HOUR_S } from '../../../domain/time.ts';

/** What is asked for at the root of the origin by its name alone. */
export function rootFiles(app: Hono, first: Folder, findable: () => readonly Findable[], options: PagesOptions): void {
  const plain = (c: Context, type: string, body: string) => {
    securityHeaders(c, null);
    return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': `public, max-age=${HOUR_S}` });
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
    c.header('Cache-Control', `public, max-age=${DAY_S}`);
    return answer(c, favicon(png));
  });
}
