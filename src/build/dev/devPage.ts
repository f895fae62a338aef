// A worker thread of `npm run dev`: what a page needs beside its scripts and stylesheet. Modules of a new thread are read anew,
// so that an edit of a country, a host's page or the menu needs no new start.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { bundlesAsked, mountOf, namedIn, root, type BundleSelection, type Bundle } from '../bundles.ts';
import { policyHash } from '../hash.ts';
import { icon, iconSvg } from '../pictures/icons.ts';
import { EDITED, picturesOf } from '../pictures/pictures.ts';
import { BASE_TOKEN, page, PAGES, skeleton, templateOf, type PageWords } from '../pages.ts';
import { script } from '../script.ts';
import { compileTexts, spokenIn } from '../texts.ts';
import { seoOf } from '../seo.ts';

/** What stands in the pages until the time of their writing is put there. */
export const BUILT_TOKEN = '-built-';

/** The files of a bundle but scripts and stylesheet, and its meta.json without the list of files. */
export interface Still {
  readonly files: ReadonlyMap<string, string>;
  readonly meta: object;
}

/** What the thread is started with. */
export interface StillAsked {
  readonly asked: BundleSelection;
}

/** What the thread answers: the stills of all bundles asked for, in the order of bundlesAsked. */
export type StillAnswer = readonly Still[];

async function still(bundle: Bundle): Promise<Still> {
  const { country, host, cc } = bundle;
  const { defaultMenu } = await import('../../server/rules/catalogue/menu.ts');
  const pwa = await country.pwa();
  const { fallback } = await seoOf(bundle);
  const words = await spokenIn<PageWords>(await compileTexts(root, bundle), 'page');
  const { template, policy } = await templateOf(bundle);
  const files = new Map([
    ['menu.json', JSON.stringify(defaultMenu(country, bundle.language))],
    ['icon.svg', iconSvg(icon(false, pwa.theme_color))],
    ...(await picturesOf(country, EDITED)).files,
  ]);
  const following = (await script(path.join(root, 'src/build/dev/page.ts'), bundle)).trim();
  const fakeFile = path.join(host.folder, 'fake.ts');
  const fake = existsSync(fakeFile) ? 'fake.js' : null;
  if (fake !== null) files.set(fake, await script(fakeFile, bundle));
  for (const kind of PAGES) {
    const html = page({
      template,
      bundle,
      drawn: { html: skeleton(words), samples: '', title: fallback.title, description: fallback.description },
      kind: { ...kind, path: null },
      early: [],
      critical: '',
      firstRules: '',
      stylesheets: ['main.css'],
      scripts: ['main.js'],
      preloads: [],
      boot: {
        base: BASE_TOKEN,
        menu: 'menu.json',
        version: 'dev',
        country: cc,
        host: host.name,
        path: null,
        styles: null,
        ...namedIn(bundle),
      },
      menuFile: 'menu.json',
      pwa,
      // What a page says without its script is of no use to who writes it.
      noScript: '',
      late: '',
    });
    const tag = `<script data-built="${BUILT_TOKEN}">${following}</script>`;
    files.set(
      `${kind.name}.html`,
      html.replace('</head>', () => `${tag}\n</head>`),
    );
  }
  const pages = Object.fromEntries(
    PAGES.map(({ name }) => [name, { inline: [], early: [policyHash(following)], styles: [] }]),
  );
  return { files, meta: { country: cc, host: host.name, mount: mountOf(bundle), fake, policy, pages } };
}

if (parentPort !== null) {
  const { asked } = workerData as StillAsked;
  const answer: StillAnswer = await Promise.all((await bundlesAsked(asked)).map(still));
  parentPort.postMessage(answer);
}
