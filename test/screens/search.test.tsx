import * as t from '#text/search.ts';
import { expect, test, vi } from 'vitest';
import * as menu from '../../src/contract/menu.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

test('search answers while one types and forgives slips [MENU-15]', async () => {
  const page = await openPage(server.url, '/search');
  await page.find('heading', 'Bestsellers');
  await page.type('Search the menu', 'panner tika');
  await page.find('heading', 'Paneer Tikka Blaze');
  await page.gone('heading', 'Tomato Basil Classic');
  // What is not understood may be a no.
  await page.type('Search the menu', 'egg vazhnaa');
  await page.sees('We do not know the word “vazhnaa”');
  await page.gone('heading', 'Egg & Chicken Roll-Style');
});

test('without a network the menu of the last visit is searched, dishes that only its store has included [MENU-15]', async () => {
  const visit = await openPage(server.url, '/menu');
  await visit.find('heading', 'Menu');
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:menu')).toContain('PZ001'));
  // A dish that the menu of the build does not have: only what is kept can find it.
  const kept = localStorage.getItem('IN/browser:menu')!;
  localStorage.setItem('IN/browser:menu', kept.replaceAll('Tomato Basil Classic', 'Harvest Moon Special'));
  const wired = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  try {
    const page = await openPage(server.url, '/search', { keep: true });
    await page.type('Search the menu', 'harvst moon');
    await page.find('heading', 'Harvest Moon Special');
    await page.gone('heading', 'Double Cheese Melt');
    await page.sees('There is no internet connection');
  } finally {
    globalThis.fetch = wired;
    online.mockRestore();
  }
});

test('on a translated page search and assistant understand category words in its language and in English [MENU-15]', async () => {
  /** How many dishes are found, and what the assistant says of those of a category. */
  const answers = async (...queries: string[]) => {
    const page = await openPage(server.url, '/search');
    const counts: number[] = [];
    for (const query of queries) {
      await page.type('Search the menu', '');
      await page.find('heading', 'Bestsellers');
      await page.type('Search the menu', query);
      await page.gone('heading', 'Bestsellers');
      // The first answer waits for the search, which comes after its page.
      await page.sees(/\d+ dish|No result/);
      counts.push(Number(/(\d+) dish/.exec(page.text())?.[1] ?? 0));
    }
    await vi.waitFor(() => expect(localStorage.getItem('IN/browser:menu')).toContain('PZ001'));
    const chat = await openPage(server.url, '/chatbot', { keep: true });
    await chat.type('Your question', 'allergens in speciality chicken');
    await chat.press('button', 'Send');
    await chat.find('button', 'Search the menu');
    return { counts, said: chat.text() };
  };
  const english = await answers('non-veg pizza', 'speciality chicken');
  for (const count of english.counts) expect(count).toBeGreaterThan(1);
  document.documentElement.lang = 'hi-IN';
  try {
    const hindi = await answers('non-veg pizza', 'speciality chicken', 'नॉन-वेज पिज़्ज़ा');
    expect(hindi.counts.slice(0, 2)).toEqual(english.counts);
    expect(hindi.counts[2]).toBeGreaterThan(1);
    expect(hindi.said).toBe(english.said);
  } finally {
    document.documentElement.removeAttribute('lang');
  }
});

test('without a hit it says so and shows what comes close [MENU-16] [ERR-14]', async () => {
  const page = await openPage(server.url, '/search?q=paneer%20rocket');
  await page.sees('No result found on your search!');
  await page.sees('These come close:');
  await page.find('heading', /Paneer/);
});

test('of what no menu says nothing is shown, and all that is found is counted [MENU-16]', async () => {
  let page = await openPage(server.url, '/search?q=coffee%20without%20caffeine');
  await page.sees(t.unknown({ words: 'caffeine', number: '6888 6888' }));
  expect(page.get('heading', 'Cold Coffee')).toBeNull();
  page = await openPage(server.url, '/search?q=no%20nuts');
  const { body } = await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' });
  // What a combo is filled with is chosen later.
  const without = body.menu!.items.filter(({ kind, allergens }) => kind !== 'DEAL' && !allergens.includes('nuts'));
  await page.sees(`${without.length} dishes`);
  await page.sees(t.caution({ caution: 'allergens' }));
});

test('a search that led somewhere is offered again, and can be forgotten', async () => {
  const page = await openPage(server.url, '/search');
  await page.type('Search the menu', 'brownie');
  await page.press('button', 'Add Walnut Brownie');
  await page.find('group', 'Quantity of Walnut Brownie');
  await page.press('button', 'Clear');
  await page.press('button', 'brownie');
  await page.find('heading', 'Walnut Brownie');
  await page.press('button', 'Clear');
  await page.find('heading', 'Recent searches');
  await page.press('button', 'Clear');
  await page.gone('heading', 'Recent searches');
});

test('veg only holds in the search too [MENU-X07]', async () => {
  const page = await openPage(server.url, '/search?q=chicken');
  await page.find('heading', /Chicken/);
  await page.press('button', 'Veg only');
  await page.gone('heading', /Chicken/);
});

/** A browser's own recogniser, as far as a page sees it. */
function speaking(says: { transcript?: string; error?: string }) {
  const languages: string[] = [];
  class Ears {
    lang = '';
    onresult: ((event: unknown) => void) | null = null;
    onerror: ((event: unknown) => void) | null = null;
    onend: (() => void) | null = null;
    start() {
      languages.push(this.lang);
      setTimeout(() => {
        if (says.error) {
          this.onerror?.({ error: says.error });
          return;
        }
        if (says.transcript) this.onresult?.({ results: [[{ transcript: says.transcript }]] });
        this.onend?.();
      });
    }
    abort() {
      this.onend?.();
    }
  }
  Object.assign(globalThis, { webkitSpeechRecognition: Ears });
  return languages;
}

test('where the browser understands speech, what is said is searched for; what goes wrong leaves the box as it was [QUAL-X09]', async () => {
  const none = await openPage(server.url, '/search');
  await none.find('heading', 'Bestsellers');
  expect(none.get('button', 'Search by voice')).toBeNull();
  try {
    const languages = speaking({ transcript: 'No. 1 Paneer Tikka?!' });
    const page = await openPage(server.url, '/search');
    await page.press('button', 'Search by voice');
    await vi.waitFor(() =>
      expect(document.querySelector<HTMLInputElement>('input[type=search]')!.value).toBe('No. 1 Paneer Tikka'),
    );
    await page.gone('heading', 'Bestsellers');
    expect(languages).toEqual(['en-IN']);
    speaking({ error: 'not-allowed' });
    await page.press('button', 'Search by voice');
    await page.sees('The microphone is not allowed here.');
    expect(document.querySelector<HTMLInputElement>('input[type=search]')!.value).toBe('No. 1 Paneer Tikka');
    speaking({});
    await page.press('button', 'Search by voice');
    await page.sees('We did not understand you.');
  } finally {
    delete (globalThis as { webkitSpeechRecognition?: unknown }).webkitSpeechRecognition;
  }
});
