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
