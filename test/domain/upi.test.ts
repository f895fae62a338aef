import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { upiLink, type UpiRequest } from '../../src/domain/upi.ts';

const REQUEST: UpiRequest = {
  vpa: 'goldenoven@embeddedbank',
  name: 'Golden Oven Pizza',
  mcc: '5814',
  reference: 'R1',
  amount: '123.45',
  note: 'Order 1, at 50% & more',
  url: 'https://x.example/?a=1&b=2',
};
/** The fields as an app reads them that takes the link apart and decodes nothing. */
const raw = (link: string) =>
  Object.fromEntries(
    link
      .slice('upi://pay?'.length)
      .split('&')
      .map((field) => field.split('=')),
  );

describe('the link that a UPI app opens', () => {
  test('names the payee with its own @, spaces as %20, and & and % escaped, whether an app decodes or not', () => {
    const link = upiLink(REQUEST);
    expect(link).toBe(
      'upi://pay?pa=goldenoven@embeddedbank&pn=Golden%20Oven%20Pizza&mc=5814&tr=R1&tid=R1&am=123.45&cu=INR' +
        '&tn=Order%201%2C%20at%2050%25%20%26%20more&mode=04&url=https%3A%2F%2Fx.example%2F%3Fa%3D1%26b%3D2',
    );
    expect(raw(link)['pa']).toBe('goldenoven@embeddedbank');
    expect(new URL(link).searchParams.get('pa')).toBe('goldenoven@embeddedbank');
  });
  test('keeps every character of what it carries, and never has a +, a space, or a fragment of its own', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.string({ unit: fc.constantFrom(...Array.from('a &=#+%@?/:🍕😀é')) }),
        (name, note) => {
          const link = upiLink({ ...REQUEST, name, note });
          expect(link).not.toMatch(/[+ #]/);
          const fields = new URLSearchParams(link.slice('upi://pay?'.length));
          expect(Object.fromEntries(fields)).toEqual({
            pa: REQUEST.vpa,
            pn: name,
            mc: '5814',
            tr: 'R1',
            tid: 'R1',
            am: '123.45',
            cu: 'INR',
            tn: [...note].slice(0, 50).join(''),
            mode: '04',
            url: REQUEST.url,
          });
        },
      ),
    );
  });
  test('is written of a note whose fiftieth character is half of an emoji, too', () => {
    expect(raw(upiLink({ ...REQUEST, note: `${'a'.repeat(49)}🍕` }))['tn']).toBe(`${'a'.repeat(49)}%F0%9F%8D%95`);
    expect(raw(upiLink({ ...REQUEST, note: 'a\uD83Cb' }))['tn']).toBe('ab');
  });
});
