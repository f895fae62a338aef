import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from './server.ts';

export interface Typed {
  readonly number?: string;
  readonly expiry?: string;
  readonly cvv?: string;
  readonly name?: string;
}

/**
 * Types a card into the imitated bank's fields, as their frame does.
 * @param address of the bank's page, as payments.options tells it
 * @param shop origin of the page that shows the frame
 * @param query for a saved card: what the frame of its CVV is opened with
 */
export async function typeInFields(
  address: string,
  shop: string,
  typed: Typed,
  query: Readonly<Record<string, string>> = {},
): Promise<
  Pick<Answer<{ token?: string; problems?: { code: string; displayMsg: string; field: string }[] }>, 'status' | 'body'>
> {
  // Not by fetch: that of a page under test asks another origin only where it is let in, and the bank lets in nobody.
  const sent = request(`${address}/token?${new URLSearchParams({ ...query, origin: shop })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(JSON.stringify(typed)) },
  });
  sent.end(JSON.stringify(typed));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(answer);
  const status = answer.statusCode ?? 0;
  if (![200, 422].includes(status)) throw new Error(`The bank's fields answered ${status}: ${body}`);
  return { status, body: JSON.parse(body) as never };
}
