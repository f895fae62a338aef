import { atom } from 'jotai';
import * as z from 'zod/mini';
import { Price, type Money } from '../contract/price.ts';
import * as contract from '../contract/wallet.ts';
import { isWalletUsable } from '../domain/features.ts';
import { isOpenAtom } from './config.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { kept } from './lib/kept.ts';
import { remote } from './lib/remote.ts';
import { apiAtom, countryAtom, hostAtom } from './seams.ts';
import { isLoggedInAtom, userAtom } from './session.ts';

/** The switch on the payment page: what was wished for, not what is charged. */
export const isWalletUsedAtom = kept<boolean>({ key: 'wallet-used', schema: z.boolean(), initial: false, forget: 'logout' });
/** The balance as it was last heard, in minor units: shown at once on the next visit, until the server says today's. */
export const walletBalanceAtom = kept<Money | null>({ key: 'wallet-balance', schema: z.nullable(Price), initial: null, forget: 'logout' });
/** The provider's wallet chosen to pay with, by its id; null is none. */
export const selectedWalletAtom = kept<string | null>({ key: 'selected-wallet', schema: z.nullable(z.string()), initial: null, forget: 'logout' });

/** Logged in, outside mini-apps, and nowhere blocked (specification section 6, product.md C01). */
export const hasWalletAtom = atom((get) => isWalletUsable({
  blocked: new Set(get(isOpenAtom)('wallet') ? [] : ['wallet']), isWalletBlocked: get(countryAtom).IS_WALLET_BLOCKED,
  isLoggedIn: get(isLoggedInAtom), isMiniApp: !get(hostAtom).fullMode,
}));

/** walletSummary of the specification; null without a wallet, and then nobody is asked. */
export const walletSummary = remote(async (get, set, signal) => {
  if (!get(hasWalletAtom)) return null;
  const reply = await get(apiAtom).call(contract.summary, {}, { signal });
  set(walletBalanceAtom, reply.balance);
  return reply;
});

export interface Statement { readonly entries: readonly contract.WalletEntry[]; readonly pageNumber: number; readonly pages: number; readonly total: number }
const NO_STATEMENT: Statement = { entries: [], pageNumber: 0, pages: 0, total: 0 };
const statementHeldAtom = forgotten<Statement>(NO_STATEMENT);
/** walletLedgerStatement of the specification: all pages read so far, newest first. */
export const walletLedgerStatementAtom = atom((get) => get(statementHeldAtom));

/** A page of the statement: page 1 replaces, later ones follow on. `from` is an instant; without it the programme's code goes along. */
export const statementState = remote(async (get, set, signal, { pageNumber = 1, from }: { pageNumber?: number; from?: number } = {}) => {
  if (!get(hasWalletAtom)) return null;
  const more = from === undefined ? { loyaltyProgramCode: get(countryAtom).LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode } : { from: String(from) };
  const reply = await get(apiAtom).call(contract.statement, { query: { pageNumber: String(pageNumber), ...more } }, { signal });
  set(statementHeldAtom, (before) => {
    const held = pageNumber > 1 ? before.entries : [];
    // A movement that came meanwhile pushes others onto the next page: each is shown once.
    const known = new Set(held.map((entry) => entry.entryId));
    return { ...reply, entries: [...held, ...reply.entries.filter((entry) => !known.has(entry.entryId))] };
  });
  return reply.pageNumber;
});

/** The wallet month by month. */
export const passbookState = remote(async (get, _set, signal) => {
  const mobile = get(userAtom)?.mobile;
  if (!get(hasWalletAtom) || !mobile) return [];
  return (await get(apiAtom).call(contract.passbook, { mobile }, { signal })).months;
});
