import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import type { Menu } from '../contract/menu.ts';
import type { CountryData } from '../../country/shape.ts';
import type { HostProfile } from '../bridge/profile.ts';
import { localeOf, nameOf, root, type Bundle } from './bundles.ts';
import { classEdits, type ClassNames } from './classNames.ts';
import { clientOptions } from './graph.ts';
import { PAGES, type PageDrawing } from './pages.ts';
import { edited } from './rewrite/edits.ts';
import { compileTexts, speaking } from './texts.ts';

interface Prerenderer {
  readonly prerender: (what: {
    profile: HostProfile;
    country: CountryData;
    path: string;
    menu: Menu;
  }) => Promise<PageDrawing>;
  readonly country: CountryData;
  readonly profile: HostProfile;
}

/** The source of the screen on each prerendered page, by the page's name. */
const SCREENS: Readonly<Record<string, string>> = {
  index: 'src/screens/first/HomeScreen.tsx',
  menu: 'src/screens/first/MenuScreen.tsx',
};

/** Renders the first screens with the default menu to HTML, by page name. */
export async function prerendered(
  bundle: Bundle,
  menu: Menu,
  dist: string,
  pictures: string,
  classes: ClassNames,
): Promise<ReadonlyMap<string, { readonly page: PageDrawing; readonly screen: string }>> {
  const { host, cc } = bundle;
  const folder = path.join(dist, '.cache', `${cc}-${nameOf(bundle)}`);
  const local = (file: string) => JSON.stringify(path.join(root, file));
  const options = clientOptions(bundle, folder, pictures);
  const result = await esbuild.build({
    ...options,
    entryNames: '[name]',
    plugins: [...options.plugins, speaking(await compileTexts(root, bundle))],
    stdin: {
      contents: `export { prerender } from ${local('src/shell/prerender.tsx')};
        export { country } from ${local(`country/${cc}/index.ts`)};
        export { profile } from ${JSON.stringify(path.join(host.folder, 'profile.ts'))};`,
      resolveDir: root,
      loader: 'ts',
    },
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'prerender.mjs');
  const text = result.outputFiles.find((one) => one.path.endsWith('.js'))?.text ?? '';
  await writeFile(file, edited(text, classEdits(text, classes)));
  const { prerender, profile, country } = (await import(pathToFileURL(file).href)) as Prerenderer;
  const pages = new Map<string, { page: PageDrawing; screen: string }>();
  for (const kind of PAGES) {
    if (kind.path === null) continue;
    try {
      const drawn = await prerender({
        profile,
        country: { ...country, locale: localeOf(bundle) },
        path: kind.path,
        menu,
      });
      pages.set(kind.name, { page: drawn, screen: SCREENS[kind.name] as string });
    } catch (error) {
      throw new Error(`${cc}/${host.name}: ${kind.path} cannot be prerendered: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return pages;
}
