import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as english from '#text/found.ts';
import * as history from '#text/history.ts';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import { appTold } from '../../src/domain/seo.ts';
import { root } from './sources.ts';

interface Size {
  bytes: number;
  gzip: number;
  brotli: number;
}
interface Meta {
  country: string;
  host: string;
  entry: string;
  css: string;
  laterCss: string;
  restCss: string;
  menu: string;
  fake: string | null;
  firstLoad: Size;
  total: Size;
  styles: Size;
  pages: Record<
    string,
    { path: string | null; scripts: string[]; firstLoad: Size; inline: string[]; early: string[]; styles: string[] }
  >;
  files: Record<string, Size>;
  libraries?: Size;
}
interface Metafile {
  inputs: Record<string, unknown>;
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }>; entryPoint?: string }>;
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const SCRIPT_LIMIT_BYTES = 68_000;
/** 100 of them lead to the chosen language, where a country has several. */
const INLINE_LIMIT_BYTES = 1_700;
/** Indian scripts take three bytes a letter. */
const OTHER_LANGUAGE_LIMIT_BYTES = 69_000;
const INLINE_SCRIPT = /<script(?![^>]*(?:\ssrc=|type="application\/json"))[^>]*>([^]*?)<\/script>/g;
const STYLE_LIMIT_BYTES = 7_000;
/** What makes the first screens alive comes after them; every other address asks for it at once, and for both stylesheets.
 * 200 of them ask for nothing twice, which spares a newcomer's order 13 calls and 17 KB. */
const ALIVE_LIMIT_BYTES = 33_700;
const APP_LIMIT_BYTES = 101_500;
const OTHER_LANGUAGE_ALIVE_LIMIT_BYTES = 34_200;
const BOTH_STYLES_LIMIT_BYTES = 15_200;

