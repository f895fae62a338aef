import { MINUTE_MS } from '../../../domain/time.ts';
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { countryConfig } from '../../../../country/index.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { NumberWanted, validate } from '../../../contract/social.ts';
import { t } from '../../call/language.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { awayIn } from '../../call/outside.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import type { Services } from '../../call/services.ts';
import type { SocialPerson, SocialProvider } from '../../call/social.ts';
import { transact, type Db, type Tx } from '../../store/db.ts';
import { derived, hashed, newToken } from '../../store/ids.ts';
import { accountOfMobile } from '../../store/sessions.ts';
import { awaited, endSocial, keepPerson, putSocial, socialOf, takeSocial, type SocialRow } from '../../store/social.ts';
import { secret } from '../../store/system.ts';
import { tieIdentity, userOfIdentity } from '../../store/vendors.ts';
import { fromWhere, rememberDevice } from '../people/devices.ts';
import { mayDo } from '../people/limits.ts';
import { checkCode, guess, numberOf, refuseCode } from '../people/otp.ts';
import { endFormerOwner } from '../people/recycledNumbers.ts';
import type { SessionAnswer } from '../people/sessions.ts';
import { logIn, type Login } from './logIn.ts';

/** For the provider's page; a password that has to be looked up takes a while. */
const BEGUN_MS = 15 * MINUTE_MS;
/** For the number and its code, and for bringing back an account that sleeps. */
const NUMBER_MS = 15 * MINUTE_MS;

/** What the browser was sent back with. */
const Answer = z.union([z.object({ code: z.string() }), z.object({ error: z.string() })]);
export type SocialAnswer = z.output<typeof Answer>;

const find = ({ social }: Pick<Services, 'social'>, source: string): SocialProvider | undefined =>
  social.find((one) => one.source === source);

/** @throws Refusal 422 SOCIAL_UNKNOWN */
function providerOf(call: Call, source: string): SocialProvider {
  return find(call.services, source) ?? refuse(422, 'SOCIAL_UNKNOWN', t.socialUnknown);
}

const redirectUri = ({ origin }: Services, source: string) => `${origin}/loginhandler/sociallogin/${source}/callback`;

/** How the identities of a provider are stored. */
const identityOf = (provider: SocialProvider, country: string, subject: string) => ({
  vendor: provider.vendor,
  country,
  subject,
});

function refuseAway(call: Call, provider: SocialProvider, error: unknown): never {
  call.services.log.warn(
    { requestId: call.requestId, source: provider.source, error: String(awayIn(error) ?? error) },
    'a provider of accounts could not be asked',
  );
  refuse(503, 'SOCIAL_AWAY', t.socialAway({ label: provider.label }));
}

/**
 * Begins a login: state, nonce and PKCE are made here and belong to this session alone.
 * @param back path of the login screen, of our own making
 * @returns where to send the browser
 * @throws Refusal 503 SOCIAL_AWAY, 428 CHALLENGE, 429 TOO_MANY
 */
export async function beginSocial(call: Call, source: string, back: string): Promise<string> {
  const provider = providerOf(call, source);
  await mayDo(call, 'socials');
  const { country } = call.caller;
  const state = `${country.toLowerCase()}.${newToken()}`;
  const [nonce, verifier] = [newToken(), randomBytes(48).toString('base64url')];
  const asked = { state, nonce, verifier, redirectUri: redirectUri(call.services, source) };
  const url = await provider.begin(asked).catch((error: unknown) => refuseAway(call, provider, error));
  await putSocial(call.db, {
    id: hashed(state),
    country,
    source,
    user_id: userIdOf(call),
    nonce,
    verifier,
    redirect_uri: asked.redirectUri,
    back,
    ends_at: call.now + BEGUN_MS,
  });
  return url;
}

async function personOf(call: Call, provider: SocialProvider, row: SocialRow): Promise<SocialPerson> {
  const answer = Answer.parse(JSON.parse(row.answer!));
  if ('error' in answer) {
    if (answer.error === 'access_denied') refuse(422, 'SOCIAL_REFUSED', t.socialRefused({ label: provider.label }));
    call.services.log.warn(
      { requestId: call.requestId, source: row.source, error: answer.error },
      'a provider of accounts sent a customer back with an error',
    );
    refuse(422, 'SOCIAL_LOGIN', t.socialFailed({ label: provider.label }));
  }
  try {
    return await provider.finish({
      code: answer.code,
      nonce: row.nonce,
      verifier: row.verifier,
      redirectUri: row.redirect_uri,
      now: call.now,
    });
  } catch (error) {
    if ((error as Error).name !== 'NotVouched') refuseAway(call, provider, error);
    call.services.log.warn(
      { requestId: call.requestId, source: row.source, error: String(error) },
      'a login with an account elsewhere was not believed',
    );
    refuse(422, 'SOCIAL_LOGIN', t.socialFailed({ label: provider.label }));
  }
}

const tokenOf = async (db: Db, state: string) => derived(await secret(db, 'social-numbers', newToken), state);

/** A refusal that says nothing of whether there is such a login. @throws Refusal 422 SOCIAL_LOGIN */
const refuseOver = (): never => refuse(422, 'SOCIAL_LOGIN', t.socialOver);

/** Somebody for whom the provider has vouched. */
interface SocialLogin {
  readonly row: SocialRow;
  readonly provider: SocialProvider;
  readonly person: SocialPerson;
}

/**
 * Looks at what the provider sent back for a login of this session. That is done once; a page that was loaded anew in the
 * middle of it, or whose customer wakes the account, goes on with who it was.
 * @throws Refusal 422 SOCIAL_LOGIN, SOCIAL_REFUSED, SOCIAL_UNKNOWN, 503 SOCIAL_AWAY
 */
