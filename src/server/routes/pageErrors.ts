import * as pageErrors from '../../contract/pageErrors.ts';
import { on, type Route } from '../call/route.ts';
import { notePageError, type PlaceOf } from '../rules/reliability/pageErrors.ts';

export const pageErrorRoutes = (placeOf: PlaceOf): Route[] => [
  on(pageErrors.report, async ({ body }, call) => {
    await notePageError(call, body, placeOf);
    return {};
  }),
];
