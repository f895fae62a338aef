import * as errors from '#text/errors.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceType, shortUserAgent, sourceHeader } from '../../src/domain/device.ts';
import { isEmail } from '../../src/domain/email.ts';
import { characters, feedbackProblems, helpFor, offlineFeedbackProblem } from '../../src/domain/feedback.ts';
import {
  creditAt,
  isEnrolled,
  pointsDueAt,
  pointsByTitle,
  rewards,
  rewardUsableAt,
  sliceBalance,
} from '../../src/domain/loyalty.ts';
import { boundText, maySend, otpCode } from '../../src/domain/otp.ts';
import { pageName } from '../../src/domain/pagenames.ts';
import { isSameProfile, profileProblems, trimmed } from '../../src/domain/profile.ts';

it('guesses the device from the user agent, a tablet counts as mobile in the header, long agents are cut [NAV-87] [MINI-05]', () => {
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148';
  const pixel = 'Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/130 Mobile Safari/537.36';
  const ipad = 'Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) Mobile/15E148';
  const slab = 'Mozilla/5.0 (Linux; Android 14; Tablet) Chrome/130';
  const galaxy = 'Mozilla/5.0 (Linux; Android 13; SM-X200) Chrome/130 Safari/537.36';
  const keyboardPhone = 'Mozilla/5.0 (Series40; Nokia311) Gecko/20100401 S40OviBrowser/2.2 Mobi';
  const desk = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130';
  expect([iphone, pixel, galaxy, keyboardPhone, ipad, slab, desk].map(deviceType)).toEqual([
    ...['mobile', 'mobile', 'mobile', 'mobile', 'tablet', 'tablet', 'desktop'],
  ]);
  expect([pixel, ipad, desk].map(sourceHeader)).toEqual(['PWA18', 'PWA18', 'NewDesktop']);
  expect(shortUserAgent('x'.repeat(1000)).length).toBe(350);
});

it('pages have the tracking names of the specification [NAV-80]', () => {
  const names: Record<string, string> = {
    '/': 'home',
    '/landing': 'home',
    '/home': 'home',
    '/manualSelector': 'location selection',
    '/postorder-ui/selectRestaurant': 'select restaurant',
    '/login': 'login',
    '/postorder-ui/login': 'login',
    '/login-otp': 'login-otp',
    '/postorder-ui/login-otp': 'login-otp',
    '/menu': 'menu categories',
    '/menu/veg-pizza': 'menu categories',
    '/postorder-ui/myAddresses': 'change address',
    '/payment': 'payment',
    '/cart': 'cart',
    '/customise/PZ001': 'customise',
    '/postorder-ui/profile': 'profile',
    '/edv': 'everyday-value-offers and edv',
    '/everyday-value-offers': 'everyday-value-offers and edv',
    '/postorder-ui/orderHistory': 'order history',
    '/offers': 'offers',
    '/track/77': 'track',
    '/thank-you/77': 'thank-you-and-tracking',
    '/order/ord_1': 'thank-you-and-tracking',
    '/address': 'address',
    '/postorder-ui/nearestStore': 'nearest store',
    '/postorder-ui/takeawayMapScreen': 'takeaway map screen',
    '/postorder-ui/mapScreen': 'map screen',
    '/search': 'search',
  };
  for (const [path, name] of Object.entries(names)) expect(pageName(path), path).toBe(name);
  expect(new Set(Object.values(names)).size).toBe(21);
  for (const path of ['/nothing', '/menus', '/cart/x', '']) expect(pageName(path), path).toBeNull();
});

