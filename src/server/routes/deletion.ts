import * as deletion from '../../contract/deletion.ts';
import { t } from '../call/language.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { askDeletion, standingOf } from '../rules/deletion/deletion.ts';
import { sendProof } from '../rules/people/owner.ts';

export const deletionRoutes: Route[] = [
  on(deletion.look, async (_input, call) => ({ standing: await standingOf(call) })),

  on(deletion.sendCode, async ({ body }, call) => ({
    ...(await sendProof(call, 'delete', { page: body, text: t.deleteMessage })),
  })),

  on(deletion.ask, ({ body }, call) => askDeletion(call, body)),
];
