import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { success } from './reply.ts';

export const DOCUMENTS = ['terms', 'privacy', 'credits'] as const;
export type DocumentId = (typeof DOCUMENTS)[number];

/** A document to read, such as the terms at DEFAULT_TNC_URL. */
export const Document = z.object({
  id: z.enum(DOCUMENTS),
  title: z.string(),
  intro: z.string(),
  /** The day it came into force, YYYY-MM-DD; identifies what somebody accepted. */
  version: z.string(),
  sections: z.array(z.object({ heading: z.string(), paragraphs: z.array(z.string()) })),
});
export type Document = z.output<typeof Document>;

export const byId = endpoint({
  method: 'GET',
  path: '/content/ve1/{document}',
  access: 'open',
  about: 'Terms of ordering, privacy, or credits (`terms`, `privacy`, `credits`); error NOT_FOUND.',
  reply: success({ document: Document }),
});
