import * as contract from '../../contract/wallet.ts';
import { money } from '../../contract/price.ts';
import { countryConfig } from '../../../country/index.ts';
import { localDay } from '../../domain/hours.ts';
import { errors } from '../call/language.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { statementOf } from '../rules/payment/statement.ts';
import { creditWallet, movementLabel, mustHaveWallet, restOf } from '../rules/payment/funds.ts';
import { buyerOf, pricedCart } from '../rules/cart/pricingContext.ts';
import { entriesOf, sumsOf, walletOf, type AccountRow, type EntryRow } from '../store/ledger.ts';
import { ordersByIds } from '../store/orders.ts';
import { ownPayment } from '../rules/order/rights.ts';

const LATEST = 5;
const PASSBOOK_AT_MOST = 5_000;

/** The caller's wallet, if it was opened already. @throws Refusal 403 FEATURE_BLOCKED */
async function wallet(call: Call): Promise<AccountRow | undefined> {
  mustHaveWallet(call);
  return await walletOf(call.db, userIdOf(call));
}

/** The phone number in the path must be the caller's own. @throws Refusal 404 NOT_FOUND */
function mustBeOwn(call: Call, mobile: string): void {
  const { country, mobile: own } = call.caller;
  if (own === null || phoneNumber(mobile, countryConfig(country)) !== own) refuse(404, 'NOT_FOUND', errors.notFound);
}

async function views(call: Call, entries: readonly EntryRow[]): Promise<contract.WalletEntry[]> {
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

const codeOf = (call: Call) => countryConfig(call.caller.country).CURRENCY_CODE;

/** The amount still to pay, in minor units: of an order that has a payment, or of the cart when its id is given. */
async function dueOf(call: Call, transactionId: string): Promise<number> {
  if (transactionId === call.caller.cartId) {
    const { cart } = await pricedCart(
      call.db,
      call.services.catalogue,
      transactionId,
      buyerOf(call.caller),
      call.now,
      {},
      call.seen,
    );
    return cart.bill.total;
  }
  const { order } = await ownPayment(call, transactionId);
  return order.status === 'PENDING' ? await restOf(call.db, order) : 0;
}

export const walletRoutes: Route[] = [
  on(contract.balance, async (_input, call) => ({
    balance: money((await wallet(call))?.balance ?? 0),
    currencyCode: codeOf(call),
  })),

  on(contract.available, async ({ mobile, transactionId }, call) => {
    const balance = (await wallet(call))?.balance ?? 0;
    mustBeOwn(call, mobile);
    return {
      balance: money(balance),
      available: money(Math.min(balance, await dueOf(call, transactionId))),
      currencyCode: codeOf(call),
    };
  }),

  on(contract.summary, async (_input, call) => {
    const own = await wallet(call);
    const sums = own === undefined ? { CREDIT: 0, SPEND: 0, RETURN: 0 } : await sumsOf(call.db, own.id);
    return {
      balance: money(own?.balance ?? 0),
      currencyCode: codeOf(call),
      credited: money(sums.CREDIT),
      spent: money(sums.SPEND),
      returned: money(sums.RETURN),
      latest:
        own === undefined ? [] : await views(call, await entriesOf(call.db, own.id, { offset: 0, limit: LATEST })),
    };
  }),

  onOld(contract.statement, async ({ query }, call) => {
    const own = await wallet(call);
    const { rows, ...page } = await statementOf(call, own?.id, query, contract.STATEMENT_PAGE);
    return { entries: await views(call, rows), ...page };
  }),

  onOld(contract.passbook, async ({ mobile }, call) => {
    const own = await wallet(call);
    mustBeOwn(call, mobile);
    if (own === undefined) return { months: [] };
    const { timeZone } = countryConfig(call.caller.country);
    const months = new Map<string, EntryRow[]>();
    for (const entry of await entriesOf(call.db, own.id, { offset: 0, limit: PASSBOOK_AT_MOST })) {
      const month = localDay(entry.at, timeZone).slice(0, 7);
      months.set(month, [...(months.get(month) ?? []), entry]);
    }
    const sum = (entries: readonly EntryRow[], kind: EntryRow['kind']) =>
      money(Math.abs(entries.reduce((total, entry) => (entry.kind === kind ? total + entry.amount : total), 0)));
    return {
      months: [...months].map(([month, entries]) => {
        const first = entries.at(-1)!;
        return {
          month,
          opening: money(first.balance_after - first.amount),
          credited: sum(entries, 'CREDIT'),
          spent: sum(entries, 'SPEND'),
          returned: sum(entries, 'RETURN'),
          closing: money(entries[0]!.balance_after),
        };
      }),
    };
  }),

  on(contract.credit, async ({ body }, call) => {
    const balance = await creditWallet(call, body);
    return { balance: money(balance) };
  }),
];
