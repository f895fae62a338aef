import { decimal, minorOf } from '../../../src/domain/money.ts';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import type { WalletProvider } from '../../../src/server/call/providers.ts';
import { isPaytmSignature, PAYTM_CODE, paytmBodyText, paytmEnvelope } from './checksum.ts';
import { merchant } from './merchant.ts';

const DEADLINE_MS = 5_000;

/** Client of the gateway's wallet calls; requests and replies are signed. Where none is configured, the imitation answers. */
export function walletProvider(around: HostContext): WalletProvider {
  async function ask(path: string, question: object): Promise<{ code: string; body: Record<string, unknown> }> {
    const { url, mid, key } = await merchant(around);
    const response = await around.outside.ask('paytm-wallet', `${url}/wallet/${path}`, {
      method: 'POST',
      body: paytmEnvelope({ mid, ...question }, key),
      deadlineMs: DEADLINE_MS,
      headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    const bodyText = paytmBodyText(text);
    const head = (JSON.parse(text) as { head?: { signature?: string } }).head;
    if (!response.ok || bodyText === null || !isPaytmSignature(bodyText, key, head?.signature ?? ''))
      throw new Error(`The wallet's reply to ${path} (${response.status}) is not signed by the gateway.`);
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
      if (reply.code === PAYTM_CODE.success)
        return { token: String(reply.body['token']), mobile: String(reply.body['mobile']) };
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
