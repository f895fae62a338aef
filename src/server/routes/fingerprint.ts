import * as fingerprint from '../../contract/fingerprint.ts';
import { mustBeFullMode } from '../call/features.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { forgetCallingDevice, recognise } from '../rules/people/fingerprint.ts';
import { forgetFingerprints } from '../store/activity.ts';

/** @param site.disableCookies nothing optional is taken */
export function fingerprintRoutes(site: { readonly disableCookies: boolean }): Route[] {
  return [
    on(fingerprint.send, async ({ body }, call) => {
      mustBeFullMode(call.caller);
      if (site.disableCookies) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
      return { map: await recognise(call, body) };
    }),
    on(fingerprint.forget, async (_input, call) => {
      await forgetCallingDevice(call);
      await forgetFingerprints(call.db, userIdOf(call));
      return {};
    }),
  ];
}
