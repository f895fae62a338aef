import { countryConfig } from '../../country/index.ts';
import { expect, test } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { bundle } from './steps.ts';

/** BCP 47: a language of two letters and a region of two. */
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/;
const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
/** The only capture of a pattern in a page; null where it is missing, and no second one may contradict it. */
function only(html: string, pattern: RegExp): string | null {
  const all = [...html.matchAll(new RegExp(pattern, 'g'))];
  return all.length === 1 ? unescaped(all[0]![1]!) : null;
}

interface Read {
  readonly status: number;
  readonly robots: string;
  readonly html: string;
  readonly title: string;
  readonly description: string;
  readonly canonical: string | null;
  readonly alternates: ReadonlyMap<string, string>;
}

/**
 * What Lighthouse's SEO category looks at in the answer itself, by its audits' names
 * (https://developer.chrome.com/docs/lighthouse/seo).
 */
function refused(address: string, read: Read): string[] {
  const { html, status, robots, title, description, canonical, alternates } = read;
  const wrong: [audit: string, isWrong: boolean][] = [
    ['http-status-code', status !== 200],
    ['is-crawlable', robots !== '' || /<meta name="(?:robots|googlebot)"/.test(html)],
    ['document-title', title.trim().length < 10],
    // Shorter ones are filled up with whatever stands in the page.
    ['meta-description', description.trim().length < 50],
    ['canonical', canonical !== address],
    ['viewport', !/width=device-width/.test(only(html, /<meta name="viewport" content="([^"]*)">/) ?? '')],
    ['html-has-lang', !LOCALE.test(only(html, /<html[^>]* lang="([^"]*)"/) ?? '')],
    ['hreflang', [...alternates.keys()].some((code) => !LOCALE.test(code))],
    ['hreflang names the page itself', alternates.size > 0 && ![...alternates.values()].includes(address)],
  ];
  return wrong.flatMap(([audit, isWrong]) => (isWrong ? [`${address}: ${audit}`] : []));
}

for (const cc of sample(['in', 'lk', 'bg'], ['lk']))
  test(`${cc}: every page of the site map may be listed: found, named and told apart, with its own address`, async ({
    request,
  }) => {
    const { mount } = bundle(cc, 'browser');
    const map = await (await request.get('/sitemap.xml')).text();
    const addresses = [...map.matchAll(/<loc>(.*?)<\/loc>/g)]
      .map(([, address]) => unescaped(address!))
      .filter((address) => new URL(address).pathname.startsWith(mount));
    // Dishes are pages alike: every eighth of them stands for the others.
    const isDish = (address: string) => /\/(?:customise|combo)\//.test(address);
    const dishes = addresses.filter(isDish).filter((_, at) => at % 8 === 0);
    expect(dishes.length).toBeGreaterThan(3);
    const pages = new Map<string, Read>();
    for (const address of [...addresses.filter((one) => !isDish(one)), ...dishes]) {
      const answer = await request.get(address, { maxRedirects: 0 });
      const html = await answer.text();
      pages.set(address, {
        status: answer.status(),
        robots: answer.headers()['x-robots-tag'] ?? '',
        html,
        title: only(html, /<title>([^<]*)<\/title>/) ?? '',
        description: only(html, /<meta name="description" content="([^"]*)">/) ?? '',
        canonical: only(html, /<link rel="canonical" href="([^"]*)">/),
        alternates: new Map(
          [...html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)].map(([, code, href]) => [
            code!,
            unescaped(href!),
          ]),
        ),
      });
    }
    expect(pages.size).toBeGreaterThan(12);
    expect([...pages].flatMap(([address, read]) => refused(address, read))).toEqual([]);
    // A dish is there in each language of its country that is built.
    const homes = addresses.filter((one) => new RegExp(`^${mount}(?:[a-z]{2}/)?$`).test(new URL(one).pathname));
    for (const dish of homes.length > 1 ? dishes : [])
      expect(
        [...pages.get(dish)!.alternates.values()].filter((one) => addresses.includes(one)),
        dish,
      ).toHaveLength(homes.length);
    for (const what of ['title', 'description'] as const) {
      // Home and the categories of Bangladesh are told in the same words (specification section 2).
      const isShared = (address: string) =>
        cc === 'bg' && /^\/bg\/(?:bn\/)?(?:menu\/.*)?$/.test(new URL(address).pathname);
      const said = [...pages].filter(([address]) => !isShared(address)).map(([, read]) => read[what]);
      expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
    }
    // Whoever is named as the same page elsewhere names this one in return.
    const elsewhere = new Set([...pages.values()].flatMap(({ alternates }) => [...alternates.values()]));
    for (const address of elsewhere) {
      const back = await (await request.get(address)).text();
      for (const [own, { alternates }] of pages)
        if ([...alternates.values()].includes(address)) expect(back, `${address} to ${own}`).toContain(`href="${own}"`);
    }
    const robots = await (await request.get('/robots.txt')).text();
    const shut = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, path]) => path!);
    expect([...pages.keys()].filter((one) => shut.some((path) => new URL(one).pathname.startsWith(path)))).toEqual([]);
  });

for (const cc of sample(['in', 'lk', 'bg'], ['lk']))
  test(`${cc}: every link that search engines see answers, and every picture has words or is marked as decorative @all`, async ({
    page,
    request,
  }) => {
    const { mount } = bundle(cc, 'browser');
    const category = countryConfig(cc)
      .categories.find(({ dynamic }) => dynamic !== true)!
      .path.slice(1);
    const linked = new Map<string, string>();
    const wrong: string[] = [];
    let dishes = 0;
    const read = async (at: string) => {
      await page.goto(mount + at);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const seen = await page.evaluate(() => ({
        links: [...document.querySelectorAll<HTMLAnchorElement>('a, [role=link]')].map((link) => [
          link.tagName === 'A' ? link.getAttribute('href') : null,
          link.href,
          link.outerHTML.slice(0, 120),
        ]),
        pictures: [...document.querySelectorAll('img')]
          .filter((picture) => !picture.hasAttribute('alt'))
          .map((picture) => picture.outerHTML.slice(0, 120)),
      }));
      wrong.push(...seen.pictures.map((html) => `/${at}: no alt: ${html}`));
      for (const [href, whole, html] of seen.links)
        if (href === null || href === '' || href?.startsWith('javascript:')) wrong.push(`/${at}: no address: ${html}`);
        else if (!/^(?:tel|mailto):/.test(whole!)) linked.set(whole!.split('#')[0]!, `/${at}`);
      return seen.links.map(([, whole]) => whole!);
    };
    for (const at of ['', 'menu', category, 'manualSelector', 'offers', 'edv']) {
      const links = await read(at);
      expect(links.length, at).toBeGreaterThan(3);
      dishes += links.filter((link) => link.includes('/customise/')).length;
    }
    const first = (part: string) => [...linked.keys()].find((link) => link.includes(part));
    for (const part of ['/customise/', '/combo/']) {
      const link = first(part);
      expect(link, part).toBeDefined();
      await read(new URL(link!).pathname.slice(mount.length));
    }
    expect(dishes).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
    const { origin } = new URL(page.url());
    expect([...linked.keys()].filter((link) => !link.startsWith(origin))).toEqual([]);
    const dead: string[] = [];
    for (const [link, at] of linked) {
      const { pathname, search } = new URL(link);
      const answer = await request.get(pathname + search, { maxRedirects: 0 });
      if (answer.status() !== 200) dead.push(`${at}: ${pathname} answers ${answer.status()}`);
    }
    expect(dead).toEqual([]);
  });
