import * as chat from '../../contract/chat.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { heardOf } from '../rules/chat/questions.ts';

export const chatRoutes: Route[] = [
  on(chat.understand, async ({ body }, call) => ({
    heard: heardOf(await call.services.catalogue.of(call.db, call.caller.country, call.seen), body.text),
  })),
];
