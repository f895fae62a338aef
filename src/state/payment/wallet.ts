import { atom } from 'jotai';
import * as z from 'zod/mini';
import { Price, type Money } from '../../contract/price.ts';
import * as contract from '../../contract/wallet.ts';
import { hasWalletAtom } from './hasWallet.ts';
import { kept } from '../first/lib/kept.ts';
import { remote } from '../lib/remote.ts';
import { statement } from '../base/statement.ts';
import { apiAtom } from '../first/seams.ts';
import { userAtom } from '../base/session.ts';

/** The wallet's switch on the payment page: what the customer wants, not what is charged. */
export const isWalletUsedAtom = kept<boolean>({
  key: 'wallet-used',
  schema: z.boolean(),
  initial: false,
  forget: 'logout',
});
/** The last known balance in minor units: shown at once on the next visit, until the server sends the current one. */
export const walletBalanceAtom = kept<Money | null>({
  key: 'wallet-balance',
  schema: z.nullable(Price),
  initial: null,
  forget: 'logout',
});
/** Id of the provider's wallet that was chosen to pay with; null for none. */
export const selectedWalletAtom = kept<string | null>({
  key: 'selected-wallet',
  schema: z.nullable(z.string()),
  initial: null,
  forget: 'logout',
});

/** walletSummary of the specification; null without a wallet, and then no request is made. */
export const walletSummary = remote(async (get, set, signal) => {
  if (!get(hasWalletAtom)) return null;
  const reply = await get(apiAtom).call(contract.summary, {}, { signal });
  set(walletBalanceAtom, reply.balance);
  return reply;
});

interface Statement {
  readonly entries: readonly contract.WalletEntry[];
  readonly pageNumber: number;
  readonly pages: number;
  readonly total: number;
}
/** walletLedgerStatement of the specification. */
const ledger = statement<Statement>({ entries: [], pageNumber: 0, pages: 0, total: 0 }, async (get, query, signal) =>
  get(hasWalletAtom) ? await get(apiAtom).call(contract.statement, { query }, { signal }) : null,
);
export const walletLedgerStatementAtom = ledger.atom;
export const statementState = ledger.state;

/** The wallet month by month. */
export const passbookState = remote(async (get, _set, signal) => {
  const mobile = get(userAtom)?.mobile;
  if (!get(hasWalletAtom) || !mobile) return [];
  return (await get(apiAtom).call(contract.passbook, { mobile }, { signal })).months;
});

/** Balance, movements from the first page on, and months. */
export const loadWalletAtom = atom(null, async (_get, set): Promise<void> => {
  await Promise.all([set(walletSummary.load), set(statementState.load), set(passbookState.load)]);
});
