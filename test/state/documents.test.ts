import { expect, test } from 'vitest';
import { countryAtom } from '../../src/state/base/country.ts';
import { documentIdAtom, documentState, termsLinkAtom } from '../../src/state/shop/documents.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { startServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer());

test('the terms are read at the address that the country gives for them [CFG-22]', async () => {
  const customer = openCustomer(server);
  const shown = async () => {
    await customer.set(documentState.load, 'terms');
    return customer.get(documentState.atom).data?.id;
  };
  expect(await shown()).toBe('terms');
  // Another country's terms stand elsewhere: here the one address stands for the other.
  customer.set(countryAtom, { ...customer.get(countryAtom), DEFAULT_TNC_URL: '/content/ve1/credits' });
  expect(await shown()).toBe('credits');
});

test('a page shows the document of its path, the terms where it has none, and keeps it when the customer logs out', async () => {
  const customer = openCustomer(server);
  const at = (path: string) => {
    customer.set(pathAtom, path);
    return customer.get(documentIdAtom);
  };
  expect(['/privacy', '/credits?from=cart', '/terms', '/privacy/more', '/'].map(at)).toEqual([
    'privacy',
    'credits',
    'terms',
    'terms',
    'terms',
  ]);
  await customer.set(documentState.load, 'privacy');
  expect(customer.get(documentState.atom).data?.id).toBe('privacy');
  customer.set(forgetCustomerAtom);
  expect(customer.get(documentState.atom).data?.id).toBe('privacy');
});

test("the chain's own page of its terms is linked to, but never out of a payment app; our own page is linked to everywhere", () => {
  const elsewhere = 'https://pizza.example/terms';
  for (const [host, url, link] of [
    ['browser', elsewhere, elsewhere],
    ['gpay', elsewhere, '/terms'],
    ['browser', '/rules', '/rules'],
    ['gpay', '/rules', '/rules'],
  ] as const) {
    const customer = openCustomer(server, { host });
    customer.set(countryAtom, { ...customer.get(countryAtom), TNC_URL: url });
    expect(customer.get(termsLinkAtom), `${host} ${url}`).toBe(link);
  }
});
