import * as vendors from '../../contract/vendors.ts';
import { on, type Route } from '../call/route.ts';
import { logInByApp, nonceFor } from '../rules/login/byApp.ts';

export const vendorRoutes: Route[] = [
  on(vendors.nonce, async ({ vendor }, call) => ({ nonce: await nonceFor(call, vendor) })),
  on(vendors.auth, ({ vendor, body }, call) => logInByApp(call, vendor, body.credential)),
];
