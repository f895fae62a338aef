import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'jotai';
import * as t from '#text/search.ts';
import { countryConfig } from '../../country/index.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { queryAtom } from '../../src/state/menu/search.ts';
import { isListeningAtom, listenAtom } from '../../src/state/menu/voice.ts';

/** A browser's speech recognition, which hears what a test says. */
class Ears {
  static readonly all: Ears[] = [];
  lang = '';
  onresult: ((event: object) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  onend: (() => void) | null = null;
  start(): void {
    Ears.all.push(this);
  }
  abort(): void {
    this.onerror?.({ error: 'aborted' });
  }
  hear(transcript: string): void {
    this.onresult?.({ results: [[{ transcript }]] });
    this.onend?.();
  }
}
const speakIn = (lang: string) => vi.stubGlobal('document', { documentElement: { lang } });

let store: ReturnType<typeof createStore>;
beforeEach(() => {
  Ears.all.length = 0;
  speakIn('hi-IN');
  vi.stubGlobal('SpeechRecognition', Ears);
  store = createStore();
  store.set(countryAtom, countryConfig('in'));
  store.set(queryAtom, 'typed');
});
afterEach(() => void vi.unstubAllGlobals());
const shown = () => [store.get(queryAtom), store.get(toastAtom)?.message, store.get(isListeningAtom)];

test.each([
  ['Have you a Margherita?!', 'Have you a Margherita'],
  ['पनीर पिज़्ज़ा।', 'पनीर पिज़्ज़ा'],
  ['No. 7 please', 'No. 7 please'],
  ['x'.repeat(110), 'x'.repeat(100)],
])('%j is searched for as %j', async (said, query) => {
  const listening = store.set(listenAtom);
  expect(shown()).toEqual(['typed', undefined, true]);
  Ears.all[0]!.hear(said);
  await listening;
  expect(shown()).toEqual([query, undefined, false]);
});

test.each([
  ['hi-IN', 'hi-IN'],
  ['en', 'en-IN'],
])('a page in %j is spoken to in %s', async (page, language) => {
  speakIn(page);
  const listening = store.set(listenAtom);
  expect(Ears.all[0]!.lang).toBe(language);
  Ears.all[0]!.hear('paneer');
  await listening;
});

test('a second tap ends it without a word, and a third listens anew', async () => {
  const listening = store.set(listenAtom);
  await store.set(listenAtom);
  await listening;
  expect([...shown(), Ears.all.length]).toEqual(['typed', undefined, false, 1]);
  const again = store.set(listenAtom);
  expect(Ears.all).toHaveLength(2);
  Ears.all[1]!.hear('paneer');
  await again;
  expect(shown()).toEqual(['paneer', undefined, false]);
});

test('nothing that was understood, and an end by the browser, are said, and what was typed stays', async () => {
  for (const [act, sentence] of [
    [(ears: Ears) => ears.hear('...'), t.notUnderstood],
    [(ears: Ears) => ears.onerror!({ error: 'not-allowed' }), t.microphoneDenied],
    [(ears: Ears) => ears.onerror!({ error: 'network' }), t.listeningFailed],
  ] as const) {
    const listening = store.set(listenAtom);
    act(Ears.all.at(-1)!);
    await listening;
    expect(shown()).toEqual(['typed', sentence, false]);
  }
});
