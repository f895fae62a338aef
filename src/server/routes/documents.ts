import { catalogueHere } from '../call/call.ts';
import * as documents from '../../contract/documents.ts';
import { DOCUMENTS } from '../../contract/documents.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { onSpoken } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { documentOf } from '../rules/documents/documents.ts';

export const documentRoutes: Route[] = [
  onSpoken(documents.byId, async ({ document }, call) => {
    const id = DOCUMENTS.find((one) => one === document);
    if (!id) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'document' });
    const { country, seeds } = await catalogueHere(call);
    return { document: documentOf(id, country, seeds.content.legal, call.services) };
  }),
];
