import * as t from '#text/found.ts';
import { pagesTold, type SeoData, type Told } from '../domain/found.ts';

/** The country's name in the bundle's language: browsers do not know all names in all languages. */
declare const COUNTRY_NAME: string | undefined;

/** What search engines and whoever keeps a link are told of each page, in the language of this one. */
export const pagesFound = (told: Told): SeoData => pagesTold(told, t, COUNTRY_NAME);
