// The page at an address outside every shop: it says so, and leads to each of them.
import { escapeHtml } from '../../../domain/html.ts';
import { createHash } from 'node:crypto';
import { countryConfig } from '../../../../country/index.ts';
import { appTold } from '../../../domain/seo.ts';
import { errors, found, inLanguage, languageAsked } from '../../call/language.ts';

/** Where a shop is, by the folder of its country. */
interface Shop {
  readonly mount: string;
  readonly country: string;
  readonly language: string;
}

const STYLE =
  ':root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}main{max-width:32rem;margin:auto;padding:2rem 1.25rem}h1{font-size:1.375rem;line-height:1.3}ul{padding:0;list-style:none}a{display:block;padding:.75rem 0}';

export const NOWHERE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function linkTo({ mount, country, language }: Shop, prefix: string): string {
  const config = countryConfig(country);
  const locale = config.locales[language] ?? config.locale;
  // Each in its own language: whoever reads it knows it.
  const { name } = inLanguage(language, () => appTold({ ...config, locale }, found));
  return `<li><a href="${escapeHtml(`${prefix}${mount}/`)}" lang="${locale}" hreflang="${locale}">${escapeHtml(name)}</a></li>`;
}

/** In the language of the request. `prefix` is what a proxy took off the address. */
export function nowhere(shops: readonly Shop[], prefix: string): string {
  const said = escapeHtml(errors.brokenLink);
  return `<!doctype html>
<html lang="${languageAsked()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${said}</title><style>${STYLE}</style></head>
<body><main><h1>${said}</h1><ul>${shops.map((shop) => linkTo(shop, prefix)).join('')}</ul></main></body></html>
`;
}
