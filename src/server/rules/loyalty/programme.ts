import type { Country } from '../../../../country/shape.ts';
import type { LoyaltyProgramme } from '../../../contract/loyalty.ts';
import { documents as t, shop, translated } from '../../call/language.ts';
import type { SeedAnswer } from '../../store/seeds.ts';

/** What the programme is and its rules, from the country's numbers; the questions are the country's own. */
export function programmeOf(country: Country, faq: readonly SeedAnswer[]): LoyaltyProgramme {
  const {
    loyaltyProgramCode,
    programName,
    earnPointsPerOrder: earn,
    redeemPoints,
    slices,
  } = country.LOYALTY_INFO_DEFAULT_DATA;
  const { reward } = shop;
  return {
    loyaltyProgramCode,
    programName,
    info: [
      { title: t.pointsEarnTitle, text: t.pointsEarnText({ earn }) },
      { title: t.pointsFillTitle, text: t.pointsFillText({ slices, points: redeemPoints }) },
      { title: t.pointsUseTitle, text: t.pointsUseText({ reward }) },
    ],
    faq: faq.map(({ q, a, said }) => translated({ q, a }, said)),
    terms: [
      t.pointsTermOrders,
      t.pointsTermDay,
      t.pointsTermTime,
      t.pointsTermReward({ reward, points: redeemPoints }),
      t.pointsTermOffers,
      t.pointsTermBack,
      t.pointsTermLeave,
      t.pointsTermMoney,
    ],
  };
}
