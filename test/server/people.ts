import * as challenge from '../../src/contract/challenge.ts';
import * as login from '../../src/contract/login.ts';
import { search } from '../../src/domain/proofOfWork.ts';
import * as session from '../../src/contract/session.ts';
import * as vendors from '../../src/contract/vendors.ts';
import { EMBEDDED_CLIENT } from '../../hosts/paytm/server/accounts.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import type { Answer, CallOptions, TestServer } from '../kit/server.ts';

/** Somebody with a session, and how they call. */
export interface Person {
  readonly reply: SessionReply;
  readonly as: CallOptions;
  readonly userId: string;
  readonly cartId: string;
}

export function person(reply: SessionReply, apiKey = 'in-web'): Person {
  const { userId, cartId } = reply.attributes;
  return { reply, userId, cartId, as: { apiKey, authToken: reply.credentials.authToken, userId } };
}

export async function guest(server: TestServer, apiKey = 'in-web'): Promise<Person> {
  const { status, body } = await server.call(session.anonymous, {}, { apiKey });
  if (status !== 200) throw new Error(`no guest: ${status} ${JSON.stringify(body)}`);
  return person(body, apiKey);
}

let count = 0;
/** A mobile number that no other test of this run uses. */
export function freshMobile(apiKey = 'in-web'): string {
  count += 1;
  const tail = String(process.pid % 10_000).padStart(4, '0') + String(count).padStart(4, '0');
  return apiKey.startsWith('lk') ? `7${tail}` : apiKey.startsWith('bg') ? `17${tail}` : `98${tail}`;
}

const PREFIX: Readonly<Record<string, string>> = { in: '+91', lk: '+94', bg: '+880' };
export async function codeFor(server: TestServer, mobile: string, apiKey = 'in-web'): Promise<string> {
  const messages = await server.inbox(PREFIX[apiKey.slice(0, 2)] + mobile);
  // Receipts come to the same number.
  const code = messages
    .map((text) => /^(\d{6}) (?:is|ties) your /.exec(text)?.[1])
    .find((found) => found !== undefined);
  if (code === undefined) throw new Error(`no code in ${JSON.stringify(messages)}`);
  return code;
}

/** What a page sends after 428 CHALLENGE: the answer to a challenge, worked out. */
export async function proof(
  server: Pick<TestServer, 'call'>,
  who: Person,
  use: challenge.Use = 'codes',
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { status, body } = await server.call(challenge.ask, { body: { use } }, { ...who.as, headers });
  if (status !== 200) throw new Error(`no challenge: ${status} ${JSON.stringify(body)}`);
  const { n } = search(body.challenge, 0, Infinity);
  return { ...headers, [challenge.ANSWER_HEADER]: `${body.challenge.token}.${n}` };
}

/** Asks for a code and logs in with it. */
export async function logIn(
  server: TestServer,
  mobile = freshMobile(),
  apiKey = 'in-web',
  from?: Person,
): Promise<Person> {
  const who = from ?? (await guest(server, apiKey));
  const sent = await server.call(login.sendOtp, { body: { mobile } }, who.as);
  if (sent.status !== 200) throw new Error(`no code: ${sent.status} ${JSON.stringify(sent.body)}`);
  const done = await server.call(
    login.validateOtp,
    { body: { mobile, code: await codeFor(server, mobile, apiKey) } },
    who.as,
  );
  if (done.status !== 200) throw new Error(`no login: ${done.status} ${JSON.stringify(done.body)}`);
  return person(done.body, apiKey);
}

/** A customer of Paytm, where no code of ours logs in. */
export async function logInByPaytm(server: TestServer, mobile = freshMobile()): Promise<Person> {
  const who = await guest(server, 'in-paytm');
  const order = { clientId: EMBEDDED_CLIENT, user: { id: `p-${mobile}`, phone: mobile } };
  const code = await fetch(`${server.url}/vendors/paytm/authcode`, { method: 'POST', body: JSON.stringify(order) });
  const { authId } = (await code.json()) as { authId: string };
  const credential = { nonce: '', proof: { authCode: authId } };
  const done = await server.call(vendors.auth, { vendor: 'paytm', body: { credential } }, who.as);
  if (done.status !== 200) throw new Error(`no login: ${done.status} ${JSON.stringify(done.body)}`);
  return person(done.body, 'in-paytm');
}

export function codeOf(answer: Answer<{ errors?: { code: string }[] | undefined }>): string {
  return answer.body?.errors?.[0]?.code ?? '';
}
