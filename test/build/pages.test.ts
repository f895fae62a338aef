import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { page, type PageParts } from '../../src/build/pages.ts';

const template = readFileSync(path.join(import.meta.dirname, '../../hosts/browser/index.html'), 'utf8');
/** The page of a country whose owner has proven the site to a search engine by this id. */
function pageOf(verification: string): string {
  const country = { ...countryConfig('in'), GOOGLE_SITE_VERIFICATION_ID: verification };
  return page({
    template,
    bundle: { country, host: { name: 'browser' }, language: 'en' },
    drawn: { html: '', samples: '', title: 'Pizza', description: 'Hot' },
    kind: { name: 'index', path: null },
    early: [],
    critical: '',
    stylesheets: [],
    scripts: ['app.js'],
    preloads: [],
    boot: {},
    menuFile: 'menu.json',
    pwa: { theme_color: '#fff', short_name: 'Pizza' },
    noScript: '',
    late: '',
  } as unknown as PageParts);
}

test("a country's id for search engines stands in the head of its pages, escaped, and none is named without one [CFG-23]", () => {
  const head = (html: string) => html.slice(0, html.indexOf('</head>'));
  expect(head(pageOf('abc-DEF_1'))).toContain('<meta name="google-site-verification" content="abc-DEF_1">');
  expect(head(pageOf('a"b'))).toMatch(/verification" content="a&(quot|#34);b"/);
  expect(pageOf('')).not.toContain('google-site-verification');
});
