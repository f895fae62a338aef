import * as group from '../../contract/group.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import {
  changePerson,
  changeRules,
  endGroup,
  groupFor,
  groupView,
  joinGroup,
  removePerson,
  startGroup,
} from '../rules/group/group.ts';

export const groupRoutes: Route[] = [
  on(group.start, async ({ cartId, body }, call) => ({ group: await startGroup(call, cartId, body) })),
  on(group.byCode, async ({ code, query }, call) => ({
    ...(await groupView(call.db, call, await groupFor(call.db, call.caller, code), query.have)),
  })),
  on(group.rule, async ({ code, body }, call) => ({ group: await changeRules(call, code, body) })),
  on(group.end, async ({ code }, call) => {
    await endGroup(call, code);
    return {};
  }),
  on(group.join, async ({ code, body }, call) => ({ group: await joinGroup(call, code, body) })),
  on(group.change, async ({ code, personId, body }, call) => ({
    group: await changePerson(call, code, personId, body),
  })),
  on(group.leave, async ({ code, personId }, call) => {
    await removePerson(call, code, personId);
    return {};
  }),
];
