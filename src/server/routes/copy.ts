import { countryConfig } from '../../../country/index.ts';
import * as contract from '../../contract/copy.ts';
import { maskedPhone } from '../../domain/phone.ts';
import { t } from '../call/language.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { mayDo } from '../rules/people/limits.ts';
import { isFresh, proved, sendProof } from '../rules/people/owner.ts';
import { copyOf } from '../store/copy.ts';
import { whoIs } from '../store/deletions.ts';

export const copyRoutes: Route[] = [
  on(contract.look, async (_input, call) => {
    const { mobile } = call.caller;
    return { needsCode: !(await isFresh(call)), mobile: mobile === null ? null : maskedPhone(mobile) };
  }),
  on(contract.sendCode, async ({ body }, call) => ({
    ...(await sendProof(call, 'copy', { page: body, text: t.copyMessage })),
  })),
  on(contract.make, async ({ body }, call) => {
    const { caller, db, now } = call;
    const country = countryConfig(caller.country);
    if (!(await isFresh(call))) await proved(call, 'copy', body.code, () => Promise.resolve());
    await mayDo(call, 'copies');
    const who = await whoIs(
      db,
      { id: userIdOf(call), country: caller.country, mobile: caller.mobile },
      country.dialPrefix,
    );
    return {
      copy: {
        format: 'golden-oven-personal-data' as const,
        version: 1 as const,
        madeAt: now,
        country: caller.country,
        currencyCode: country.CURRENCY_CODE,
        sections: await copyOf(db, who),
      },
    };
  }),
];
