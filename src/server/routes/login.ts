import { countryConfig } from '../../../country/index.ts';
import type { EndpointInput } from '../../contract/endpoint.ts';
import * as login from '../../contract/login.ts';
import type { Call } from '../call/call.ts';
import { on, type Route } from '../call/route.ts';
import { logInByCode, sendLoginCode } from '../rules/login/byCode.ts';
import { numberOf } from '../rules/people/otp.ts';
import { otherLogins } from '../rules/people/loginMethods.ts';

async function send({ body }: EndpointInput<typeof login.sendOtp>, call: Call) {
  const { mobile, host, firstName, lastName, email } = body;
  const profile = {
    ...(firstName ? { firstName } : {}),
    ...(lastName ? { lastName } : {}),
    ...(email ? { email } : {}),
  };
  return await sendLoginCode(call, { mobile, host, profile });
}

/** Known and unknown numbers get the same answer: logging in and signing up are the same call. */
export const loginRoutes: Route[] = [
  on(login.sendOtp, send),
  on(login.resendOtp, send),
  on(login.validateOtp, ({ body }, call) => logInByCode(call, body)),
  on(login.searchUser, ({ body }, call) => {
    const { password, social } = otherLogins(call);
    return {
      mobile: numberOf(body.mobile, countryConfig(call.caller.country)),
      ways: [
        'CODE' as const,
        ...(password ? ['PASSWORD' as const] : []),
        ...(social.length > 0 ? ['SOCIAL' as const] : []),
      ],
    };
  }),
];
