import * as payments from '../../src/contract/payments.ts';
import type { TestServer } from '../kit/server.ts';
import { typeInFields, type Typed } from '../kit/typedCard.ts';

/** A customer, or whoever else calls a server. */
interface Who {
  readonly server: Pick<TestServer, 'url'>;
  readonly call: TestServer['call'];
}

export const CARD = { number: '4111111111111111', expiry: '12/39', cvv: '123', name: 'Asha Rao' } as const;

/** What the bank's fields say to what this customer has typed. */
export async function sayOfFields(who: Who, typed: Typed, query: Readonly<Record<string, string>> = {}) {
  const { cardFields } = (await who.call(payments.options, {})).body;
  return await typeInFields(cardFields!, new URL(who.server.url).origin, typed, query);
}

/** The token of the bank's fields for a card: all that a page gives to the shop. */
export async function typedCard(who: Who, typed: Typed = CARD): Promise<{ token: string }> {
  const { body } = await sayOfFields(who, typed);
  if (body.token === undefined) throw new Error(`the bank's fields refused: ${JSON.stringify(body)}`);
  return { token: body.token };
}

/** The token of the bank's fields for the CVV of a saved card. */
export async function typedCvv(who: Who, cvv = '123', brand = 'Visa'): Promise<{ token: string }> {
  const { body } = await sayOfFields(who, { cvv }, { kind: 'cvv', brand, digits: '1111' });
  if (body.token === undefined) throw new Error(`the bank's fields refused: ${JSON.stringify(body)}`);
  return { token: body.token };
}

/** The shop's token of a card, for one checkout. */
export async function enteredCard(who: Who, typed: Typed = CARD): Promise<string> {
  return (await who.call(payments.cardToken, { body: await typedCard(who, typed) })).body.token;
}
