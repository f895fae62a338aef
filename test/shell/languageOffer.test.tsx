import { afterEach, expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';

import { openPage, type AppPage } from '../screens/page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());
afterEach(() => vi.restoreAllMocks());

const { parse } = JSON;
const HINDI = { language: 'hi', name: 'हिन्दी', place: 'hi/', offer: 'हिन्दी में देखें?' };
/** Opens a page of a bundle that is built in Hindi as well, on a phone that prefers these languages. */
async function open(path: string, prefers: readonly string[], keep = false) {
  document.documentElement.lang = 'en-IN';
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([...prefers]);
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, ...rest) => {
    const value = parse(text, ...rest) as unknown;
    return text === '{"path":null}' ? { path: null, languages: [HINDI] } : value;
  });
  return await openPage(server.url, path, { keep });
}
/** The card comes with a script of its own, after all that it is looked for beside. */
async function isAsked(page: AppPage): Promise<boolean> {
  await vi.dynamicImportSettled();
  return page.get('region', HINDI.offer) !== null;
}
const kept = (name: string) => JSON.parse(localStorage.getItem(`IN/browser:${name}`) ?? 'null') as unknown;

test('a phone that prefers Hindi is asked on home, in Hindi, before what the page says, and a tap leads there and is kept', async () => {
  const page = await open('/?store=10102', ['hi-IN', 'en']);
  const offer = await page.find('region', HINDI.offer);
  expect(offer.lang).toBe('hi');
  expect(
    offer.compareDocumentPosition(document.querySelector('main')!) & Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBeTruthy();
  const yes = offer.querySelector('a')!;
  expect(yes.getAttribute('href')).toBe('hi/?store=10102');
  yes.addEventListener('click', (event) => event.preventDefault());
  yes.click();
  expect(kept('language')).toBe('hi');
});

test('whoever stays with English is asked no more, and finds Hindi in the account', async () => {
  const page = await open('/', ['fr', 'hi', 'en-IN']);
  await page.find('region', HINDI.offer);
  await page.press('button', 'No, English');
  await page.gone('region', HINDI.offer);
  expect(kept('language')).toBe('en');
  const again = await open('/', ['hi'], true);
  await again.find('link', HINDI.name);
  expect(await isAsked(again)).toBe(false);
  const account = await open('/postorder-ui/profile', ['hi'], true);
  const link = await account.find('link', HINDI.name);
  expect(link.closest('main')).not.toBeNull();
  expect([link.lang, link.getAttribute('href')]).toEqual(['hi', 'hi/postorder-ui/profile']);
});

test('whoever has ordered is not asked: the card would lie over the order', async () => {
  const page = await open('/', ['hi']);
  await page.find('region', HINDI.offer);
  const line = { productId: 'PZ023', quantity: 1 };
  localStorage.setItem('IN/browser:usual', JSON.stringify([line]));
  const again = await open('/', ['hi'], true);
  await again.find('link', HINDI.name);
  expect(await isAsked(again)).toBe(false);
});

test.each([
  ['prefers English', '/', ['en-GB', 'hi']],
  ['knows neither', '/', ['fr-FR']],
  ['is not on home', '/menu', ['hi']],
])('a phone that %s is not asked for its language', async (_, path, prefers) => {
  const page = await open(path, prefers);
  await page.find('link', path === '/' ? HINDI.name : 'Sides');
  expect(await isAsked(page)).toBe(false);
});

test('the page that another language is tapped on is as far down there, once', async () => {
  const page = await open('/', ['en']);
  const link = await page.find('link', HINDI.name);
  vi.stubGlobal('scrollY', 640);
  link.addEventListener('click', (event) => event.preventDefault());
  link.click();
  vi.unstubAllGlobals();
  expect(kept('language-scroll')).toBe(640);
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  await (await open('/', ['en'], true)).find('link', HINDI.name);
  await vi.waitFor(() => expect(scrolled).toHaveBeenCalledWith({ top: 640, behavior: 'instant' }));
  expect(kept('language-scroll')).toBeNull();
});
