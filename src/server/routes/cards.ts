import * as cards from '../../contract/cards.ts';
import type { SavedCard } from '../../contract/cards.ts';
import { countryConfig } from '../../../country/index.ts';
import * as messages from '../../domain/messages.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { isOwnCardToken, keepCardOffers } from '../store/cardOffers.ts';
import { newId } from '../store/ids.ts';
import { addSavedCard, dropSavedCard, savedCard, savedCardsOf } from '../store/savedCards.ts';
import { codesForBin } from './payments.ts';

const CARDS_AT_MOST = 10;
const two = (value: number) => String(value).padStart(2, '0');

/** 'MM/YY' of the last month that a card is good for; `expiresAt` is the first moment after it. */
function expiryText(expiresAt: number): string {
  const last = new Date(expiresAt - 1);
  return `${two(last.getUTCMonth() + 1)}/${two(last.getUTCFullYear() % 100)}`;
}

async function listed(call: Call): Promise<{ status: 'SUCCESS'; cards: SavedCard[] }> {
  const rows = await savedCardsOf(call.db, userIdOf(call));
  return {
    status: 'SUCCESS', cards: rows.map((row) => ({ cardId: row.id, brand: row.brand, lastFour: row.last_four, expiry: expiryText(row.expires_at), isExpired: row.expires_at <= call.now })),
  };
}

/** What the vault says; when it is away nothing is known, and nothing has changed. Never the card itself in a log. */
async function atVault<T>(call: Call, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    call.services.log.warn({ error: error instanceof Error ? error.name : 'unknown', requestId: call.requestId }, 'the card vault did not answer');
    return refuse(502, 'PROVIDER', messages.INTERNAL_SERVER_ERROR);
  }
}

/** A payment app allows no other payment than its own. */
const sheetsOf = (call: Call) => (call.caller.partner === 'web' ? call.services.payments.sheets(countryConfig(call.caller.country)) : []);
function mustBeSheet(call: Call, sheet: string): void {
  if (!sheetsOf(call).some((method) => method.id === sheet)) refuse(404, 'SHEET_OFF', messages.FEATURE_OFF);
}

export const cardRoutes: Route[] = [
  on(cards.sheets, (_input, call) => ({ status: 'SUCCESS' as const, methods: sheetsOf(call) })),

  on(cards.sheetToken, async ({ sheet, body }, call) => {
    mustBeSheet(call, sheet);
    const card = await atVault(call, () => call.services.payments.sheetToken(sheet, body.details));
    if (card === null) return refuse(422, 'SHEET_REFUSED', messages.PAYMENT_FAILED);
    await keepCardOffers(call.db, userIdOf(call), card.token, card.bin === '' ? [] : await codesForBin(call, card.bin), call.now);
    return { status: 'SUCCESS' as const, ...card };
  }),

  on(cards.sheetSession, async ({ sheet, body }, call) => {
    mustBeSheet(call, sheet);
    const session = await atVault(call, () => call.services.payments.sheetSession(sheet, body.validationUrl));
    if (session === null) return refuse(422, 'SHEET_OFF', messages.FEATURE_OFF);
    return { status: 'SUCCESS' as const, session };
  }),

  on(cards.list, (_input, call) => listed(call)),

  on(cards.save, async ({ body }, call) => {
    const userId = userIdOf(call);
    if (!await isOwnCardToken(call.db, userId, body.cardToken, call.now)) refuse(422, 'CARD_TOKEN', messages.CARD_UNKNOWN, { field: 'cardToken' });
    const known = await savedCardsOf(call.db, userId);
    if (known.length >= CARDS_AT_MOST) refuse(409, 'CARDS_FULL', messages.CARDS_FULL);
    const kept = await atVault(call, () => call.services.payments.keep(body.cardToken));
    if (kept === null) return refuse(422, 'CARD_TOKEN', messages.CARD_UNKNOWN, { field: 'cardToken' });
    // The same card entered twice is one card.
    const same = known.find((row) => row.last_four === kept.lastFour && row.brand === kept.brand && row.expires_at === kept.expiresAt);
    if (same === undefined) {
      await addSavedCard(call.db, { id: newId('card'), user_id: userId, token: kept.token, brand: kept.brand, last_four: kept.lastFour, expires_at: kept.expiresAt, created_at: call.now });
    } else await atVault(call, () => call.services.payments.forget(kept.token));
    return await listed(call);
  }),

  on(cards.again, async ({ cardId, body }, call) => {
    const userId = userIdOf(call);
    const row = await savedCard(call.db, userId, cardId);
    if (row === undefined) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
    const done = await atVault(call, () => call.services.payments.again({ token: row.token, cvv: body.cvv }));
    if ('problems' in done) throw new Refusal(422, done.problems);
    await keepCardOffers(call.db, userId, done.card.token, await codesForBin(call, done.card.bin), call.now);
    return { status: 'SUCCESS' as const, ...done.card };
  }),

  on(cards.remove, async ({ cardId }, call) => {
    const dropped = await dropSavedCard(call.db, userIdOf(call), cardId);
    if (dropped === undefined) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
    // It is gone from the account whatever the vault says; a token that nobody has pays nothing.
    await atVault(call, () => call.services.payments.forget(dropped.token)).catch(() => undefined);
    return await listed(call);
  }),
];
