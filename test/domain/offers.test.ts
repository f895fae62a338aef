import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { alertOf, completeErrors, messageOr } from '../../src/domain/alerts.ts';
import { storeAlert } from '../../src/domain/storeAlert.ts';
import { timeLeftText, timerState } from '../../src/domain/countdown.ts';
import * as errorText from '#text/errors.ts';
import {
  couponOutcome,
  isOfferAvailable,
  isOutOfReach,
  notSaidIn,
  offerView,
  type OfferFacts,
} from '../../src/domain/offers.ts';

const offer = (more: Partial<OfferFacts>): OfferFacts => ({ status: 'APPLIED', messages: [], ...more });

describe('what an offer shows [OFF-14]', () => {
  it('is the message of a rejected one when it is an error [OFF-15] [ERR-23]', () => {
    expect(offerView(offer({ status: 'REJECTED', messages: [{ messageType: 'error', message: 'No' }] }), 0).error).toBe(
      'No',
    );
    expect(
      offerView(
        offer({
          status: 'REJECTED',
          messages: [
            { messageType: 'info', message: 'No' },
            { messageType: 'error', message: 'Later' },
          ],
        }),
        0,
      ).error,
    ).toBeNull();
    expect(offerView(offer({ messages: [{ messageType: 'error', message: 'No' }] }), 0).error).toBeNull();
  });

  it('is the nudge of an applied one that names a payment [OFF-16]', () => {
    const messages = [{ messageType: 'nudge', message: 'Pay with UPI' }];
    expect(offerView(offer({ messages, paymentId: 'UPI' }), 0).nudge).toBe('Pay with UPI');
    expect(offerView(offer({ messages }), 0).nudge).toBeNull();
    expect(offerView(offer({ paymentId: 'UPI' }), 0).nudge).toBeNull();
    expect(
      offerView(offer({ paymentId: 'UPI', messages: [{ messageType: 'info', message: 'x' }] }), 0).nudge,
    ).toBeNull();
    expect(offerView(offer({ status: 'REJECTED' }), 0).error).toBeNull();
    expect(offerView(offer({ messages, paymentId: 'UPI', status: 'REJECTED' }), 0).nudge).toBeNull();
  });

  it('is the progress of a general milestone [OFF-17]', () => {
    const progress = { steps: 2, stepsRequired: 5, message: '3 more orders' };
    const own = {
      labelType: 'general_milestone',
      offerOptions: [{ step: 1, label: '1 order', reached: true }],
      progress,
    };
    expect(offerView(offer(own), 0).milestone).toEqual({ ...progress, options: own.offerOptions });
    expect(offerView(offer({ ...own, labelType: 'other' }), 0).milestone).toBeNull();
    expect(offerView(offer({ ...own, status: 'REJECTED' }), 0).milestone).toBeNull();
    expect(offerView(offer({ ...own, progress: undefined }), 0).milestone).toBeNull();
  });

  it('is a countdown once its time has come [OFF-19] [OFF-20] [ERR-48]', () => {
    const timer = { showTimerBefore: 1_000_000, endTime: 1_000_000 + ((26 * 60 + 3) * 60 + 4) * 1000 };
    expect(timerState(timer, 999_999)).toBe('hidden');
    expect(timerState(timer, 1_000_000)).toBe('running');
    expect(timerState(timer, timer.endTime - 1)).toBe('running');
    expect(timerState(timer, timer.endTime)).toBe('expired');
    expect(offerView(offer({ expiryTimer: timer }), 1_000_000).timer).toBe('running');
    expect(offerView(offer({ expiryTimer: timer, status: 'REJECTED' }), 1_000_000).timer).toBe('hidden');
    expect([65_000, 3_661_000, timer.endTime - 1_000_000, 1, 0, -1].map(timeLeftText)).toEqual([
      '01:05',
      '1:01:01',
      '1d 2:03:04',
      '00:01',
      '00:00',
      '00:00',
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), (left) => {
        const text = timeLeftText(left);
        const [, days, hours, minutes, seconds] = /^(?:(\d+)d )?(?:(\d+):)?(\d\d):(\d\d)$/
          .exec(text)!
          .map((part) => Number(part ?? 0));
        expect(((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!, text).toBe(Math.ceil(left / 1000));
        expect(hours! < 24 && minutes! < 60 && seconds! < 60, text).toBe(true);
      }),
    );
  });
});

describe('the clock of an offer', () => {
  const RANK = { hidden: 0, running: 1, expired: 2 };
  it('an offer’s clock goes from hidden to running to expired, never back [P14] [OFF-19] [OFF-20]', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.integer({ min: 0, max: 10 ** 10 }),
        fc.array(fc.integer({ min: -5_000, max: 10 ** 10 + 5_000 }), { minLength: 2, maxLength: 8 }),
        (start, length, offsets) => {
          const timer = { showTimerBefore: start, endTime: start + length };
          const moments = [
            ...offsets.map((offset) => start + offset),
            start - 1,
            start,
            start + length - 1,
            start + length,
          ].sort((a, b) => a - b);
          let rank = 0;
          for (const now of moments) {
            const state = timerState(timer, now);
            expect(RANK[state]).toBeGreaterThanOrEqual(rank);
            expect(state).toBe(now >= timer.endTime ? 'expired' : now >= timer.showTimerBefore ? 'running' : 'hidden');
            rank = RANK[state];
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('applying a coupon', () => {
  const typed = { isTyped: true, isFromCart: true };
  it('keeps the code, the confetti and goes on [OFF-21] [OFF-24] [OFF-25]', () => {
    expect(
      couponOutcome(
        'save15',
        {
          status: 'SUCCESS',
          explicitPromo: { promoCode: 'SAVE15', confettiMessage: 'Yes!', confettiSubMessage: '15% off' },
        },
        typed,
      ),
    ).toEqual({ applied: true, code: 'SAVE15', confetti: { message: 'Yes!', subMessage: '15% off' }, go: '/cart' });
    expect(couponOutcome('A', { status: 'SUCCESS' }, { isTyped: false, isFromCart: false })).toEqual({
      applied: true,
      code: 'A',
      confetti: null,
      go: '/home',
    });
  });

  it('has no confetti without its first line, and an empty second one if that is all', () => {
    const confettiOf = (promo: object) => {
      const outcome = couponOutcome('a', { status: 'SUCCESS', explicitPromo: { promoCode: 'A', ...promo } }, typed);
      return outcome.applied && outcome.confetti;
    };
    expect(confettiOf({})).toBeNull();
    expect(confettiOf({ confettiMessage: '', confettiSubMessage: 'x' })).toBeNull();
    expect(confettiOf({ confettiMessage: 'Yes!' })).toEqual({ message: 'Yes!', subMessage: '' });
  });

  it('shows the first message of a failure, else the default, and forgets a typed code [OFF-22] [ERR-24]', () => {
    expect(
      couponOutcome(
        'A',
        { status: 'FAILED', errors: [{ displayMsg: 'Invalid coupon code' }, { displayMsg: 'x' }] },
        typed,
      ),
    ).toEqual({ applied: false, message: 'Invalid coupon code', resetCode: true });
    for (const errors of [undefined, [], [{}], [{ displayMsg: '' }]])
      expect(couponOutcome('A', { status: 'FAILED', errors }, { ...typed, isTyped: false })).toEqual({
        applied: false,
        message: errorText.internalServerError,
        resetCode: false,
      });
  });

  it('a coupon is applied only if the server says success; any other status is an internal error [OFF-23] [ERR-28] [OFF-27]', () => {
    for (const answer of [null, { status: 'WAIT' }, { status: '', errors: [{ displayMsg: 'secret' }] }]) {
      expect(couponOutcome('A', answer, typed)).toEqual({
        applied: false,
        message: errorText.internalServerError,
        resetCode: false,
      });
    }
  });

  it('knows whether there is any coupon at all [OFF-08]', () => {
    expect(isOfferAvailable({ coupons: [{ list: [] }, { list: [1] }] })).toBe(true);
    expect([
      isOfferAvailable({ coupons: [{ list: [] }] }),
      isOfferAvailable({ coupons: [] }),
      isOfferAvailable(null),
    ]).toEqual([false, false, false]);
  });
});

test('an offer is out of reach if it was refused by a rule, and nothing helps', () => {
  const of = (status: string, kind?: string, remedies: readonly unknown[] = []) =>
    isOutOfReach({ status, reason: kind === undefined ? undefined : { kind, remedies } });
  expect(of('REJECTED', 'RULE')).toBe(true);
  expect([of('REJECTED', 'RULE', ['add']), of('REJECTED', 'OTHER'), of('REJECTED'), of('APPLIED', 'RULE')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('of the lines beside a text only those are said that it does not say already', () => {
  const text = 'Flat 20% off on orders above 500; once a day';
  expect(
    notSaidIn(text, ['Flat 20% off.', ' once a day; ', 'orders above 500।', 'Once a day', 'Not on combos.', '500.5']),
  ).toEqual(['Once a day', 'Not on combos.', '500.5']);
  expect(notSaidIn('', ['.', 'a'])).toEqual(['a']);
  expect(notSaidIn('Get Rs. 50 off today', ['Rs. 50 off.', 'Rs. 60 off'])).toEqual(['Rs. 60 off']);
});

describe('server errors', () => {
  const plain = { header: 'Oops', btnMsg: 'OK', displayMsg: errorText.internalServerError, code: '' };
  it.each([
    [null, plain],
    [{}, plain],
    ['Store closed', { ...plain, displayMsg: 'Store closed' }],
    [7, plain],
    [
      { code: 'X', displayMsg: 'No table', header: null, btnMsg: null },
      { ...plain, code: 'X', displayMsg: 'No table' },
    ],
    [
      { code: 12, displayMsg: 'No', header: ' ', btnMsg: '\t' },
      { ...plain, code: '12', displayMsg: 'No' },
    ],
    [
      { displayMsg: null, header: 'Sorry', btnMsg: 'Fine' },
      { ...plain, header: 'Sorry', btnMsg: 'Fine' },
    ],
    [{ displayMsg: ['a'], header: {}, btnMsg: true, field: null, waitSeconds: 'soon' }, plain],
    [
      { displayMsg: 'Store is OFFLINE', field: 'store', waitSeconds: 5 },
      { ...plain, displayMsg: errorText.advanceOrderOnly, field: 'store', waitSeconds: 5 },
    ],
  ])('of another API get the texts that they lack: %j [ERR-22]', (sent, told) => {
    const reply = { errors: [sent], quote: { problems: [sent] }, order: { bill: { errors: [sent] } } };
    completeErrors(reply);
    // What lies deeper is no error of the reply.
    expect(reply).toEqual({ errors: [told], quote: { problems: [told] }, order: { bill: { errors: [sent] } } });
  });
  it('are none where a reply has null for them, and one where it has it without a list', () => {
    const reply: Record<string, unknown> = { errors: null, quote: { problems: { displayMsg: 'No' } } };
    completeErrors(reply);
    expect(reply).toEqual({ errors: [], quote: { problems: [{ ...plain, displayMsg: 'No' }] } });
    for (const none of [null, 'text', 3, [{ errors: null }]]) expect(() => completeErrors(none)).not.toThrow();
  });
  it('that say nothing of their own leave the word to the sentence of the moment', () => {
    expect(messageOr(undefined, 'Logged out.')).toBe('Logged out.');
    expect(messageOr(plain, 'Logged out.')).toBe('Logged out.');
    expect(messageOr({ displayMsg: 'Too late.' }, 'Logged out.')).toBe('Too late.');
  });
  it('are shown as an alert with fallbacks [ERR-22] [ERR-04]', () => {
    expect(alertOf([{ displayMsg: 'No table', header: 'Sorry', btnMsg: 'Fine' }])).toEqual({
      header: 'Sorry',
      message: 'No table',
      button: 'Fine',
    });
    expect(alertOf([{ displayMsg: 'No table', header: '', btnMsg: '' }])).toEqual({
      header: 'Oops',
      message: 'No table',
      button: 'OK',
    });
    for (const errors of [
      undefined,
      null,
      [],
      [{}],
      [{ displayMsg: '' }],
      [{ displayMsg: ' \n' }],
      [{ displayMsg: '\u200b' }],
    ])
      expect(alertOf(errors)).toEqual({ header: 'Oops', message: errorText.internalServerError, button: 'OK' });
  });
  it('that speak of offline become the advance-order message [ERR-26] [LOC-34]', () => {
    expect(alertOf([{ displayMsg: 'Store is Offline now' }]).message).toBe(errorText.advanceOrderOnly);
  });
  it('of code 2.STORENA alert from the selector and only close it elsewhere [ERR-25] [LOC-33]', () => {
    const errors = [{ code: '2.STORENA', displayMsg: 'Not available' }];
    expect(storeAlert(errors, true)?.message).toBe('Not available');
    expect(storeAlert(errors, false)).toBeNull();
    expect(storeAlert([{ code: 'OTHER', displayMsg: 'x' }], false)?.message).toBe('x');
    for (const none of [null, undefined, []])
      expect(storeAlert(none, false)?.message).toBe(errorText.internalServerError);
  });
});
