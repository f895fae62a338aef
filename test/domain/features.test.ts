import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import {
  blockedFeatures,
  isEnabled,
  isReadable,
  isWalletUsable,
  MINI_APP_BLOCKED,
  openWidgets,
  remoteBlocked,
} from '../../src/domain/features.ts';
import { FORBIDDEN } from '../kit/forbidden.ts';

const [india, lk, bg] = [countryConfig('in'), countryConfig('lk'), countryConfig('bg')];

describe('what is off', () => {
  it('is the union of every list; all is on where no list says otherwise [CFG-33] [CFG-30]', () => {
    const blocked = blockedFeatures(india.DISABLED_FEATURES, undefined, ['chatbot'], ['edv']);
    expect([isEnabled('chatbot', blocked), isEnabled('edv', blocked), isEnabled('upiForm', blocked)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(blockedFeatures().size).toBe(0);
  });

  it('does not depend on case, dashes or underscores: deliver_on_train is deliverontrain', () => {
    const blocked = blockedFeatures(MINI_APP_BLOCKED);
    for (const name of [
      ...['deliverontrain', 'deliver_on_train', 'deliverOnTrain', 'EDV', 'everyday_value_offer'],
      ...['everydayValueOffer', 'showappbanner'],
    ]) {
      expect(isEnabled(name, blocked), name).toBe(false);
    }
    expect(isEnabled('upiForm', blocked)).toBe(true);
  });

  it.each(FORBIDDEN)(
    'holds in a mini-app for %s: %s [MINI-09] [MINI-10] [MINI-11] [MINI-12] [MINI-13] [MINI-14] [MINI-15] [MINI-16] [MINI-17] [MINI-18] [MINI-19]',
    (row, name) => {
      expect(isEnabled(name, blockedFeatures(MINI_APP_BLOCKED)), row).toBe(false);
    },
  );
});

describe('the remote switch [CFG-37] [CFG-X03]', () => {
  it('switches off by value D or false', () => {
    expect(
      remoteBlocked(
        '{"features":[{"name":"chatbot","value":"D"},{"name":"edv","value":"E"},{"name":"wallet","value":false},{"name":"x"}]}',
      ),
    ).toEqual(['chatbot', 'wallet']);
    expect(remoteBlocked('[{"name":"chatbot","value":"D"}]')).toEqual(['chatbot']);
  });
  it('changes nothing when the string is broken, whatever it is', () => {
    for (const text of [
      ...['', '{', 'null', '7', '"x"', '{"features":7}', '{"features":[null,7,"x",{"name":7,"value":"D"}]}'],
    ])
      expect(remoteBlocked(text), text).toEqual([]);
    expect(['', '{', '7', 'null', '{"features":[]}', '[]'].map(isReadable)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => Array.isArray(remoteBlocked(text))));
  });
});

it('landing widgets go by their lower-cased label [MINI-20] [MENU-14]', () => {
  const widgets = [{ label: 'Bestsellers' }, { label: 'EveryDay_Value_Offer' }, { label: 'new' }];
  expect(openWidgets(widgets, MINI_APP_BLOCKED).map((widget) => widget.label)).toEqual(['Bestsellers', 'new']);
});

it('the wallet is usable in India on the web by a logged-in customer, and nowhere else [PAY-33] [CFG-16]', () => {
  const usable = [india, lk, bg]
    .flatMap((country) =>
      [true, false].flatMap((isLoggedIn) =>
        [true, false].map((isMiniApp) => ({
          at: [country.COUNTRY_CODE, isLoggedIn, isMiniApp],
          is: isWalletUsable({
            blocked: blockedFeatures(country.DISABLED_FEATURES),
            isWalletBlocked: country.IS_WALLET_BLOCKED,
            isLoggedIn,
            isMiniApp,
          }),
        })),
      ),
    )
    .filter((row) => row.is);
  expect(usable.map((row) => row.at)).toEqual([['IN', true, false]]);
  expect(
    isWalletUsable({
      blocked: blockedFeatures(['wallet']),
      isWalletBlocked: false,
      isLoggedIn: true,
      isMiniApp: false,
    }),
  ).toBe(false);
});

it('what is a part of a feature is off with it, and not the other way round', () => {
  const off = (...features: string[]) => [...blockedFeatures(features)].sort();
  expect(off('irctc')).toEqual(['irctc', 'irctcorder', 'irctcstation']);
  expect(off('World_Pizza_League')).toEqual(['worldpizzaleague', 'worldpizzaleagueapp']);
  expect(off('irctcOrder', 'edv')).toEqual(['edv', 'irctcorder']);
  expect([off(), [...blockedFeatures(undefined)]]).toEqual([[], []]);
});
