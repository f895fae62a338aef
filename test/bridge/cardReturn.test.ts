import { expect, test, vi } from 'vitest';
import { cardFieldsAddress, isCardReturned, returnedCard } from '../../src/bridge/payment/cardFields.ts';

const at = (address: string) => {
  const { origin, pathname, search, hash } = new URL(address);
  const replaceState = vi.fn();
  const win = {
    location: { origin, pathname, search, hash },
    history: { state: { own: 1 }, replaceState },
    document: { documentElement: { lang: 'en-IN' } },
  } as unknown as Window;
  return { win, replaceState };
};
const PAGE = 'https://shop.example/in/payment?from=cart';

test('the bank is told who asks, in which language, for which saved card, and where a page that is left goes on', () => {
  const { win } = at(PAGE);
  const asked = (kept: Parameters<typeof cardFieldsAddress>[2]['kept'], isRedirect: boolean) =>
    Object.fromEntries(
      new URL(cardFieldsAddress(win, 'https://bank.example/fields', { kept, isRedirect })).searchParams,
    );
  const page = { origin: 'https://shop.example', lang: 'en-IN' };
  const visa = { cardId: 'c 1', brand: 'VISA', lastFour: '4242' };
  expect(asked(null, false)).toEqual(page);
  expect(asked(null, true)).toEqual({ ...page, return: PAGE });
  expect(asked(visa, false)).toEqual({ ...page, kind: 'cvv', brand: 'VISA', digits: '4242' });
  expect(asked(visa, true)).toMatchObject({ kind: 'cvv', return: `${PAGE}#card-of=c 1` });
});

test('what the bank sends back is taken once and out of the address, and not when it is too long', () => {
  expect(returnedCard(undefined)).toBeNull();
  for (const hash of ['', '#', '#card=', '#card-of=c1', '#other=1']) {
    const { win, replaceState } = at(PAGE + hash);
    expect(returnedCard(win)).toBeNull();
    expect(replaceState).not.toHaveBeenCalled();
  }
  for (const [hash, card] of [
    ['#card=tok_1', { token: 'tok_1', cardId: null }],
    ['#card-of=c1&card=tok_1', { token: 'tok_1', cardId: 'c1' }],
    [`#card=${'t'.repeat(400)}`, { token: 't'.repeat(400), cardId: null }],
    [`#card=${'t'.repeat(401)}`, null],
  ] as const) {
    const { win, replaceState } = at(PAGE + hash);
    expect(isCardReturned(win)).toBe(true);
    expect(returnedCard(win)).toEqual(card);
    expect(replaceState).toHaveBeenCalledWith({ own: 1 }, '', '/in/payment?from=cart');
  }
});
