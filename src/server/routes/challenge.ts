import * as contract from '../../contract/challenge.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { newChallenge } from '../rules/people/challenge.ts';
import { mayDo, takeOne } from '../rules/people/limits.ts';

export const challengeRoutes: Route[] = [
  on(contract.ask, async ({ body }, call) => {
    const over = await takeOne(call, 'challenges', () => Promise.resolve(false));
    if (over !== null) await mayDo(call, 'firstChallenges');
    return { challenge: await newChallenge(call, body.use) };
  }),
];
