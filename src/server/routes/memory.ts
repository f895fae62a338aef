import * as contract from '../../contract/memory.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { giveMemory, takenMemory } from '../rules/people/memory.ts';

export const memoryRoutes: Route[] = [
  on(contract.give, ({ body }, call) => giveMemory(call, body.memory)),
  on(contract.take, async ({ body }, call) => ({ memory: await takenMemory(call, body.code) })),
];
