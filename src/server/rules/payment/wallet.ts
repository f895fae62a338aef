import { countryConfig } from '../../../../country/index.ts';
import { money } from '../../../contract/price.ts';
import type { WalletEntry } from '../../../contract/wallet.ts';
import { localDay } from '../../../domain/hours.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { entriesOf, sumsOf, walletOf, type AccountRow, type EntryRow } from '../../store/ledger.ts';
import { ordersByIds } from '../../store/orders.ts';
import { movementLabel, mustHaveWallet } from './funds.ts';

const LATEST = 5;
const PASSBOOK_AT_MOST = 5_000;

export const currencyOf = (call: Call): string => countryConfig(call.caller.country).CURRENCY_CODE;

/** The caller's wallet, if it was opened already. @throws Refusal 403 WALLET_BLOCKED */
export async function ownWallet(call: Call): Promise<AccountRow | undefined> {
  mustHaveWallet(call);
  return await walletOf(call.db, userIdOf(call));
}

/** Movements of a wallet as its owner reads them. */
export async function entryViews(call: Call, entries: readonly EntryRow[]): Promise<WalletEntry[]> {
  const orders = await ordersByIds(call.db, [...new Set(entries.flatMap((entry) => entry.order_id ?? []))]);
  return entries.map((entry) => {
    const order = orders.find((one) => one.id === entry.order_id);
    return {
      entryId: entry.id,
      kind: entry.kind,
      amount: money(entry.amount),
      balanceAfter: money(entry.balance_after),
      label: movementLabel(entry, order?.number ?? ''),
      at: entry.at,
      ...(order === undefined ? {} : { orderId: order.id, orderNumber: order.number }),
    };
  });
}

/** What ever came into the caller's wallet and left it, and its latest movements. @throws Refusal 403 WALLET_BLOCKED */
export async function walletSummary(call: Call) {
  const own = await ownWallet(call);
  const sums = own === undefined ? { CREDIT: 0, SPEND: 0, RETURN: 0 } : await sumsOf(call.db, own.id);
  return {
    balance: money(own?.balance ?? 0),
    currencyCode: currencyOf(call),
    credited: money(sums.CREDIT),
    spent: money(sums.SPEND),
    returned: money(sums.RETURN),
    latest:
      own === undefined ? [] : await entryViews(call, await entriesOf(call.db, own.id, { offset: 0, limit: LATEST })),
  };
}

/** A wallet month by month, the latest first: with what each began and ended, and what moved. */
export async function passbookOf(call: Call, walletId: string) {
  const { timeZone } = countryConfig(call.caller.country);
  const months = new Map<string, EntryRow[]>();
  for (const entry of await entriesOf(call.db, walletId, { offset: 0, limit: PASSBOOK_AT_MOST })) {
    const month = localDay(entry.at, timeZone).slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), entry]);
  }
  const sum = (entries: readonly EntryRow[], kind: EntryRow['kind']) =>
    money(Math.abs(entries.reduce((total, entry) => (entry.kind === kind ? total + entry.amount : total), 0)));
  return [...months].map(([month, entries]) => {
    const first = entries.at(-1)!;
    return {
      month,
      opening: money(first.balance_after - first.amount),
      credited: sum(entries, 'CREDIT'),
      spent: sum(entries, 'SPEND'),
      returned: sum(entries, 'RETURN'),
      closing: money(entries[0]!.balance_after),
    };
  });
}