async function answeredSocial(call: Call, state: string): Promise<SocialLogin> {
  const [id, userId] = [hashed(state), userIdOf(call)];
  const row = await takeSocial(call.db, { id, userId, at: call.now });
  if (row !== undefined) {
    const provider = providerOf(call, row.source);
    return { row, provider, person: await personOf(call, provider, row) };
  }
  const before = await socialOf(call.db, id, userId);
  if (before === undefined || before.person === null || before.ends_at <= call.now) return refuseOver();
  return {
    row: before,
    provider: providerOf(call, before.source),
    person: JSON.parse(before.person) as SocialPerson,
  };
}

/** Asks for the number of somebody whom we do not know yet; the time for it runs from the first asking. */
async function wantNumber(
  tx: Tx,
  call: Call,
  state: string,
  { row, person }: SocialLogin,
): Promise<Omit<NumberWanted, 'status'>> {
  const token = await tokenOf(tx, state);
  const endsAt = row.token_hash === null ? call.now + NUMBER_MS : row.ends_at;
  await keepPerson(tx, { id: row.id, tokenHash: hashed(token), person, endsAt });
  return {
    next: 'NUMBER',
    source: row.source,
    token,
    expiresInSeconds: Math.floor((endsAt - call.now) / 1000),
    ...(person.firstName === undefined ? {} : { firstName: person.firstName }),
  };
}

/** The account of this person sleeps: they are asked whether they want it back, and say so with the same state. */
async function waitForWaking(call: Call, { row, person }: SocialLogin): Promise<void> {
  if (row.person !== null) return;
  await keepPerson(call.db, { id: row.id, tokenHash: null, person, endsAt: call.now + NUMBER_MS });
}

/**
 * Logs in somebody whom the provider knows, or asks for the number of somebody whom we do not know yet.
 * @throws Refusal as `answeredSocial`, and 409 ACCOUNT_ASLEEP
 */
export async function logInBySocial(call: Call, state: string): Promise<SessionAnswer | Omit<NumberWanted, 'status'>> {
  const answered = await answeredSocial(call, state);
  const { row, provider, person } = answered;
  const { subject } = person;
  const from = await fromWhere(call);
  try {
    return await transact(call.db, async (tx) => {
      const userId = await userOfIdentity(tx, identityOf(provider, call.caller.country, subject));
      if (userId === null) return await wantNumber(tx, call, state, answered);
      if (!(await endSocial(tx, row.id, call.now))) return refuseOver();
      return await logIn(tx, call, { loginType: row.source, userId, subject, from, profile: person });
    });
  } catch (error) {
    if (error instanceof Refusal && error.errors[0]?.code === 'ACCOUNT_ASLEEP') await waitForWaking(call, answered);
    throw error;
  }
}

/**
 * Ties somebody whom the provider knows to the account of the number whose code was typed, and logs them in.
 * @throws Refusal 422 SOCIAL_UNKNOWN, SOCIAL_LOGIN, those of a code, 409 ACCOUNT_ASLEEP
 */
export async function logInBySocialNumber(
  call: Call,
  typed: Pick<EndpointInput<typeof validate>['body'], 'source' | 'token' | 'mobile' | 'code'> & Login['profile'],
) {
  const { caller, now } = call;
  const country = countryConfig(caller.country);
  const { source } = typed;
  const provider = providerOf(call, source);
  const of = { purpose: 'login', mobile: numberOf(typed.mobile, country), userId: userIdOf(call), country };
  const wanted = { tokenHash: hashed(typed.token), userId: of.userId, source, at: now };
  // Before the code is looked at: one that is right would be used up for nothing.
  if ((await awaited(call.db, wanted)) === undefined) return refuseOver();
  const from = await fromWhere(call);
  const check = async (tx: Tx) => {
    const verdict = await checkCode(tx, of, typed.code, now);
    if (verdict.kind !== 'right') return verdict;
    const row = await awaited(tx, wanted);
    const said = row?.person ?? null;
    if (row === undefined || said === null || !(await endSocial(tx, row.id, now))) return { kind: 'over' as const };
    const person = JSON.parse(said) as SocialPerson;
    const { subject } = person;
    await endFormerOwner(tx, call, of.mobile);
    const { id: userId } = await accountOfMobile(tx, caller.country, of.mobile, now);
    // The first account that this person was tied to stays theirs; the code is good for that of its number all the same.
    await tieIdentity(tx, identityOf(provider, caller.country, subject), userId, now);
    const email = typed.email || person.email;
    const profile = {
      firstName: typed.firstName || person.firstName,
      lastName: typed.lastName || person.lastName,
      email,
      emailVerified: email === person.email && person.emailVerified === true,
    };
    const reply = await logIn(tx, call, { loginType: source, userId, subject, from, profile });
    return { kind: 'in' as const, reply: { ...reply, device: await rememberDevice(tx, call, of.mobile) } };
  };
  const outcome = await guess(call, () => transact(call.db, check));
  if (outcome.kind === 'in') return outcome.reply;
  return outcome.kind === 'over' ? refuseOver() : refuseCode(outcome);
}

/**
 * What a query of the provider's redirect says. Another issuer than the one that was asked is a mix-up (RFC 9207).
 */
export function answerOf(services: Pick<Services, 'social'>, source: string, query: URLSearchParams): SocialAnswer {
  const provider = find(services, source);
  const [code, error, issuer] = [query.get('code'), query.get('error'), query.get('iss')];
  if (issuer !== null && issuer !== provider?.issuer) return { error: 'another_issuer' };
  if (error !== null) return { error: error.slice(0, 100) };
  return code === null || code.length > 4_000 ? { error: 'no_code' } : { code };
}
