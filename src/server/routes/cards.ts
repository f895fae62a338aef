import * as cards from '../../contract/cards.ts';
import type { SavedCard } from '../../contract/cards.ts';
import { countryConfig } from '../../../country/index.ts';
import { errors, t } from '../call/language.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { noteCard } from '../rules/offers/cardOffers.ts';
import { atVault } from '../rules/payment/vault.ts';
import { isOwnCardToken } from '../store/cardOffers.ts';
import { newId } from '../store/ids.ts';
import { addSavedCard, dropSavedCard, savedCard, savedCardsOf } from '../store/savedCards.ts';

const CARDS_AT_MOST = 10;
const two = (value: number) => String(value).padStart(2, '0');

/** The last month in which a card is valid, as 'MM/YY'. `expiresAt` is the first moment after that month (epoch ms). */
function expiryText(expiresAt: number): string {
  const last = new Date(expiresAt - 1);
  return `${two(last.getUTCMonth() + 1)}/${two(last.getUTCFullYear() % 100)}`;
}

async function listed(call: Call): Promise<{ cards: SavedCard[] }> {
  const rows = await savedCardsOf(call.db, userIdOf(call));
  return {
    cards: rows.map((row) => ({
      cardId: row.id,
      brand: row.brand,
      lastFour: row.last_four,
      expiry: expiryText(row.expires_at),
      isExpired: row.expires_at <= call.now,
    })),
  };
}

/** Payment sheets for this caller; none inside a payment app, which allows no payment other than its own. */
const sheetsOf = (call: Call) =>
  call.caller.host === 'web' ? call.services.payments.sheets(countryConfig(call.caller.country)) : [];
function mustBeSheet(call: Call, sheet: string): void {
  if (!sheetsOf(call).some((method) => method.id === sheet)) refuse(404, 'SHEET_OFF', t.featureOff);
}

export const cardRoutes: Route[] = [
  on(cards.sheets, (_input, call) => ({ methods: sheetsOf(call) })),

  on(cards.sheetToken, async ({ sheet, body }, call) => {
    mustBeSheet(call, sheet);
    const card = await atVault(call, () => call.services.payments.sheetToken(sheet, body.details));
    if (card === null) return refuse(422, 'SHEET_REFUSED', errors.paymentFailed);
    return await noteCard(call, card);
  }),

  on(cards.sheetSession, async ({ sheet, body }, call) => {
    mustBeSheet(call, sheet);
    const session = await atVault(call, () => call.services.payments.sheetSession(sheet, body.validationUrl));
    if (session === null) return refuse(422, 'SHEET_OFF', t.featureOff);
    return { session };
  }),

  on(cards.list, (_input, call) => listed(call)),

  on(cards.save, async ({ body }, call) => {
    const userId = userIdOf(call);
    if (!(await isOwnCardToken(call.db, userId, body.cardToken, call.now)))
      refuse(422, 'CARD_TOKEN', t.cardUnknown, { field: 'cardToken' });
    const known = await savedCardsOf(call.db, userId);
    if (known.length >= CARDS_AT_MOST) refuse(409, 'CARDS_FULL', t.cardsFull);
    const kept = await atVault(call, () => call.services.payments.keep(body.cardToken));
    if (kept === null) return refuse(422, 'CARD_TOKEN', t.cardUnknown, { field: 'cardToken' });
    // A card that is entered twice is kept once.
    const same = known.find(
      (row) => row.last_four === kept.lastFour && row.brand === kept.brand && row.expires_at === kept.expiresAt,
    );
    if (same === undefined) {
      await addSavedCard(call.db, {
        id: newId('card'),
        user_id: userId,
        token: kept.token,
        brand: kept.brand,
        last_four: kept.lastFour,
        expires_at: kept.expiresAt,
        created_at: call.now,
      });
    } else await atVault(call, () => call.services.payments.forget(kept.token));
    return await listed(call);
  }),

  on(cards.again, async ({ cardId, body }, call) => {
    const row = await savedCard(call.db, userIdOf(call), cardId);
    if (row === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
    const done = await atVault(call, () => call.services.payments.again({ token: row.token, typed: body.token }));
    if ('problems' in done) throw new Refusal(422, done.problems);
    return await noteCard(call, done.card);
  }),

  on(cards.remove, async ({ cardId }, call) => {
    const dropped = await dropSavedCard(call.db, userIdOf(call), cardId);
    if (dropped === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
    // The card is removed from the account even when the vault does not answer: a token that is stored nowhere pays
    // nothing.
    await atVault(call, () => call.services.payments.forget(dropped.token)).catch(() => undefined);
    return await listed(call);
  }),
];
