import { expect, test } from 'vitest';
import { addressAt } from '../../src/domain/addressAt.ts';

test("a payment's page is at the server's origin, or where the provider says", () => {
  expect(addressAt('', '/vendors/bank/pay/1')).toBe('/vendors/bank/pay/1');
  expect(addressAt('https://api.example', '/vendors/bank/pay/1')).toBe('https://api.example/vendors/bank/pay/1');
  for (const origin of ['', 'https://api.example'])
    for (const own of ['https://secure.example/pay?id=1', 'HTTP://secure.example/pay'])
      expect(addressAt(origin, own)).toBe(own);
  expect(addressAt('https://api.example', '/pay?back=https://x.example')).toBe(
    'https://api.example/pay?back=https://x.example',
  );
  expect(addressAt('https://api.example', 'javascript:alert(1)'), 'no other scheme').toMatch(/^https:\/\/api\.example/);
});

test('what is no path and no web address leads to the start of the server: not to a script, nor to another host', () => {
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    '@evil.example',
  ])
    expect([addressAt('', address), addressAt('https://api.example', address)], address).toEqual([
      '/',
      'https://api.example/',
    ]);
});
