import { escapeHtml, jsonInHtml } from '../domain/html.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as sentences from '#text/page.ts';
import type { PwaConfig } from '../../country/shape.ts';
import type { SentencesOf } from '../text/spoken.ts';
import { localeOf, type Bundle } from './bundles.ts';
import { policyHash } from './hash.ts';
import { WITHOUT_MODULES } from './noScriptNotice.ts';

/** Stands for the mount point in a page's <base> and boot data until the server, or --base, fills it in. All other URLs are relative. */
export const BASE_TOKEN = '/-base-';

/** The sentences of the HTML page itself. */
export type PageWords = SentencesOf<typeof sentences>;

export interface PageKind {
  readonly name: 'index' | 'menu' | 'app';
  /** The path whose screen is prerendered into the page; null for the page of all other paths, which has none. */
  readonly path: string | null;
}

export const PAGES: readonly PageKind[] = [
  { name: 'index', path: '/' },
  { name: 'menu', path: '/menu' },
  { name: 'app', path: null },
];

/** Fills the {{places}} of a template; a line whose places are all empty is left out. @throws Error for a place without a value */
export function fill(template: string, places: Readonly<Record<string, string>>, where: string): string {
  const namesIn = (line: string) => [...line.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] as string);
  return template
    .split('\n')
    .filter((line) => {
      const names = namesIn(line);
      for (const name of names) if (!(name in places)) throw new Error(`${where}: nobody fills {{${name}}}.`);
      return names.length === 0 || names.some((name) => places[name] !== '');
    })
    .map((line) => line.replace(/\{\{(\w+)\}\}/g, (_, name: string) => places[name] as string))
    .join('\n');
}

export type Policy = Readonly<Record<string, readonly string[]>>;

/**
 * Takes the `<meta name="csp" data-directive="script-src" content="https://...">` lines out of a template: the sources that this
 * host adds to its content security policy. Empty content removes the directive.
 */
function takePolicy(template: string): { policy: Record<string, string[]>; rest: string } {
  const policy: Record<string, string[]> = {};
  const rest = template.replace(
    /^.*<meta name="csp" data-directive="([\w-]+)" content="([^"]*)">.*\n/gm,
    (_, directive: string, sources: string) => {
      policy[directive] = [...(policy[directive] ?? []), ...sources.split(' ').filter(Boolean)];
      return '';
    },
  );
  return { policy, rest };
}

/** The host's index.html, and the policy it declares for its pages, with the API host of the bundle's environment added. */
export async function templateOf({
  host,
  country,
  environment,
}: Bundle): Promise<{ template: string; policy: Policy }> {
  const { policy, rest: template } = takePolicy(await readFile(path.join(host.folder, 'index.html'), 'utf8'));
  const apiHost = country.ENVIRONMENTS[environment].API_HOST;
  if (apiHost) policy['connect-src'] = [...(policy['connect-src'] ?? []), new URL(apiHost).origin];
  return { template, policy };
}

