import * as group from '../../contract/group.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import {
  changePerson,
  changeRules,
  endGroup,
  groupFor,
  groupView,
  inGroup,
  joinGroup,
  leavingGroup,
  removePerson,
  startGroup,
  type GroupWork,
} from '../rules/group/group.ts';

async function after(call: Call, code: string, work: GroupWork) {
  return { group: await inGroup(call, code, work) };
}
async function done(call: Call, code: string, work: GroupWork) {
  await leavingGroup(call, code, work);
  return {};
}

export const groupRoutes: Route[] = [
  on(group.start, async ({ cartId, body }, call) => ({ group: await startGroup(call, cartId, body) })),
  on(group.byCode, async ({ code, query }, call) => ({
    ...(await groupView(call.db, call, await groupFor(call.db, call.caller, code), query.have)),
  })),
  on(group.rule, ({ code, body }, call) => after(call, code, (tx, found) => changeRules(tx, call.caller, found, body))),
  on(group.end, ({ code }, call) => done(call, code, (tx, found) => endGroup(tx, call.caller, found))),
  on(group.join, ({ code, body }, call) => after(call, code, (tx, found) => joinGroup(tx, call.caller, found, body))),
  on(group.change, ({ code, personId, body }, call) =>
    after(call, code, (tx, found) => changePerson(tx, call.caller, found, personId, body)),
  ),
  on(group.leave, ({ code, personId }, call) =>
    done(call, code, (tx, found) => removePerson(tx, call.caller, found, personId)),
  ),
];
