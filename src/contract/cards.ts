import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

// Cards that an account keeps: a token of the card vault and the last four digits. The whole number is never stored
// here, the CVV nowhere at all.

export const SavedCard = z.object({
  cardId: z.string(),
  brand: z.string(),
  lastFour: z.string(),
  /** 'MM/YY'. */ expiry: z.string(),
  isExpired: z.boolean(),
});
export type SavedCard = z.output<typeof SavedCard>;

const cards = success({ cards: z.array(SavedCard) });

export const list = endpoint({
  method: 'GET',
  path: '/payment-service/ve1/cards',
  access: 'user',
  about: 'Cards of this account, newest first.',
  reply: cards,
});
/** Only called when the customer asks to keep the card. */
export const save = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/cards',
  access: 'user',
  about: 'Keeps a card that was just entered; errors CARD_TOKEN, CARDS_FULL.',
  body: z.object({ cardToken: text(100) }),
  reply: cards,
});
/**
 * A saved card needs only its CVV to pay, typed into the bank's fields: their token comes here, and the reply is a token
 * for one checkout, like that of a card that was typed in.
 */
export const again = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/cards/{cardId}/token',
  isSecret: true,
  access: 'user',
  about: 'A token of a kept card for one payment; errors CARD_CVV, CARD_EXPIRY, CARD_TOKEN.',
  body: z.object({ token: text(400) }),
  reply: success({ token: z.string(), lastFour: z.string(), bin: z.string(), brand: z.string() }),
});
export const remove = endpoint({
  method: 'DELETE',
  path: '/payment-service/ve1/cards/{cardId}',
  access: 'user',
  about: 'Forgets a card, also in the vault.',
  reply: cards,
});

/** A payment sheet of the browser or phone, as the Payment Request interface takes it: the method and its data. */
export const SheetMethod = z.object({
  id: z.enum(['google', 'apple']),
  label: z.string(),
  supportedMethods: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type SheetMethod = z.output<typeof SheetMethod>;

export const sheets = endpoint({
  method: 'GET',
  path: '/payment-service/ve1/sheets',
  about: 'Payment sheets that this shop is registered for; none inside a payment app.',
  reply: success({ methods: z.array(SheetMethod) }),
});
/** Sends the sheet's result to the bank, which answers with a token for one checkout. */
export const sheetToken = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/sheets/{sheet}/token',
  isSecret: true,
  about: 'Swaps what a payment sheet gave for a card token; errors SHEET_OFF, SHEET_REFUSED.',
  body: z.object({ details: z.record(z.string(), z.unknown()) }),
  reply: success({ token: z.string(), lastFour: z.string(), bin: z.string(), brand: z.string() }),
});
/** Before the sheet opens, the phone's maker wants the shop's bank to confirm that the shop may ask for a payment. */
export const sheetSession = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/sheets/{sheet}/session',
  isSecret: true,
  about: 'The session that a sheet asks for before it opens; error SHEET_OFF.',
  body: z.object({ validationUrl: text(300) }),
  reply: success({ session: z.record(z.string(), z.unknown()) }),
});
