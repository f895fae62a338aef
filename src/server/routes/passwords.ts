import * as passwords from '../../contract/passwords.ts';
import { on, type Route } from '../call/route.ts';
import { logInByPassword } from '../rules/login/byPassword.ts';
import { sendProof } from '../rules/people/owner.ts';
import { changePassword, passwordStanding } from '../rules/people/passwords.ts';

export const passwordRoutes: Route[] = [
  on(passwords.login, ({ body }, call) => logInByPassword(call, body)),
  on(passwords.standing, (_input, call) => passwordStanding(call)),
  on(passwords.sendCode, ({ body }, call) => sendProof(call, 'password', { page: body })),
  on(passwords.change, async ({ body }, call) => ({ ended: await changePassword(call, body) })),
];
