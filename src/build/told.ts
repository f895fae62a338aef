import type * as sentences from '#text/found.ts';
import { appTold, pagesTold, shortcutsTold, type SeoData } from '../domain/found.ts';
import type { Spoken } from '../text/spoken.ts';
import { localeOf, root, type Bundle } from './bundles.ts';
import { compileTexts, spokenIn } from './texts.ts';

/** The country in the bundle's language, and the words for what it says of itself. */
async function toldIn(bundle: Bundle) {
  const words = await spokenIn<Spoken<typeof sentences>>(await compileTexts(root, bundle.language), 'found');
  return { told: { ...bundle.country, locale: localeOf(bundle) }, words };
}

/** Titles and descriptions of the bundle's pages. */
export async function seoOf(bundle: Bundle): Promise<SeoData> {
  const { told, words } = await toldIn(bundle);
  return pagesTold(told, words);
}

/** What the bundle's manifest says in words. */
export async function manifestWords(bundle: Bundle) {
  const { told, words } = await toldIn(bundle);
  return { ...appTold(told, words), shortcuts: shortcutsTold(await bundle.country.pwa(), told, words) };
}
