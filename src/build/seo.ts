import path from 'node:path';
import type * as sentences from '#text/found.ts';
import { appTold, pagesTold, shortcutsTold, type SeoData } from '../domain/seo.ts';
import type { SentencesOf } from '../text/spoken.ts';
import { localeOf, root, type Bundle } from './bundles.ts';
import { compileTexts, spokenIn } from './texts.ts';

/** The country in the bundle's language, and the words for what it says of itself. */
async function toldIn(bundle: Bundle) {
  const t = await spokenIn<SentencesOf<typeof sentences>>(await compileTexts(root, bundle), 'found');
  return { told: { ...bundle.country, locale: localeOf(bundle) }, t };
}

/** Titles and descriptions of the bundle's pages. */
export async function seoOf(bundle: Bundle): Promise<SeoData> {
  const { told, t } = await toldIn(bundle);
  return pagesTold(told, t);
}

/** What is shown where the app is offered, by the width of a screen. `npm run picture` takes these pictures. */
export const SCREENSHOTS = [
  { form: 'narrow', width: 450, height: 800 },
  { form: 'wide', width: 1280, height: 720 },
] as const;

/** Where a host keeps the picture of a country in a language. */
export const screenshotOf = (host: string, cc: string, language: string, form: string): string =>
  path.join(host, 'screenshots', `${cc}.${language}.${form}.webp`);

/** What the bundle's manifest says in words. */
export async function manifestWords(bundle: Bundle) {
  const { told, t } = await toldIn(bundle);
  return {
    ...appTold(told, t),
    shortcuts: shortcutsTold(await bundle.country.pwa(), told, t),
    labels: { narrow: t.shownNarrow, wide: t.shownWide },
  };
}
