import { countryConfig } from '../../../country/index.ts';
import * as deletion from '../../contract/deletion.ts';
import { money } from '../../contract/price.ts';
import { maskedPhone } from '../../domain/phone.ts';
import { t } from '../call/language.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { legalIn } from '../rules/documents/documents.ts';
import { deletesAt, fallAsleep, tellOfDeletion } from '../rules/people/deletion.ts';
import { proved, sendProof } from '../rules/people/owner.ts';
import { handOver, onlyOnAccount } from '../rules/payment/vouchers.ts';
import { linkableName } from '../rules/payment/linkedWallets.ts';
import { addressesOf } from '../store/addresses.ts';
import { openOrdersOf } from '../store/deletions.ts';
import { countWaiting } from '../store/help.ts';
import { walletOf } from '../store/ledger.ts';
import { linkedWalletsOf } from '../store/linkedWallets.ts';
import { savedCardsOf } from '../store/savedCards.ts';
import { vouchersOf } from '../store/vouchers.ts';

export const deletionRoutes: Route[] = [
  on(deletion.look, async (_input, call) => {
    const { db, caller, now } = call;
    const userId = userIdOf(call);
    const { seeds } = await call.services.catalogue.of(db, caller.country, call.seen);
    const wallet = await walletOf(db, userId);
    const orders = await openOrdersOf(db, userId);
    const vouchers = await vouchersOf(db, userId);
    return {
      standing: {
        orders: orders.map(({ id, number }) => ({ orderId: id, orderNumber: number })),
        wallet: wallet === undefined ? null : money(wallet.balance),
        currencyCode: countryConfig(caller.country).CURRENCY_CODE,
        questions: await countWaiting(db, userId),
        cards: (await savedCardsOf(db, userId)).length,
        linkedWallets: (await linkedWalletsOf(db, userId)).map(({ provider }) => linkableName(provider)),
        vouchers: vouchers.filter((one) => one.is_given === 0).length,
        givenVouchers: onlyOnAccount(vouchers, now).length,
        addresses: (await addressesOf(db, userId)).length,
        taxLaw: legalIn(seeds.content.legal).taxLaw,
        mobile: caller.mobile === null ? null : maskedPhone(caller.mobile),
        deletesAt: deletesAt(now),
      },
    };
  }),

  on(deletion.sendCode, async ({ body }, call) => ({
    ...(await sendProof(call, 'delete', { page: body, text: t.deleteMessage })),
  })),

  on(deletion.ask, async ({ body }, call) => {
    const asked = await proved(call, 'delete', body.code, async (tx) => {
      const dueAt = await fallAsleep(tx, call, body.giveUp ?? 0);
      const handed = { dueAt, vouchers: await handOver(tx, userIdOf(call), call.now) };
      await tellOfDeletion(tx, call, handed);
      return handed;
    });
    return { deletesAt: asked.dueAt, vouchers: asked.vouchers };
  }),
];
