import * as places from '../../contract/places.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { placeAt, placeById, pointOf, suggest } from '../rules/places/places.ts';

const catalogue = (call: Call) => call.services.catalogue.of(call.db, call.caller.country, call.seen);

export const placeRoutes: Route[] = [
  onOld(places.autocomplete, async ({ query }, call) => ({
    predictions: suggest(
      await catalogue(call),
      query.input,
      pointOf(query.latitude, query.longitude),
      query.country?.toLowerCase(),
    ),
  })),
  onOld(places.details, async ({ query }, call) => {
    const place =
      placeById(await catalogue(call), query.place_id) ??
      refuse(404, 'NOT_FOUND', errors.notFound, { field: 'place_id' });
    return { results: [place] };
  }),
  on(places.geocode, async ({ body }, call) => {
    const place = placeAt(await catalogue(call), body);
    return { results: place === null ? [] : [place] };
  }),
];
