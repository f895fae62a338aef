import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canListen, listen } from '../../src/bridge/voice.ts';

type Told = ((event: unknown) => void) | null;
/** A browser's recogniser that does what it is told to. */
class Ears {
  static last: Ears;
  static failsWith: Error | null = null;
  lang = '';
  interimResults = true;
  maxAlternatives = 9;
  onresult: Told = null;
  onerror: Told = null;
  onend: (() => void) | null = null;
  aborted = 0;
  constructor() {
    Ears.last = this;
  }
  start() {
    if (Ears.failsWith) throw Ears.failsWith;
  }
  abort() {
    this.aborted += 1;
  }
}
const heard = (text: string) => Ears.last.onresult?.({ results: [[{ transcript: text }]] });
const open = () => {
  const leave = new AbortController();
  const settled = listen('hi-IN', leave.signal).then(
    (text) => ({ text }),
    (error: unknown) => ({ error: String(error) }),
  );
  return { leave, settled, ears: Ears.last };
};

beforeEach(() => {
  vi.useFakeTimers();
  Ears.failsWith = null;
  Object.assign(globalThis, { webkitSpeechRecognition: Ears });
});
afterEach(() => {
  vi.useRealTimers();
  delete (globalThis as { webkitSpeechRecognition?: unknown }).webkitSpeechRecognition;
});

test('what was heard is told when somebody stops speaking, in the language that was asked for', async () => {
  const { ears, settled } = open();
  // One whole sentence, as it is understood best.
  expect(ears).toMatchObject({ lang: 'hi-IN', interimResults: false, maxAlternatives: 1 });
  heard('paneer');
  ears.onend?.();
  expect(await settled).toEqual({ text: 'paneer' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a browser that tells of nothing has heard nothing', async () => {
  for (const results of [[], [[]], [[{}]]]) {
    const { ears, settled } = open();
    ears.onresult?.({ results });
    ears.onend?.();
    expect(await settled).toEqual({ text: '' });
  }
});

test.each(['no-speech', 'aborted'])('where nothing is said, nothing was heard: %s', async (error) => {
  const { ears, settled } = open();
  ears.onerror?.({ error });
  expect(await settled).toEqual({ text: '' });
});

test('a microphone that may not be used is an error, and so is one that does not start', async () => {
  const { ears, settled } = open();
  ears.onerror?.({ error: 'not-allowed' });
  expect(await settled).toEqual({ error: 'Error: not-allowed' });
  Ears.failsWith = new Error('busy');
  expect(await open().settled).toEqual({ error: 'Error: busy' });
  expect(vi.getTimerCount()).toBe(0);
});

test('who leaves ends it; a browser that goes on listening is told to stop, and is not waited for', async () => {
  const { leave, ears, settled } = open();
  heard('corn');
  leave.abort();
  expect(ears.aborted).toBe(1);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(ears.aborted).toBe(2);
  expect(await settled).toEqual({ text: 'corn' });
});

test('a browser that cannot listen says so before it is asked, and the one that goes by the name of the standard is taken', async () => {
  expect(canListen()).toBe(true);
  const page = globalThis as { SpeechRecognition?: unknown; webkitSpeechRecognition?: unknown };
  delete page.webkitSpeechRecognition;
  expect(canListen()).toBe(false);
  await expect(listen('hi-IN', new AbortController().signal)).rejects.toThrow('unsupported');
  page.SpeechRecognition = Ears;
  try {
    expect(canListen()).toBe(true);
    const { ears, settled } = open();
    ears.onend?.();
    expect(await settled).toEqual({ text: '' });
  } finally {
    delete page.SpeechRecognition;
  }
});

test('what comes after the end is heard by nobody, and who leaves then stops nothing', async () => {
  const { leave, ears, settled } = open();
  heard('corn');
  ears.onend?.();
  expect(await settled).toEqual({ text: 'corn' });
  expect([ears.onend, ears.onerror, ears.onresult]).toEqual([null, null, null]);
  leave.abort();
  expect(ears.aborted).toBe(0);
});

test('a browser that ends when it is told to after twelve seconds has told what it heard', async () => {
  const { ears, settled } = open();
  heard('corn');
  await vi.advanceTimersByTimeAsync(11_999);
  expect(ears.aborted).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(ears.aborted).toBe(1);
  ears.onerror?.({ error: 'aborted' });
  expect(await settled).toEqual({ text: 'corn' });
  expect(vi.getTimerCount()).toBe(0);
});
