import * as places from '../../contract/places.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { catalogueHere } from '../call/call.ts';
import { placeAt, placeById, pointOf, suggest } from '../rules/places/places.ts';

export const placeRoutes: Route[] = [
  onOld(places.autocomplete, async ({ query }, call) => ({
    predictions: suggest(
      await catalogueHere(call),
      query.input,
      pointOf(query.latitude, query.longitude),
      query.country?.toLowerCase(),
    ),
  })),
  onOld(places.details, async ({ query }, call) => {
    const place =
      placeById(await catalogueHere(call), query.place_id) ??
      refuse(404, 'NOT_FOUND', errors.notFound, { field: 'place_id' });
    return { results: [place] };
  }),
  on(places.geocode, async ({ body }, call) => {
    const place = placeAt(await catalogueHere(call), body);
    return { results: place === null ? [] : [place] };
  }),
];
