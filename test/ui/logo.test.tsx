import { expect, test } from 'vitest';
import { hasLogo, Logo } from '../../src/ui/pictures/Logo.tsx';
import { mount } from './mount.tsx';

test('a service whose logo lies in the folder of the chain is shown by it, and any other by nothing', () => {
  const chain = globalThis as { LOGOS?: Readonly<Record<string, string>> };
  chain.LOGOS = {};
  expect(hasLogo('phonepe')).toBe(false);
  chain.LOGOS = { phonepe: 'logo-phonepe-1.svg' };
  const { host } = mount(
    <>
      <Logo id="phonepe" />
      <Logo id="phonepe" name="PhonePe" />
      <Logo id="bhim" />
    </>,
  );
  chain.LOGOS = {};
  const shown = [...host.querySelectorAll('img')].map((one) => [one.getAttribute('src'), one.alt]);
  expect(shown).toEqual([
    ['logo-phonepe-1.svg', ''],
    ['logo-phonepe-1.svg', 'PhonePe'],
  ]);
});
