import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { BankOutcome } from '../../src/contract/development.ts';
import { BANK_SCRIPTS, bankOutcome } from '../../src/server/vendors/bank.ts';
import { checkCard, expiryOf } from '../../src/server/vendors/cards.ts';
import { brandOf, isLuhn } from '../../src/domain/cards.ts';
import { isSigned, sign } from '../../src/server/providers/signing.ts';
import { hostPaymentReply } from '../../hosts/gpay/server/payments.ts';
import { checkAtMs } from '../../src/server/rules/placing/settle.ts';

const NOW = Date.UTC(2027, 0, 15);

describe('outcomes', () => {
  const facts = { asked: null, switched: null, amount: 39_900, bin: null };
  test("the catalogue's test amounts and cards decide when nobody else does", () => {
    expect(bankOutcome(facts)).toBe('success');
    expect([13, 37, 59, 14].map((cents) => bankOutcome({ ...facts, amount: 39_900 + cents }))).toEqual([
      'failure',
      'pending-then-success',
      'pending-then-failure',
      'success',
    ]);
    expect(bankOutcome({ ...facts, bin: '411111' })).toBe('success');
    expect(bankOutcome({ ...facts, bin: '400000' })).toBe('failure');
  });
  test("a customer's no is a no; a yes follows the switch", () => {
    expect(bankOutcome({ ...facts, asked: 'failure', switched: 'success' })).toBe('failure');
    expect(bankOutcome({ ...facts, asked: 'pending', switched: 'twice' })).toBe('pending');
    expect(bankOutcome({ ...facts, switched: 'late', amount: 39_913 })).toBe('late');
    expect(bankOutcome({ ...facts, asked: 'success', amount: 39_913 })).toBe('success');
  });
  test('every outcome of the contract has its script', () => {
    expect(Object.keys(BANK_SCRIPTS).sort()).toEqual([...BankOutcome.options].sort());
  });
  test('open payments are asked about after 2, 4, 8, 15, 30 seconds and every 30 then', () => {
    expect(Array.from({ length: 8 }, (_, n) => checkAtMs(n) / 1000)).toEqual([2, 4, 8, 15, 30, 60, 90, 120]);
  });
});

describe('cards', () => {
  test('numbers by their check digit, in any script and with spaces', () => {
    for (const number of ['4111111111111111', '5555555555554444', '378282246310005']) expect(isLuhn(number)).toBe(true);
    expect(isLuhn('4111111111111112')).toBe(false);
    expect(isLuhn('')).toBe(false);
    expect(checkCard({ number: '४१११ ११११ ११११ ११११', expiry: '०८/२९', cvv: '१२३' }, NOW).facts).toMatchObject({
      bin: '411111',
      lastFour: '1111',
    });
    expect(checkCard({ number: '4111x1111-1111-1111', expiry: '08/29', cvv: '123' }, NOW).facts).toBeNull();
    fc.assert(
      fc.property(fc.stringMatching(/^\d{15}$/), fc.nat(9), (body, wrong) => {
        const digit = '0123456789'.split('').find((own) => isLuhn(body + own))!;
        expect(isLuhn(body + wrong)).toBe(String(wrong) === digit);
      }),
    );
  });
  test('an expiry lasts to the end of its month', () => {
    expect(expiryOf('1/27')).toBe(Date.UTC(2027, 1, 1));
    expect(expiryOf('0129')).toBe(Date.UTC(2029, 1, 1));
    expect(expiryOf('12 / 2030')).toBe(Date.UTC(2031, 0, 1));
    for (const text of ['', '13/29', '00/29', '1', 'ab/cd', '1/2/29']) expect(expiryOf(text)).toBeNull();
    const on = (expiry: string) =>
      checkCard({ number: '4111111111111111', expiry, cvv: '123' }, NOW).problems.map((problem) => problem.code);
    expect(on('01/27')).toEqual([]);
    expect(on('12/26')).toEqual(['CARD_EXPIRY']);
  });
  test('brands, of which one has four digits more on its card', () => {
    expect(['4111', '5105', '2720', '3782', '6521', '9'].map(brandOf)).toEqual([
      'Visa',
      'Mastercard',
      'Mastercard',
      'American Express',
      'RuPay',
      'Card',
    ]);
    expect(checkCard({ number: '378282246310005', expiry: '01/30', cvv: '1234' }, NOW).problems).toEqual([]);
  });
});

describe('UPI', () => {
  test("a host's reply is nested as documented: a token in JSON, in it a message in JSON", async () => {
    const reply = (await hostPaymentReply({
      status: 'SUCCESS',
      amount: 16_600,
      reference: 'R',
      payeeVpa: 'a@b',
      bankId: 'B',
      expiresAt: 1,
      sign: async () => 's',
    })) as { paymentMethodData: { type: string; tokenizationData: { type: string; token: string } } };
    expect(reply.paymentMethodData.type).toBe('UPI');
    expect(reply.paymentMethodData.tokenizationData.type).toBe('DIRECT');
    const token = JSON.parse(reply.paymentMethodData.tokenizationData.token) as {
      protocolVersion: string;
      signature: string;
      signedMessage: string;
    };
    expect(token).toMatchObject({ protocolVersion: 'ECv1', signature: 's' });
    expect(JSON.parse(token.signedMessage)).toMatchObject({
      paymentMethodDetails: { amount: '166.00', responseCode: '00', txnRef: 'R' },
    });
  });
});

test('signatures cannot be moved between their parts', () => {
  expect(isSigned('k', sign('k', 'ab', 'c'), 'ab', 'c')).toBe(true);
  expect(isSigned('k', sign('k', 'ab', 'c'), 'a', 'bc')).toBe(false);
  expect(isSigned('k', '', 'ab', 'c')).toBe(false);
  expect(isSigned('other', sign('k', 'ab', 'c'), 'ab', 'c')).toBe(false);
});
