import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { internationalPhone, isUnusualPhone, maskedPhone, phoneNumber } from '../../src/domain/phone.ts';
import { writtenPhone } from '../../src/domain/writtenPhone.ts';
import { latinDigits } from '../../src/domain/typedText.ts';

const [india, lk, bg] = [countryConfig('in'), countryConfig('lk'), countryConfig('bg')];

describe('a mobile number [AUTH-07] [CFG-12]', () => {
  it('has the length of its country', () => {
    expect(phoneNumber('9876543210', india)).toBe('9876543210');
    expect(phoneNumber('771234567', lk)).toBe('771234567');
    expect(phoneNumber('1712345678', bg)).toBe('1712345678');
    for (const rule of [india, lk, bg]) {
      expect(phoneNumber('1'.repeat(rule.PHONE_DIGIT - 1), rule)).toBeNull();
      expect(phoneNumber('1'.repeat(rule.PHONE_DIGIT + 1), rule)).toBeNull();
      expect(phoneNumber('', rule)).toBeNull();
      expect(phoneNumber('abc', rule)).toBeNull();
    }
  });

  it('loses a leading 0 outside India, which makes room for one more digit', () => {
    expect(phoneNumber('0771234567', lk)).toBe('771234567');
    expect(phoneNumber('01712345678', bg)).toBe('1712345678');
    expect(phoneNumber('09876543210', india)).toBeNull();
    expect(phoneNumber('071234567', lk)).toBeNull();
  });

  it('is shown as its country writes it; a short number stays as it is', () => {
    expect(writtenPhone('9876543210', india)).toBe('98765 43210');
    expect(writtenPhone('771234567', lk)).toBe('077 123 4567');
    expect(writtenPhone('1712345678', bg)).toBe('01712-345678');
    expect([india, lk, bg].map((rule) => writtenPhone(rule.HELP_DESK_NO, rule))).toEqual([
      '6888 6888',
      '011 777 7888',
      '16656',
    ]);
  });

  it('stays as it is where it is no number of its country', () => {
    const rule = { phonePattern: '## ##', trunkPrefix: '0' };
    expect(['1234', '123', 'a123', '123a', '12 3', '12345', ''].map((number) => writtenPhone(number, rule))).toEqual([
      ...['12 34', '01 23', 'a123', '123a', '12 3', '12345', ''],
    ]);
  });

  it("may be written with the country's prefix, spaces and dashes", () => {
    expect(phoneNumber('+91 98765-43210', india)).toBe('9876543210');
    expect(phoneNumber('919876543210', india)).toBe('9876543210');
    expect(phoneNumber(' +91 9876543210', india)).toBe('9876543210');
    expect(phoneNumber(' +94 0771234567', lk)).toBe('771234567');
    expect(phoneNumber('9198765432', india)).toBe('9198765432');
    expect(phoneNumber('+880 1712-345678', bg)).toBe('1712345678');
    for (const typed of ['(+94) 077 123 4567', '+94 (0)77 123 4567', '94 077 123 4567', 'tel:+940771234567'])
      expect(phoneNumber(typed, lk), typed).toBe('771234567');
    for (const typed of ['(+880) 01712-345678', '88001712345678', 'Mobile: +880 (0) 1712 345678'])
      expect(phoneNumber(typed, bg), typed).toBe('1712345678');
    expect(phoneNumber('(+91) 98765 43210', india)).toBe('9876543210');
    expect(phoneNumber('+94 077 123 4567', lk)).toBe('771234567');
  });

  it('of another country is none of ours, also where it has as many digits', () => {
    for (const typed of ['+65 9123 4567', '(+65) 91234567', '+47 912 34 567', '\uff0b45 12 34 56 78 90'])
      for (const rule of [india, bg]) expect(phoneNumber(typed, rule), typed).toBeNull();
    expect(phoneNumber('+977 123456', lk)).toBeNull();
  });

  it("may be typed in the digits of the customer's script", () => {
    expect(phoneNumber('০১৭১২৩৪৫৬৭৮', bg)).toBe('1712345678');
    expect(phoneNumber('९८७६५४३२१०', india)).toBe('9876543210');
    expect(phoneNumber('９８７６５４３２１０', india)).toBe('9876543210');
    expect(latinDigits('௦௧௨௩௪௫௬௭௮௯')).toBe('0123456789');
    expect(latinDigits('෦෧෨෩෪෫෬෭෮෯')).toBe('0123456789');
    expect(latinDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹')).toBe('01234567890123456789');
  });

  it('comes out as digits of the right number or not at all, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(india, lk, bg), (typed, rule) => {
        const number = phoneNumber(typed, rule);
        expect(number === null || new RegExp(`^[0-9]{${rule.PHONE_DIGIT}}$`).test(number)).toBe(true);
      }),
    );
  });

  it('gets a warning, not a refusal, when it does not begin like a mobile number', () => {
    expect([isUnusualPhone('9876543210', india), isUnusualPhone('5876543210', india)]).toEqual([false, true]);
    expect([isUnusualPhone('771234567', lk), isUnusualPhone('112345678', lk)]).toEqual([false, true]);
    expect([isUnusualPhone('1312345678', bg), isUnusualPhone('1212345678', bg)]).toEqual([false, true]);
    expect(phoneNumber('5876543210', india)).toBe('5876543210');
  });

  it('is shown with its prefix, or masked', () => {
    expect(internationalPhone('1712345678', bg)).toBe('+8801712345678');
    expect(maskedPhone('9876543210')).toBe('••••••3210');
    expect(maskedPhone('98765 43210')).toBe('••••• •3210');
  });
});