/** Hashes of a page's style attributes: the content security policy allows exactly these, so injected ones have no effect. */
export function styleHashes(html: string): string[] {
  const plain = (value: string) =>
    value
      .replace(/&quot;/g, '"')
      .replace(/&#x27;/g, "'")
      .replace(/&amp;/g, '&');
  const values = new Set([...html.matchAll(/<[^>]*?\sstyle="([^"]*)"/g)].map((match) => plain(match[1] as string)));
  return [...values].map(policyHash);
}

/** Grey boxes that a deep link shows until its script runs. Drawn by attributes alone, since the policy refuses inline styles. */
export function skeleton(t: PageWords): string {
  const boxes = [
    [0, 0, 360, 48, 0],
    [16, 68, 200, 20, 4],
    [16, 104, 328, 96, 8],
    [16, 216, 328, 96, 8],
    [16, 328, 328, 96, 8],
  ].map(
    ([x, y, width, height, radius]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`,
  );
  return `<svg viewBox="0 0 360 640" width="100%" role="img" aria-label="${escapeHtml(t.loading)}" fill="#8883">${boxes.join('')}</svg>`;
}

export interface PageDrawing {
  readonly html: string;
  /** Key of the chosen language in the device's storage. */
  readonly languageKey?: string;
  /** Key of how the menu's dishes look. */
  readonly lookKey?: string;
  /** A template that follows it in the page: how shell/loading/early.ts draws taps that come before the script. */
  readonly samples: string;
  readonly title: string;
  readonly description: string;
}

export interface PageParts {
  readonly template: string;
  readonly bundle: Bundle;
  readonly drawn: PageDrawing;
  readonly kind: PageKind;
  /** Inline scripts: one in the head, before the first picture is requested and the first button can be tapped, one at the page's end. */
  readonly early: readonly [head?: string, end?: string];
  readonly critical: string;
  /** The rules of all first screens, behind what needs only the critical ones; '' where a stylesheet has them. */
  readonly firstRules: string;
  readonly stylesheets: readonly string[];
  /** The script that starts the page, then those that it needs at once. */
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  readonly boot: Readonly<Record<string, unknown>>;
  readonly menuFile: string;
  readonly pwa: PwaConfig;
  /** What is told without scripts, and what is told where they fail or take too long (noScriptNotice.ts). */
  readonly noScript: string;
  readonly late: string;
}

const inlineScript = (text?: string) => (text ? `<script>${text}</script>\n` : '');

/**
 * A whole page. On slow links every byte before the first paint delays it (figures: npm run bench). So the CSS rules that the
 * page needs are inline, the text follows, and the other rules, the script and the menu come at the end of the body, when the
 * reader already sees the screen. There the compression finds most of these rules said already: as a file they take five times
 * as much.
 */
export function page({ template, bundle, drawn, kind, ...parts }: PageParts): string {
  const { country, host } = bundle;
  const boot = jsonInHtml(parts.boot);
  const [first, ...beside] = parts.scripts;
  const [head, end] = parts.early;
  return fill(
    template,
    {
      lang: localeOf(bundle),
      title: escapeHtml(drawn.title),
      description: escapeHtml(drawn.description),
      themeColor: parts.pwa.theme_color,
      appName: escapeHtml(parts.pwa.short_name),
      base: BASE_TOKEN,
      verification: escapeHtml(country.GOOGLE_SITE_VERIFICATION_ID),
      noScript: parts.noScript,
      styles: inlineScript(head) + (parts.critical === '' ? '' : `<style>${parts.critical}</style>`),
      head: '',
      path: kind.path === null ? '' : ` data-path="${kind.path}"`,
      app: drawn.html,
      boot: `${drawn.samples}${parts.late}${inlineScript(end)}<script nomodule>${WITHOUT_MODULES}</script>\n<script type="application/json" id="boot">${boot}</script>`,
      scripts: [
        ...(parts.firstRules === '' ? [] : [`<style>${parts.firstRules}</style>`]),
        ...parts.stylesheets.map((name) => `<link rel="stylesheet" href="${name}">`),
        `<script type="module" src="${first}"></script>`,
        ...[...beside, ...parts.preloads].map((name) => `<link rel="modulepreload" href="${name}">`),
        `<link rel="preload" as="fetch" crossorigin="anonymous" href="${parts.menuFile}">`,
      ].join('\n'),
    },
    `hosts/${host.name}/index.html (${kind.name})`,
  );
}

/**
 * Web manifest: `common` is the host's file with the words of the bundle's language, `pwa` the country's part. URLs are relative
 * to the manifest, so it works at any mount point.
 */
export function manifest(
  common: object,
  pwa: PwaConfig,
  shortcuts: readonly { readonly name: string; readonly url: string }[],
  sizes: readonly number[],
): object {
  const { shortcuts: _paths, icons, ...own } = pwa;
  const png = (size: number, purpose: string, part: string) => ({
    src: `icon-${part}${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    ...common,
    ...own,
    icons: [...icons, ...sizes.flatMap((size) => [png(size, 'any', ''), png(size, 'maskable', 'maskable-')])],
    shortcuts: shortcuts.map((one) => ({
      ...one,
      url: `.${one.url}`,
      icons: [{ src: 'icon-192.png', sizes: '192x192', type: 'image/png' }],
    })),
  };
}
