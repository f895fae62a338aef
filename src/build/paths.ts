import path from 'node:path';
import * as esbuild from 'esbuild';
import type { RouteRow } from '../shell/first/row.ts';
import { root, type Bundle } from './bundles.ts';
import { clientOptions } from './graph.ts';

/**
 * The paths of all screens that a standalone page of a country has, as its shell writes them (`/order/:orderId`), with
 * those that lead on to another.
 */
export async function pathsOf(bundle: Bundle): Promise<string[]> {
  const { country } = bundle;
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: ['first/routes', 'routes.full'].map((name) => `export * from './${name}.ts';`).join(''),
      resolveDir: path.join(root, 'src/shell'),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    define: clientOptions(bundle, '').define,
    // The screens themselves are not asked for.
    plugins: [
      {
        name: 'no-screens',
        setup(build) {
          build.onResolve({ filter: /./ }, ({ kind, path: from }) =>
            kind === 'dynamic-import' ? { path: from, external: true } : null,
          );
        },
      },
    ],
  });
  const { firstRoutes, routes } = (await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  )) as Readonly<Record<'firstRoutes' | 'routes', readonly RouteRow[]>>;
  const rows = [...firstRoutes, ...routes].map((row) => row.path);
  return [...rows, ...Object.keys(country.redirects)].filter(
    (own) => !country.BLOCKED_PATHS.some((one) => own === one || own.startsWith(`${one}/`)),
  );
}
