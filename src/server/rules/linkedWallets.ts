import type { LinkedWallet } from '../../contract/linkedWallets.ts';
import type { PaymentMode } from '../../contract/names.ts';
import { money } from '../../contract/price.ts';
import * as messages from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { userIdOf } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import type { Db } from '../store/db.ts';
import { dropLinked, linkedWallet } from '../store/linkedWallets.ts';
import { decimal, isPaytmSignature, minorOf, PAYTM_CODE, paytmBodyText, paytmEnvelope } from './paytm.ts';
import { hasMode } from './modes.ts';
import { EMBEDDED_MID } from './payments.ts';


/** A wallet at a provider that a customer ties to the account once, by a code of the provider's. Everything that is thrown means: unknown. */
export interface WalletProvider {
  sendCode(mobile: string): Promise<{ state: string; resendInSeconds: number }>;
  verify(state: string, code: string): Promise<{ token: string; mobile: string } | { refused: 'wrong' | 'expired' | 'tries' }>;
  /** Null when the customer has untied it at the provider. */
  balance(token: string): Promise<number | null>;
  /** Pays the attempt of this reference; the same one twice pays once. What came of it is the payment's status. */
  redeem(wish: { token: string; reference: string; amount: number }): Promise<'DONE' | 'LOW' | 'GONE'>;
  unlink(token: string): Promise<void>;
}

export interface Linkable { readonly id: string; readonly mode: PaymentMode; readonly label: string }
const LINKABLE: readonly Linkable[] = [{ id: 'PAYTM', mode: 'PAYTM', label: 'Paytm wallet' }];

export function linkableProvider(mode: PaymentMode): Linkable | undefined {
  return LINKABLE.find((one) => one.mode === mode);
}

/** The provider of a path, where its mode exists: on the web only. @throws Refusal 404 NOT_FOUND */
export function providerNamed(call: Call, name: string): Linkable {
  const { country, partner } = call.caller;
  const found = LINKABLE.find((one) => one.id === name.toUpperCase());
  const isThere = found !== undefined && partner === 'web' && hasMode(country, found.mode);
  return isThere ? found : refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
}

/** @throws Refusal 422 PAYMENT_MODE or LINKED_GONE */
export async function mustBeLinked(db: Db, call: Call, mode: PaymentMode): Promise<Linkable> {
  const provider = linkableProvider(mode);
  if (provider === undefined || call.caller.partner !== 'web' || !call.caller.isLoggedIn) return refuse(422, 'PAYMENT_MODE', messages.FEATURE_OFF, { field: 'linked' });
  if (await linkedWallet(db, userIdOf(call), provider.id) === undefined) refuse(422, 'LINKED_GONE', messages.linkedGone(provider.label), { field: 'linked' });
  return provider;
}

/** How the wallet stands now; one that was untied at the provider is untied here too. */
export async function linkedView(call: Call, provider: Linkable): Promise<LinkedWallet> {
  const { id, label } = provider;
  const userId = userIdOf(call);
  const linked = await linkedWallet(call.db, userId, id);
  if (linked === undefined) return { provider: id, label, isLinked: false, mobile: null, balance: null };
  try {
    const balance = await call.services.wallets.balance(linked.token);
    if (balance !== null) return { provider: id, label, isLinked: true, mobile: linked.mobile, balance: money(balance) };
    await dropLinked(call.db, userId, id, linked.token);
    return { provider: id, label, isLinked: false, mobile: null, balance: null };
  } catch (error) {
    call.services.log.warn({ error: String(error), requestId: call.requestId }, 'a linked wallet did not answer');
    return { provider: id, label, isLinked: true, mobile: linked.mobile, balance: null };
  }
}

const DEADLINE_MS = 5_000;

/** The gateway's wallet calls: signed both ways, like its payments. Without PAYTM_URL the embedded gateway answers. */
export function walletProvider(options: {
  readonly origin: () => string; readonly paytmKey: string; readonly environment: Readonly<Record<string, string | undefined>>;
}): WalletProvider {
  const env = options.environment;
  const url = () => env['PAYTM_URL'] ?? `${options.origin()}/vendors/paytm`;
  const [mid, key] = [env['PAYTM_MID'] ?? EMBEDDED_MID, env['PAYTM_KEY'] ?? options.paytmKey];
  async function ask(path: string, question: object): Promise<{ code: string; body: Record<string, unknown> }> {
    const response = await fetch(`${url()}/wallet/${path}`, {
      method: 'POST', body: paytmEnvelope({ mid, ...question }, key), signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'error', headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    const bodyText = paytmBodyText(text);
    const head = (JSON.parse(text) as { head?: { signature?: string } }).head;
    if (!response.ok || bodyText === null || !isPaytmSignature(bodyText, key, head?.signature ?? '')) throw new Error(`The wallet's reply to ${path} (${response.status}) is not signed by the gateway.`);
    const body = JSON.parse(bodyText) as Record<string, unknown>;
    return { code: (body['resultInfo'] as { resultCode: string }).resultCode, body };
  }
  const strange = (path: string, code: string) => new Error(`The wallet answered ${path} with ${code}.`);
  return {
    async sendCode(mobile) {
      const { code, body } = await ask('otp', { mobile });
      if (code !== PAYTM_CODE.success) throw strange('otp', code);
      return { state: String(body['state']), resendInSeconds: Number(body['resendInSeconds']) };
    },
    async verify(state, code) {
      const reply = await ask('validate', { state, otp: code });
      if (reply.code === PAYTM_CODE.success) return { token: String(reply.body['token']), mobile: String(reply.body['mobile']) };
      if (reply.code === PAYTM_CODE.expired) return { refused: 'expired' };
      if (reply.code === PAYTM_CODE.cancelled) return { refused: 'tries' };
      if (reply.code === PAYTM_CODE.declined) return { refused: 'wrong' };
      throw strange('validate', reply.code);
    },
    async balance(token) {
      const { code, body } = await ask('balance', { token });
      if (code === PAYTM_CODE.expired) return null;
      const amount = minorOf(String(body['balance'] ?? ''));
      if (code !== PAYTM_CODE.success || amount === null) throw strange('balance', code);
      return amount;
    },
    async redeem({ token, reference, amount }) {
      const { code } = await ask('withdraw', { token, orderId: reference, txnAmount: decimal(amount) });
      if (code === PAYTM_CODE.success) return 'DONE';
      if (code === PAYTM_CODE.balance) return 'LOW';
      if (code === PAYTM_CODE.expired) return 'GONE';
      throw strange('withdraw', code);
    },
    async unlink(token) {
      const { code } = await ask('unlink', { token });
      if (code !== PAYTM_CODE.success) throw strange('unlink', code);
    },
  };
}
