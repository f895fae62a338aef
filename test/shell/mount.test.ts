import { expect, test } from 'vitest';
import { addressOf } from '../../src/shell/first/mount.ts';

test('no path that a host or a link sends leads above the mount or to another origin', () => {
  for (const mount of ['', '/in/paytm'])
    for (const [path, inside] of [
      ['/../../', '/'],
      ['/..', '/'],
      ['/%2e%2e/%2E%2E/', '/'],
      ['/.%2e\\..\\', '/'],
      ['//', '/'],
      ['\\\\', '/'],
      ['//evil.example', '/evil.example'],
      ['/\\evil.example', '/evil.example'],
      ['/..//evil.example', '/evil.example'],
      ['//[', '/['],
      ['', '/'],
      ['menu?q=1#a', '/menu?q=1#a'],
      ['/menu/../cart?a=..%2f#..', '/cart?a=..%2f#..'],
      ['?a=1', '/?a=1'],
    ] as const)
      expect(addressOf(mount, path), path).toBe(mount + inside);
});
