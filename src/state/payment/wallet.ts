import { atom } from 'jotai';
import * as z from 'zod/mini';
import { Price, type Money } from '../../contract/price.ts';
import * as contract from '../../contract/wallet.ts';
import { hasWalletAtom } from './hasWallet.ts';
import { customerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { remote } from '../lib/remote.ts';
import { countryAtom } from '../base/country.ts';
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

export interface Statement {
  readonly entries: readonly contract.WalletEntry[];
  readonly pageNumber: number;
  readonly pages: number;
  readonly total: number;
}
const NO_STATEMENT: Statement = { entries: [], pageNumber: 0, pages: 0, total: 0 };
const statementHeldAtom = customerAtom<Statement>(NO_STATEMENT);
/** walletLedgerStatement of the specification: all pages read so far, newest first. */
export const walletLedgerStatementAtom = atom((get) => get(statementHeldAtom));

/**
 * Loads a page of the statement: page 1 replaces what was read, later pages are added. `from` is epoch milliseconds;
 * without it the programme's code is sent.
 */
export const statementState = remote(
  async (get, set, signal, { pageNumber = 1, from }: { pageNumber?: number; from?: number } = {}) => {
    if (!get(hasWalletAtom)) return null;
    const more =
      from === undefined
        ? { loyaltyProgramCode: get(countryAtom).LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode }
        : { from: String(from) };
    const reply = await get(apiAtom).call(
      contract.statement,
      { query: { pageNumber: String(pageNumber), ...more } },
      { signal },
    );
    set(statementHeldAtom, (before) => {
      const held = pageNumber > 1 ? before.entries : [];
      // A new movement shifts others onto the next page: each is shown once.
      const known = new Set(held.map((entry) => entry.entryId));
      return { ...reply, entries: [...held, ...reply.entries.filter((entry) => !known.has(entry.entryId))] };
    });
    return reply.pageNumber;
  },
);

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
