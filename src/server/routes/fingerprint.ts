import * as fingerprint from '../../contract/fingerprint.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { recognise } from '../rules/people/fingerprint.ts';
import { forgetFingerprints } from '../store/activity.ts';

export const fingerprintRoutes: Route[] = [
  on(fingerprint.send, async ({ body }, call) => ({
    status: 'SUCCESS' as const,
    map: await recognise(call.db, userIdOf(call), body, call.now),
  })),
  on(fingerprint.forget, async (_input, call) => {
    await forgetFingerprints(call.db, userIdOf(call));
    return { status: 'SUCCESS' as const };
  }),
];
