import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FEATURE_PATHS } from '../../../country/featurePaths.ts';
import { league } from '../environment.ts';
import { sheetOrigins } from '../providers/paymentSheets.ts';
import { noMetrics } from '../http/metrics.ts';
import { pages } from '../http/pages/pages.ts';
import type { ShopOf } from '../http/pages/seo.ts';
import type { App, Setting } from '../http/register.ts';
import type { Services } from '../call/services.ts';
import { phones } from '../http/pages/simulator.ts';
import { shared } from '../rules/hosts/hosts.ts';
import type { HostContext } from '../call/hosts.ts';
import type { ServeOptions } from './options.ts';

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));

/** The folder of the built bundles; null: none. */
export const distOf = ({ distDir }: Pick<ServeOptions, 'distDir'>) =>
  distDir === undefined && existsSync(DIST) ? DIST : (distDir ?? null);

/** Serves the bundles that are built, if they are to be served. */
export function addPages(
  app: App,
  options: Pick<ServeOptions, 'distDir'>,
  {
    environment,
    development,
    proxies,
    counts,
    ...found
  }: Pick<Setting, 'proxies'> & {
    readonly hidden: readonly string[];
    readonly origin: () => string;
    readonly cardFields: () => string | null;
    readonly shopOf: ShopOf;
    readonly onUntold: (error: unknown) => void;
    readonly counts: Services['counts'];
    readonly environment: HostContext['environment'];
    readonly development: boolean;
  },
): void {
  const dist = distOf(options);
  if (dist === null) return;
  countPages(app, counts);
  const all = pages({
    dist,
    production: !development,
    connect: sheetOrigins(environment),
    ...found,
    framed: { page: FEATURE_PATHS['worldpizzaleagueapp']![0]!, by: environment.read(league).frames },
    proxies,
    phones: development ? phones() : [],
    shared: shared(),
  });
  app.route('/', all as unknown as App);
}

/** Counts what the routes after this answer, by what it is: a page, or one of its files. */
function countPages(app: App, counts: Services['counts']): void {
  if (counts === noMetrics.counts) return;
  app.use('*', async (context, next) => {
    const started = performance.now();
    await next();
    const { method } = context.req;
    const path = context.res.headers.get('content-type')?.startsWith('text/html') ? '(page)' : '(file)';
    const seconds = (performance.now() - started) / 1000;
    if (method === 'GET' || method === 'HEAD')
      counts.answered({ method, path, host: '', country: '', status: context.res.status, seconds });
  });
}
