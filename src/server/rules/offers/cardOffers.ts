import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import type { VaultCard } from '../../call/payments.ts';
import { keepCardOffers } from '../../store/cardOffers.ts';
import { fitsBin } from './couponConditions.ts';

/**
 * Notes that the caller has entered this card, and which coupons are valid for it: only its first digits tell, and they
 * are kept nowhere.
 * @returns what the page hears of the card
 */
export async function noteCard(call: Call, card: VaultCard): Promise<Omit<VaultCard, 'fingerprint'>> {
  const { coupons } = await catalogueHere(call);
  const codes =
    card.bin === ''
      ? []
      : [...coupons.values()].filter((one) => one.bins !== undefined && fitsBin(one, card.bin)).map(({ code }) => code);
  await keepCardOffers(call.db, userIdOf(call), card, codes, call.now);
  const { fingerprint: _own, ...told } = card;
  return told;
}
