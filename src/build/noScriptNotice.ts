import type * as sentences from '#text/page.ts';
import type { Menu, MenuItem } from '../contract/menu.ts';
import { formatMoney } from '../domain/money.ts';
import { writtenPhone } from '../domain/writtenPhone.ts';
import type { SentencesOf } from '../text/spoken.ts';
import { localeOf, type Bundle } from './bundles.ts';
import { escapeHtml } from '../domain/html.ts';

// What a page offers without its script: where that fails, takes too long, or finds a browser that is too old for it.

interface Parts {
  readonly bundle: Bundle;
  readonly isStandalone: boolean;
  readonly words: SentencesOf<typeof sentences>;
}

/** The help number, to be tapped where a page may start calls: payment apps keep that to themselves. */
function phoneOf({ bundle: { country }, isStandalone }: Parts): string {
  const number = writtenPhone(country.HELP_DESK_NO, country);
  const digits = country.HELP_DESK_NO.replace(/\s/g, '');
  return isStandalone
    ? `<a href="tel:${digits}" translate="no">${escapeHtml(number)}</a>`
    : `<b translate="no">${escapeHtml(number)}</b>`;
}

/** A sentence with the help number in it. */
const withPhone = (sentence: (values: { phone: string }) => string, parts: Parts): string =>
  escapeHtml(sentence({ phone: '~' })).replace('~', () => phoneOf(parts));

/**
 * A notice that every page carries and hides (src/ui/base.css): its own style shows it after a while, no script is needed
 * for that. It says that the page is still loading or, once a script has failed (src/shell/loading/coming.ts), that it has not
 * started. The connected page takes it out, and puts it in again while a screen's script is on its way
 * (src/shell/first/phases.ts).
 */
export function lateNotice(parts: Parts, list: string): string {
  const { words: t } = parts;
  const said = [t.lateComing, t.late, t.lateNeeds].map(escapeHtml).concat(withPhone(t.lateCall, parts));
  const ways = `<a href="./" data-leave>${escapeHtml(t.lateAgain)}</a> <a href="${list}" data-leave>${escapeHtml(t.lateMenu)}</a>`;
  return `<aside class="late" role="alert">${[...said, ways].map((line) => `<p>${line}</p>`).join('')}</aside>`;
}

/**
 * Only browsers without modules run this. There nothing of the app can load, and so nothing can fail: without the template
 * the notice comes as soon as after a failure, and says which browser is needed.
 */
export const WITHOUT_MODULES = 'early.remove()';

/** For readers without scripts. */
export function noScriptNotice(parts: Parts, list: string): string {
  const { words: t } = parts;
  return `${withPhone(t.noScript, parts)} <a href="${list}">${escapeHtml(t.lateMenu)}</a>`;
}

/** The menu as a page of its own that any browser can read; the prerendered one draws most of its dishes by script. */
export function listPage(parts: Parts, menu: Menu, css: string): string {
  const { bundle, words: t } = parts;
  const style = { ...bundle.country, locale: localeOf(bundle) };
  const priceOf = ({ prices }: MenuItem) => {
    const amounts = Object.values(prices);
    const least = formatMoney(Math.min(...amounts) as (typeof amounts)[number], style);
    const exact = `<span translate="no">${escapeHtml(least)}</span>`;
    return amounts.length > 1 ? escapeHtml(t.listFrom({ price: '~' })).replace('~', () => exact) : exact;
  };
  const dish = (item: MenuItem) =>
    `<li><h3>${escapeHtml(item.name)} <small>${priceOf(item)}</small></h3><p>${escapeHtml(item.description)}</p></li>`;
  const sections = menu.categories.map(({ id, label }) => {
    const items = menu.items.filter(({ categoryIds }) => categoryIds.includes(id));
    return items.length === 0 ? '' : `<h2>${escapeHtml(label)}</h2>\n<ul>\n${items.map(dish).join('\n')}\n</ul>`;
  });
  return `<!doctype html>
<html lang="${localeOf(bundle)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(bundle.country.appName)}</title>
<link rel="stylesheet" href="${css}">
<link rel="icon" href="icon.svg" type="image/svg+xml">
</head>
<body class="list">
<p><b translate="no">${escapeHtml(bundle.country.appName)}</b></p>
<h1>${escapeHtml(t.listTitle)}</h1>
<p>${withPhone(t.lateCall, parts)}</p>
<p>${escapeHtml(t.listPrices)}</p>
${sections.join('\n')}
<p><a href="./">${escapeHtml(t.lateAgain)}</a></p>
</body>
</html>
`;
}
