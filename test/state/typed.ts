import * as contract from '../../src/contract/payments.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { cardFieldsAtom } from '../../src/state/payment/payments.ts';
import type { TestServer } from '../kit/server.ts';
import { typeInFields, type Typed } from '../kit/typedCard.ts';
import { CARD } from '../server/typed.ts';
import type { Customer } from './customer.ts';

/** What the bank's fields say to what this customer has typed. */
export async function typed(
  customer: Customer,
  server: TestServer,
  card: Typed,
  query: Readonly<Record<string, string>> = {},
) {
  const { cardFields } = await customer.get(apiAtom).call(contract.options, {});
  return (await typeInFields(cardFields!, new URL(server.url).origin, card, query)).body;
}

/** The shop's token of a card. */
export async function enteredCard(customer: Customer, server: TestServer, card: Typed = CARD) {
  const { token = '' } = await typed(customer, server, card);
  return await customer.get(apiAtom).call(contract.cardToken, { body: { token } });
}

/** Has the bank's fields on the page of this customer, with this typed into them. */
export function fieldsWith(
  customer: Customer,
  server: TestServer,
  card: Typed,
  query: Readonly<Record<string, string>> = {},
) {
  customer.set(cardFieldsAtom, {
    async token() {
      const { token } = await typed(customer, server, card, query);
      return token === undefined ? 'refused' : { token };
    },
    stop: () => undefined,
  });
}