const expected = countries.flatMap((country) =>
  // Partners are in every country.
  [...Object.keys(country.api.keys), 'frame'].map((host) => ({
    cc: country.COUNTRY_CODE.toLowerCase(),
    host,
    country,
  })),
);
const folder = (cc: string, host: string) => path.join(root, 'dist', cc, host);
const readJson = <T>(file: string): T => {
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first (\`npm test\` does).`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
};
/** Food on trains, which only one country has, and no host. */
const TRAINS = [
  ...['JourneyCard', 'JourneyLine', 'PnrForm', 'PnrScreen', 'QuestionScreen', 'SeatFields', 'StationFacts'],
  ...['StationScreen', 'StationSheet', 'TermsSheet', 'TrainLandingScreen', 'TrainOrdersScreen'],
  ...['TrainPlace', 'TrainProgress', 'TrainPicture'],
]
  .map((name) => `screens/trains/${name}.tsx`)
  .concat('contract/trains.ts', 'screens/payment/TrainCode.tsx', 'shell/around/HomeTrain.tsx')
  .concat(['station', 'trains', 'trainOrders', 'trainPhone'].map((name) => `state/trains/${name}.ts`));
/** The same of the league. */
const LEAGUE = ['Board', 'League', 'LeagueAppScreen', 'LeagueScreen', 'Me', 'Rounds', 'TeamMark']
  .map((name) => `screens/league/${name}.tsx`)
  .concat('contract/league.ts', 'state/offers/league.ts');
/** What only a page outside a payment app can reach: its own balances, cards, other people's links, other apps. */
const FULL_ONLY = [
  ...['screens/payment/CardFields', 'screens/payment/Choices', 'screens/payment/link/LinkStep'].map(
    (name) => `${name}.tsx`,
  ),
  'screens/payment/SheetButtons.tsx',
  ...['FundsInside', 'WalletFunds', 'WalletLinked', 'WalletSheets'].map((name) => `screens/funds/${name}.tsx`),
  'screens/order/PayAgain.tsx',
  'screens/order/RedeemVouchers.tsx',
  'screens/coupons/CouponsScreen.tsx',
  ...['DetailsScreen', 'HistoryScreen', 'SpendSheet'].map((name) => `screens/history/${name}.tsx`),
  ...['ChatScreen', 'ChatRow'].map((name) => `screens/chat/${name}.tsx`),
  ...['aboutAccount', 'aboutFood', 'aboutHelp', 'aboutOrders', 'aboutShop', 'answering', 'desk'].map(
    (name) => `screens/chat/${name}.ts`,
  ),
  ...['domain/chat/verdict.ts', 'contract/chat.ts'],
  'state/menu/chat.ts',
  'state/offers/storeOffers.ts',
  'bridge/payment/paymentSheet.ts',
  // What a browser shows of itself is looked at nowhere else.
  ...['bridge/browserTraits.ts', 'domain/botSigns.ts', 'state/consent/botSignals.ts'],
  'state/orders/history.ts',
  ...['linkedWallets', 'payments', 'paymentSheet', 'redeem', 'vouchers', 'wallet'].map(
    (name) => `state/payment/${name}.ts`,
  ),
  ...['cards', 'linkedWallets', 'vouchers', 'wallet'].map((name) => `contract/${name}.ts`),
].map((name) => `src/${name}`);

/** Sources of which something is left in a script: not those that tree shaking has emptied. */
const shipped = (cc: string, host: string) =>
  new Set(
    Object.values(readJson<Metafile>(path.join(folder(cc, host), 'metafile.json')).outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
    ),
  );
/** Scripts and stylesheets that a page itself names. */
const namedIn = (html: string) =>
  [...html.matchAll(/<(?:link|script)[^>]*\s(?:href|src)="([^"]+\.(?:js|css))"/g)].map((match) => match[1]!);
const gzipOf = (files: Meta['files'], names: readonly string[]) =>
  names.reduce((sum, name) => sum + files[name]!.gzip, 0);
const isAlive = (name: string) => /^alive-[^.]+\.js$/.test(name);
const graph = (cc: string, host: string) =>
  Object.keys(readJson<Metafile>(path.join(folder(cc, host), 'metafile.json')).inputs);

describe.each(expected)('the graph of $cc/$host', ({ cc, host, country }) => {
  const meta = () => readJson<Meta>(path.join(folder(cc, host), 'meta.json'));
  const file = (name: string) => readFileSync(path.join(folder(cc, host), name), 'utf8');
  const isMini = host !== 'browser';

  it('has its own country, and nothing of another one [CFG-01, CFG-02, CFG-03]', () => {
    const ofCountries = graph(cc, host).filter((name) => /^country\/[^/]+\//.test(name));
    expect(ofCountries).toContain(`country/${cc}/config.ts`);
    expect(ofCountries.filter((name) => !name.startsWith(`country/${cc}/`))).toEqual([]);
    expect(graph(cc, host)).not.toContain('country/index.ts');
    expect(ofCountries.filter((name) => name.includes('/seed/'))).toEqual([]);
  });

  it('each page names the other languages, each about as small at first load, with no script in common [CFG-X02]', () => {
    const others = readdirSync(path.join(root, 'dist', cc)).filter((name) => name.startsWith(`${host}.`));
    for (const page of ['index.html', 'menu.html', 'app.html']) {
      const boot = JSON.parse(/id="boot">([^<]*)/.exec(file(page))?.[1] ?? 'no boot data') as { languages?: object[] };
      expect(boot.languages?.length ?? 0, page).toBe(others.length);
    }
    expect(others).toEqual(
      country.languages
        .slice(1)
        .map((language) => `${host}.${language}`)
        .sort(),
    );
    for (const other of others) {
      const own = readJson<Meta>(path.join(folder(cc, other), 'meta.json'));
      for (const { firstLoad } of Object.values(own.pages))
        expect(firstLoad.gzip, other).toBeLessThanOrEqual(OTHER_LANGUAGE_LIMIT_BYTES);
      const alive = Object.keys(own.files).filter(isAlive);
      expect(gzipOf(own.files, alive), other).toBeLessThanOrEqual(OTHER_LANGUAGE_ALIVE_LIMIT_BYTES);
      // The first language's script has no word of theirs, and theirs none of its own: each file is of one language.
      const [scripts, first] = [own, meta()].map(
        ({ pages }) => new Set(Object.values(pages).flatMap((one) => one.scripts)),
      );
      expect(
        [...scripts!].filter((name) => first!.has(name)),
        other,
      ).toEqual([]);
    }
  });

  it('has its own host, and nothing of the server, the simulator or a test [MINI-X01]', () => {
    const names = graph(cc, host);
    expect(names).toContain(`hosts/${host}/main.tsx`);
    expect(names.filter((name) => name.startsWith('hosts/') && !name.startsWith(`hosts/${host}/`))).toEqual([]);
    expect(names.filter((name) => /^(src\/(server|simulator)|test)\/|\/(fake|server)\.ts$/.test(name))).toEqual([]);
  });

  if (isMini)
    it('has nothing of the full mode [MINI-08]', () => {
      expect(
        graph(cc, host).filter(
          (name) => name.startsWith('src/screens/external/') || name === 'src/shell/routes.full.ts',
        ),
      ).toEqual([]);
    });

  it(isMini ? 'has nothing of what its host cannot show' : 'has what only a page of its own can show', () => {
    const files = shipped(cc, host);
    expect(FULL_ONLY.filter((name) => files.has(name))).toEqual(isMini ? [] : FULL_ONLY);
  });

  it('has food on trains where its country has it and the page is our own, and elsewhere nothing of it [TRN-12]', () => {
    const files = shipped(cc, host);
    const own = TRAINS.map((name) => `src/${name}`);
    const isThere = !isMini && !country.DISABLED_FEATURES.includes('irctc');
    expect(own.filter((name) => files.has(name))).toEqual(isThere ? own : []);
  });

  it('has the league where its country has it and the page is our own, and elsewhere nothing of it [NAV-68] [NAV-69]', () => {
    const files = shipped(cc, host);
    const own = LEAGUE.map((name) => `src/${name}`);
    const isThere = !isMini && !country.DISABLED_FEATURES.includes('worldPizzaLeague');
    expect(own.filter((name) => files.has(name))).toEqual(isThere ? own : []);
  });

  it('is made of the agreed packages', () => {
    const packages = new Set(
      graph(cc, host).flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
    );
    expect(
      [...packages].filter(
        (name) =>
          ![
            ...['react', 'react-dom', 'scheduler', 'wouter', 'regexparam', 'mitt', 'use-sync-external-store'],
            ...['jotai', 'ky', 'zod', '@noble/hashes', 'uqr', 'pigeon-maps', 'web-vitals'],
          ].includes(name),
      ),
    ).toEqual([]);
    expect(graph(cc, host).filter((name) => /zod\/v4\/classic|zod\/v3/.test(name))).toEqual([]);
  });

  it(`the first load is ${SCRIPT_LIMIT_BYTES / 1000} KB of script, ${STYLE_LIMIT_BYTES / 1000} KB of style at most [QUAL-X05]`, () => {
    const { pages, files, css, laterCss } = meta();
    const alive = Object.keys(files).filter(isAlive);
    expect(alive).toHaveLength(1);
    for (const [page, { scripts, firstLoad }] of Object.entries(pages)) {
      const isOther = page === 'app';
      const named = namedIn(file(`${page}.html`));
      const [script, style] = ['.js', '.css'].map((end) => named.filter((name) => name.endsWith(end)));
      // Nothing is named that is not counted, and nothing is counted that is not asked for at once.
      expect([...new Set(script)].sort(), page).toEqual([...scripts, ...(isOther ? alive : [])].sort());
      // The rules of a first screen are in its page.
      expect(style, page).toEqual(isOther ? [css, laterCss] : []);
      const first = script!.filter((name) => !isAlive(name));
      expect(gzipOf(files, first), page).toBe(firstLoad.gzip);
      expect(gzipOf(files, isOther ? style! : [css]), page).toBeLessThanOrEqual(
        isOther ? BOTH_STYLES_LIMIT_BYTES : STYLE_LIMIT_BYTES,
      );
      expect(gzipOf(files, script!), page).toBeLessThanOrEqual(isOther ? APP_LIMIT_BYTES : SCRIPT_LIMIT_BYTES);
    }
    expect(gzipOf(files, alive)).toBeLessThanOrEqual(ALIVE_LIMIT_BYTES);
  });

  it(`has at most ${INLINE_LIMIT_BYTES / 1000} KB of script in a page itself, gzip`, () => {
    for (const page of ['index.html', 'menu.html', 'app.html']) {
      const inline = [...file(page).matchAll(INLINE_SCRIPT)].map((match) => match[1]).join('');
      expect(gzipSync(inline, { level: 9 }).length, page).toBeLessThanOrEqual(INLINE_LIMIT_BYTES);
    }
  });

  it('is compressed beforehand, truly', () => {
    for (const name of Object.keys(meta().files).filter((one) => /\.(js|css|json)$/.test(one))) {
      const plain = readFileSync(path.join(folder(cc, host), name));
      expect(gunzipSync(readFileSync(path.join(folder(cc, host), `${name}.gz`))).equals(plain), name).toBe(true);
      expect(brotliDecompressSync(readFileSync(path.join(folder(cc, host), `${name}.br`))).equals(plain), name).toBe(
        true,
      );
    }
  });

  it('has a stylesheet for the first screens, one for the way to an order and one for the rest, and pages that name only files that are there', () => {
    const { files, css, laterCss, restCss } = meta();
    expect(
      Object.keys(files)
        .filter((name) => name.endsWith('.css'))
        .sort(),
    ).toEqual([laterCss, restCss, css].sort());
    expect(file('menu.html')).not.toMatch(new RegExp(`href="(?:${laterCss}|${restCss})"`));
    for (const page of ['index.html', 'menu.html', 'app.html']) {
      const named = [...file(page).matchAll(/<(?:link|script)[^>]*\s(?:href|src)="([^"]+)"/g)].map(
        (match) => match[1] as string,
      );
      expect(
        named.filter((name) => !(name in files)),
        page,
      ).toEqual([]);
      expect(named).toContain(meta().entry);
      // All that a page needs before it can be used is asked for at once.
      expect(named).toEqual(
        expect.arrayContaining(meta().pages[page.replace('.html', '')]?.scripts ?? ['a list of scripts']),
      );
    }
  });

  it('shows the menu before any script has run, without anything the policy refuses', () => {
    const menu = JSON.parse(file(meta().menu)) as { items: { name: string }[] };
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
    expect(menu.items.filter((item) => file('menu.html').includes(escaped(item.name))).length).toBeGreaterThan(8);
    for (const page of ['index.html', 'menu.html', 'app.html']) {
      const html = file(page);
      const scripts = [...html.matchAll(INLINE_SCRIPT)].map((match) => sha256(match[1] as string));
      expect(scripts, page).toEqual(meta().pages[page.replace('.html', '')]?.early);
      expect(scripts.length, page).toBeLessThanOrEqual(3);
      expect(html.match(/<[^>]*\son[a-z]+="[^"]*"/g), page).toBeNull();
      const styles = new Set([...html.matchAll(/\sstyle="([^"]*)"/g)].map((match) => match[1]));
      // Each style attribute is in the policy by its hash; a long list would make the header heavy.
      expect(meta().pages[page.replace('.html', '')]?.styles.length, page).toBe(styles.size);
      expect(styles.size, page).toBeLessThanOrEqual(24);
      const inline = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map((match) => sha256(match[1] as string));
      expect(inline, page).toEqual(meta().pages[page.replace('.html', '')]?.inline);
    }
  });

  if (isMini)
    it('offers no install and no service worker inside a host [NAV-79]', () => {
      expect(Object.keys(meta().files).filter((name) => /^sw\.js$|webmanifest$/.test(name))).toEqual([]);
      expect(file('index.html')).not.toMatch(/rel="manifest"/);
    });

  if (!isMini)
    it('names its manifest in every page, so that it can be installed [NAV-79]', () => {
      for (const page of ['index.html', 'menu.html', 'app.html'])
        expect(file(page), page).toMatch(/<link rel="manifest" href="[^"]*manifest\.webmanifest"/);
    });

  if (!isMini)
    it('has a manifest of its country, with icons that are there [CFG-27]', async () => {
      const manifest = JSON.parse(file('manifest.webmanifest')) as {
        name: string;
        lang: string;
        id: string;
        icons: { src: string; type: string; purpose: string }[];
        shortcuts: { name: string; url: string }[];
      };
      const pwa = await country.pwa();
      expect(manifest).toMatchObject({
        ...appTold(country, english),
        lang: country.locale,
        theme_color: pwa.theme_color,
      });
      expect(manifest.icons.filter((icon) => !(icon.src in meta().files))).toEqual([]);
      expect(manifest.icons.some((icon) => icon.type === 'image/png' && icon.purpose === 'maskable')).toBe(true);
      // They lead to pages that are there, the orders of somebody among them.
      const { paths, seo } = meta() as unknown as { paths: string[]; seo: object };
      for (const { name, url } of manifest.shortcuts) {
        expect(name).toMatch(/\S/);
        expect(url).toMatch(/^\.\//);
        expect([...paths, ...Object.keys(seo)]).toContain(url.slice(1));
      }
      expect(manifest.shortcuts).toContainEqual(
        expect.objectContaining({ name: history.title, url: './postorder-ui/orderHistory' }),
      );
    });
});