/** Of 254 characters. */
const longestEmail = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.co`;
describe('email [AUTH-24]', () => {
  it.each(['a@b.co', 'first.last+tag@sub.example.com', "o'neil@x-y.org", ' a@b.in ', ` ${longestEmail} `])(
    '%s is one',
    (text) => expect(isEmail(text)).toBe(true),
  );
  it.each([
    ...['', 'a', 'a@b', 'a@b.c', '@b.co', 'a@.co', 'a b@c.co', 'a@b..co', 'a..b@c.co', '.a@b.co', 'a@-b.co'],
    ...['a@b.c1', `${'a'.repeat(250)}@b.co`, `d${longestEmail}`, 'x a@b.co', 'a@b.co x', 'a@b.co@c.co'],
    ...[`a@${'b'.repeat(64)}.co`, 'a@b-.co', 'a.@b.co'],
  ])('%j is not', (text) => expect(isEmail(text)).toBe(false));
  it('is answered at once for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 5000, unit: fc.constantFrom('a', '.', '@', '-', '1') }),
        (text) => typeof isEmail(text) === 'boolean',
      ),
    );
  });
});

describe('profile', () => {
  const good = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' };
  it('names each problem', () => {
    expect(profileProblems(errors, good)).toEqual({});
    expect(profileProblems(errors, { firstName: ' ', lastName: '', email: 'x' })).toEqual({
      firstName: 'Please enter first name.',
      lastName: 'Please enter last name.',
      email: 'Invalid email.',
    });
  });
  it('asks for a change when there is none', () => {
    expect(profileProblems(errors, good, good).form).toBe('Please change a field before saving.');
    expect(profileProblems(errors, { ...good, lastName: 'Roy' }, good)).toEqual({});
  });
});

it('two profiles are the same without the white space around their fields', () => {
  const good = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' };
  const spaced = { firstName: ' Asha', lastName: 'Rao ', email: ' asha@example.com\n' };
  expect(trimmed(spaced)).toEqual(good);
  expect(isSameProfile(good, spaced)).toBe(true);
  for (const other of [{ firstName: 'Asa' }, { lastName: 'Roy' }, { email: 'a@example.com' }])
    expect(isSameProfile(good, { ...good, ...other })).toBe(false);
  expect(profileProblems(errors, spaced, good).form).toBe(errors.nothingChanged);
  expect(profileProblems(errors, { ...spaced, email: ' ' })).toEqual({ email: errors.emailInvalid });
});

describe('feedback', () => {
  it('with three stars or fewer asks for help for what it names, with more for nothing', () => {
    const aspects = ['taste', 'heat', 'time', 'packing', 'complete', 'rider'] as const;
    expect(helpFor({ overall: 3, aspects })).toEqual(['taste', 'cold', 'late', 'damaged', 'missing', 'rider']);
    expect([helpFor({ overall: 4, aspects }), helpFor({ overall: 1, aspects: [] })]).toEqual([[], []]);
  });

  const fine = { comment: 'x'.repeat(30), nps: 0, rating: 5 };
  it('needs 30 to 250 characters and both ratings', () => {
    expect(feedbackProblems(fine)).toEqual({});
    expect(feedbackProblems({ ...fine, comment: 'x'.repeat(250) })).toEqual({});
    expect([0, 10].flatMap((nps) => [1, 5].map((rating) => feedbackProblems({ ...fine, nps, rating })))).toEqual([
      {},
      {},
      {},
      {},
    ]);
    expect(feedbackProblems({ ...fine, comment: 'x'.repeat(29) }).comment).toBe('feedbackShort');
    expect(feedbackProblems({ ...fine, comment: ` ${'x'.repeat(29)} ` }).comment).toBeTruthy();
    expect(feedbackProblems({ ...fine, comment: 'x'.repeat(251) }).comment).toBe('feedbackLong');
    for (const nps of [null, -1, 11, 2.5]) expect(feedbackProblems({ ...fine, nps }).nps).toBeTruthy();
    for (const rating of [null, 0, 6]) expect(feedbackProblems({ ...fine, rating }).rating).toBeTruthy();
  });
  it('may leave the text out only where the template says so', () => {
    expect(feedbackProblems({ ...fine, comment: '' }, true)).toEqual({});
    expect(feedbackProblems({ ...fine, comment: 'short' }, true).comment).toBeTruthy();
    expect(feedbackProblems({ ...fine, comment: '' }).comment).toBeTruthy();
  });
  it('counts characters as people do', () =>
    expect([characters('नमस्ते'), characters('👨‍👩‍👧'), characters(' ab ')]).toEqual([3, 1, 2]));
  it('without an order needs an experience or a rating', () => {
    expect([
      offlineFeedbackProblem('', null),
      offlineFeedbackProblem('  \n', null),
      offlineFeedbackProblem('', 0),
      offlineFeedbackProblem('', 6),
      offlineFeedbackProblem('good', null),
      offlineFeedbackProblem('', 1),
      offlineFeedbackProblem('', 5),
    ]).toEqual([...Array<string>(4).fill('offlineRatingMissing'), null, null, null]);
  });
});

describe('loyalty', () => {
  it('lists promo, refund and pizza-pals points in that order, absent as 0', () => {
    expect(
      pointsByTitle([
        { title: 'Pizza Pals Points', amount: 350 },
        { title: 'Refund Points', amount: 20 },
      ]),
    ).toEqual([0, 20, 350]);
    expect(pointsByTitle([])).toEqual([0, 0, 0]);
    expect(
      pointsByTitle([
        { title: 'Promo Points', amount: 5 },
        { title: 'Promo Points', amount: 6 },
        { title: 'Other', amount: 9 },
      ]),
    ).toEqual([11, 0, 0]);
  });
  it('counts whole slices, points divided by points per order without the rest, and shows the rest as progress [LOY-05]', () => {
    for (let points = 0; points <= 700; points += 1)
      for (const each of [100, 70, 1])
        expect(sliceBalance(points, each)).toEqual({
          slices: (points - (points % each)) / each,
          towardsNext: points % each,
        });
    expect(sliceBalance(250, 100)).toEqual({ slices: 2, towardsNext: 50 });
    expect([sliceBalance(99, 100).slices, sliceBalance(0, 100).slices, sliceBalance(100, 0).slices]).toEqual([0, 0, 0]);
    expect([rewards(599, 600), rewards(600, 600), rewards(800, 400), rewards(800, 0), rewards(-600, 600)]).toEqual([
      0, 1, 2, 0, 0,
    ]);
    expect(sliceBalance(50, 0)).toEqual({ slices: 0, towardsNext: 0 });
    expect(sliceBalance(-150, 100)).toEqual({ slices: 0, towardsNext: 0 });
  });
  it('credits points and rewards a day later and knows who is enrolled', () => {
    expect([pointsDueAt(0), rewardUsableAt(0), creditAt(0)]).toEqual([86_400_000, 86_400_000, 86_400_000]);
    expect([pointsDueAt(5), rewardUsableAt(5), creditAt(5)]).toEqual([86_400_005, 86_400_005, 86_400_005]);
    expect([isEnrolled('ENROLLED'), isEnrolled('NOT_ENROLLED'), isEnrolled(null)]).toEqual([true, false, false]);
  });
});

describe('one-time codes [AUTH-09]', () => {
  const now = 1_000_000_000;
  const ago = (...seconds: number[]) => seconds.map((s) => now - s * 1000);
  it('are sent again after 30 seconds, three times in 15 minutes, ten times a day', () => {
    expect(maySend([], now)).toEqual({ ok: true, sendsLeft: 2 });
    expect(maySend(ago(29), now)).toEqual({ ok: false, reason: 'wait', waitSeconds: 1 });
    expect(maySend(ago(30), now)).toEqual({ ok: true, sendsLeft: 1 });
    expect(maySend(ago(40, 80, 120), now)).toEqual({ ok: false, reason: 'limit', waitSeconds: 780 });
    expect(maySend(ago(40, 80, 900), now)).toEqual({ ok: true, sendsLeft: 0 });
    const ten = Array.from({ length: 10 }, (_, index) => 1000 + index * 1000);
    expect(maySend(ago(...ten), now)).toEqual({ ok: false, reason: 'limit', waitSeconds: 86_400 - 10_000 });
    expect(maySend(ago(...ten.slice(0, 9), 86_400), now).ok).toBe(true);
  });
  it('allow a send once the wait they named is over', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 14 }), (seconds) => {
        let at = now;
        for (let tries = 0; tries < 40; tries += 1) {
          const verdict = maySend(ago(...seconds), at);
          if (verdict.ok) return;
          expect(verdict.waitSeconds).toBeGreaterThan(0);
          at += verdict.waitSeconds * 1000;
        }
        throw new Error('never allowed');
      }),
    );
  });
  it('are six digits in any script, and the message binds them to the host [AUTH-X01]', () => {
    expect([otpCode('123456'), otpCode(' 12 34 56 '), otpCode('১২৩৪৫৬'), otpCode('12345'), otpCode('1234567')]).toEqual(
      ['123456', '123456', '123456', null, null],
    );
    expect(boundText('Your code', '123456', 'order.example')).toBe('Your code\n\n@order.example #123456');
    expect(boundText('Your code', '123456')).toBe('Your code');
  });
});
