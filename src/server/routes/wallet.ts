import * as contract from '../../contract/wallet.ts';
import { money } from '../../contract/price.ts';
import { on, onOld, type Route } from '../call/route.ts';
import { dueOf } from '../rules/checkout/due.ts';
import { creditWallet } from '../rules/payment/funds.ts';
import { statementOf } from '../rules/payment/statement.ts';
import { currencyOf, entryViews, ownWallet, passbookOf, walletSummary } from '../rules/payment/wallet.ts';
import { mustNameCaller } from '../rules/people/owner.ts';

export const walletRoutes: Route[] = [
  on(contract.balance, async (_input, call) => ({
    balance: money((await ownWallet(call))?.balance ?? 0),
    currencyCode: currencyOf(call),
  })),

  on(contract.available, async ({ mobile, transactionId }, call) => {
    const balance = (await ownWallet(call))?.balance ?? 0;
    mustNameCaller(call, mobile);
    return {
      balance: money(balance),
      available: money(Math.min(balance, await dueOf(call, transactionId))),
      currencyCode: currencyOf(call),
    };
  }),

  on(contract.summary, (_input, call) => walletSummary(call)),

  onOld(contract.statement, async ({ query }, call) => {
    const own = await ownWallet(call);
    const { rows, ...page } = await statementOf(call, own?.id, query, contract.STATEMENT_PAGE);
    return { entries: await entryViews(call, rows), ...page };
  }),

  onOld(contract.passbook, async ({ mobile }, call) => {
    const own = await ownWallet(call);
    mustNameCaller(call, mobile);
    return { months: own === undefined ? [] : await passbookOf(call, own.id) };
  }),

  on(contract.credit, async ({ body }, call) => {
    const balance = await creditWallet(call, body);
    return { balance: money(balance) };
  }),
];
