import { catalogueHere } from '../call/call.ts';
import * as chat from '../../contract/chat.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { heardOf } from '../rules/chat/questions.ts';

export const chatRoutes: Route[] = [
  on(chat.understand, async ({ body }, call) => ({
    heard: heardOf(await catalogueHere(call), body.text),
  })),
];
