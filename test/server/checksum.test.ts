import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isPaytmSignature,
  paytmBodyText,
  paytmEnvelope,
  paytmFormPayload,
  paytmSignature,
} from '../../hosts/paytm/server/checksum.ts';

/** The published library has no types: these are the two calls it documents. It alters the form it is given, so it gets copies. */
const published = createRequire(import.meta.url)('paytmchecksum') as {
  generateSignature(payload: string | Record<string, string>, key: string): Promise<string>;
  verifySignature(payload: string | Record<string, string>, key: string, signature: string): boolean;
};

const KEY = 'kbzk1DSbJiV_O3p5';
const RUNS = { numRuns: 200 };
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('null', '', '|', 'पिज़्ज़ा ₹399', '🍕', 'a"b\\c', '</script>', 'ÿ', '\u0000'),
);
const body = fc.dictionary(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.record({ value: text, currency: fc.constant('INR') }),
  ),
  { maxKeys: 8 },
);
/** Names as the gateway gives them: letters first. */
const form = fc.dictionary(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,11}$/).filter((name) => name !== 'CHECKSUMHASH'),
  text,
  { minKeys: 1, maxKeys: 10 },
);

/** The text with one character made another. */
function altered(from: string, at: number): string {
  const place = at % from.length;
  return from.slice(0, place) + String.fromCharCode(from.charCodeAt(place) ^ 1) + from.slice(place + 1);
}

describe('our checksum beside the published library', () => {
  test("JSON bodies: each takes the other's signature, and neither takes a changed byte [PAY-07]", async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.nat(), async (value, at) => {
        const sent = JSON.stringify(value);
        const ours = paytmSignature(sent, KEY);
        const theirs = await published.generateSignature(sent, KEY);
        expect(published.verifySignature(sent, KEY, ours)).toBe(true);
        expect(isPaytmSignature(sent, KEY, theirs)).toBe(true);
        const changed = altered(sent, at);
        for (const signature of [ours, theirs]) {
          expect(published.verifySignature(changed, KEY, signature)).toBe(false);
          expect(isPaytmSignature(changed, KEY, signature)).toBe(false);
        }
      }),
      RUNS,
    );
  });

  test("forms: each takes the other's signature, and neither takes a changed value", async () => {
    await fc.assert(
      fc.asyncProperty(form, fc.nat(), async (fields, at) => {
        const ours = paytmSignature(paytmFormPayload(fields), KEY);
        const theirs = await published.generateSignature({ ...fields }, KEY);
        expect(published.verifySignature({ ...fields, CHECKSUMHASH: ours }, KEY, ours)).toBe(true);
        expect(isPaytmSignature(paytmFormPayload({ ...fields, CHECKSUMHASH: theirs }), KEY, theirs)).toBe(true);
        const name = Object.keys(fields)[at % Object.keys(fields).length]!;
        const changed = { ...fields, [name]: fields[name] === '' ? '0' : altered(fields[name]!, at) };
        for (const signature of [ours, theirs]) {
          expect(published.verifySignature({ ...changed }, KEY, signature)).toBe(false);
          expect(isPaytmSignature(paytmFormPayload(changed), KEY, signature)).toBe(false);
        }
      }),
      RUNS,
    );
  });

  test('an envelope that we send is one the published library takes', () => {
    fc.assert(
      fc.property(body, (value) => {
        const envelope = paytmEnvelope(value, KEY);
        const { head } = JSON.parse(envelope) as { head: { signature: string } };
        expect(published.verifySignature(paytmBodyText(envelope)!, KEY, head.signature)).toBe(true);
      }),
      RUNS,
    );
  });
});
