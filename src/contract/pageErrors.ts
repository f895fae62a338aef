import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/** An error that nothing in the page has dealt with. Host and country are those of the caller's key. */
export const report = endpoint({
  method: 'POST',
  path: '/page-error-service/ve1/errors',
  access: 'open',
  about: 'Tells the operator of an error in the page; what it says of persons is taken out, and nothing of it is kept.',
  body: z.object({
    name: text(80),
    message: text(1_000),
    /** As the browser writes it, with files and places of the bundle. */
    stack: text(6_000),
    /** The folder of the bundle: 'in/browser'. */
    bundle: text(40),
    /** The version that the page was built as. */
    release: text(40),
    /** Path of the screen, without its query. */
    page: text(400),
    /** Of the call that led to it, if there was one. */
    requestId: text(160),
  }),
  reply: success({}),
});
