import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { frameProfile } from '../../hosts/frame/profile.ts';
import { gpayProfile } from '../../hosts/gpay/profile.ts';
import { paytmProfile } from '../../hosts/paytm/profile.ts';
import { FILLS, HELD_AT_MOST_MS, heldMs, LONG_TEXT, textsOf } from '../kit/holding.ts';
import { makePhone } from './phone.ts';
import { fate, HOSTS, orderFor, stage, type StagedHost } from './stage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The same answer with each text in it replaced, or made so long. */
function withTexts(value: unknown, of: (text: string) => string): unknown {
  if (typeof value === 'string') return of(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? value.map((one) => withTexts(one, of))
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, of)]));
}

/** Everything that a page asks its host for, against a host whose answers are these. */
async function visit(id: StagedHost, of: (text: string) => string): Promise<void> {
  const answers = stage(id).server.fetch;
  const { bridge } = stage(id, {
    fetch: (async (input: string, init: { body: string }) => {
      const reply = await answers(input, init);
      const body: unknown = await reply.json();
      return { ok: reply.ok, status: reply.status, json: async () => withTexts(body, of) };
    }) as unknown as typeof fetch,
  });
  const asked = [
    fate(bridge.login({ nonce: 'nonce-1', interactive: true })),
    fate(bridge.requestPayment(orderFor(id))),
  ];
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(25 * 60_000);
  expect(asked.map(({ done }) => done)).toEqual([true, true]);
}

it.each(HOSTS)('%s: no text in an answer of the host or its vendor holds the page', async (id) => {
  // What is loaded at the first call is not what is measured.
  await visit(id, (text) => text);
  const slow: unknown[] = [];
  for (const [name, sign] of Object.entries(FILLS))
    for (const text of textsOf(sign, LONG_TEXT))
      for (const [how, of] of [
        ['instead', () => text],
        ['after', (own: string) => own + text],
        ['before', (own: string) => text + own],
      ] as const) {
        const ms = await heldMs(() => visit(id, of));
        if (ms > HELD_AT_MOST_MS) slow.push([name, how, Math.round(ms)]);
      }
  expect(slow).toEqual([]);
});

it('no user agent, referrer or address that a page is opened with holds it', async () => {
  const slow: unknown[] = [];
  const data = (said: unknown) => Buffer.from(JSON.stringify(said)).toString('base64');
  for (const [name, sign] of Object.entries(FILLS))
    for (const text of textsOf(sign, LONG_TEXT)) {
      const query = encodeURIComponent(text);
      const link = encodeURIComponent(data({ path: `/${text}`, params: text }));
      for (const options of [
        { userAgent: text },
        { userAgent: `AppContainer/${text}` },
        { userAgent: `Mozilla AppContainer/1.${text} PhoenixContainer` },
        { referrer: text, parent: 'https://acme.example', hideAncestors: true },
        { referrer: `https://${text}`, parent: 'https://acme.example', hideAncestors: true },
        { url: `https://pizza.example/in/paytm/?data=${query}` },
        { url: `https://pizza.example/in/paytm/?data=${link}` },
        { url: `https://pizza.example/in/${query}?x=${query}#${query}` },
      ]) {
        const { window } = makePhone(options);
        for (const profileOf of [frameProfile, gpayProfile, paytmProfile]) {
          const ms = await heldMs(() => void profileOf(window));
          if (ms > HELD_AT_MOST_MS) slow.push([name, Object.keys(options), profileOf.name, Math.round(ms)]);
        }
      }
    }
  expect(slow).toEqual([]);
});
