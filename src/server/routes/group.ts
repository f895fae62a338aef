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
  joinGroup,
  removePerson,
  startGroup,
} from '../rules/group/group.ts';
import { transact, type Tx } from '../store/db.ts';
import { groupById, type GroupRow } from '../store/group.ts';

const SUCCESS = 'SUCCESS' as const;

/** Runs `work` on a group and returns the group as it is after that, read in the same transaction. */
async function after(call: Call, code: string, work: (tx: Tx, found: GroupRow) => Promise<void>) {
  return await transact(call.db, async (tx) => {
    const found = await groupFor(tx, call.caller, code);
    await work(tx, found);
    const view = await groupView(tx, call, (await groupById(tx, found.id)) ?? found);
    return { status: SUCCESS, group: view.group! };
  });
}

async function done(call: Call, code: string, work: (tx: Tx, found: GroupRow) => Promise<void>) {
  await transact(call.db, async (tx) => {
    await work(tx, await groupFor(tx, call.caller, code));
  });
  return { status: SUCCESS };
}

export const groupRoutes: Route[] = [
  on(group.start, ({ cartId, body }, call) =>
    transact(call.db, async (tx) => {
      const row = await startGroup(tx, call, cartId, body);
      return { status: SUCCESS, group: (await groupView(tx, call, row)).group! };
    }),
  ),
  on(group.byCode, async ({ code, query }, call) => ({
    status: SUCCESS,
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
