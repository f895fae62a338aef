import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Position, text } from './names.ts';
import { success } from './reply.ts';

/** Characters of a place that is looked for: a whole address that somebody sent, of several lines. */
export const LONGEST_PLACE = 300;

export const Prediction = z.object({
  place_id: z.string(),
  main_text: z.string(),
  secondary_text: z.string(),
  /** Whether a store delivers there: everywhere, to some areas of a town, or not; absent where nobody knows. */
  delivery: z.optional(z.enum(['YES', 'PARTLY', 'NO'])),
  /** What was typed beside the place, as a house, a street and a landmark. */
  house: z.optional(z.string()),
  street: z.optional(z.string()),
  landmark: z.optional(z.string()),
});
export type Prediction = z.output<typeof Prediction>;
export const Place = z.object({
  place_id: z.string(),
  name: z.string(),
  /** Of a point: it lies near the place, not in it. */
  isNear: z.optional(z.boolean()),
  formatted_address: z.string(),
  geometry: z.object({ location: z.object({ lat: z.number(), lng: z.number() }) }),
});
export type Place = z.output<typeof Place>;

export const autocomplete = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/autocomplete',
  access: 'open',
  about: "Place suggestions in the api_key's country, typing errors forgiven.",
  query: z.object({
    input: text(LONGEST_PLACE),
    latitude: z.optional(z.string()),
    longitude: z.optional(z.string()),
    /** Two letters: nothing is suggested where it is another one than the key's. */
    country: z.optional(text(2)),
  }),
  reply: success({ predictions: z.array(Prediction) }),
});
export const details = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/place/details',
  access: 'open',
  about: 'A suggested place with its position.',
  query: z.object({ place_id: text(80) }),
  reply: success({ results: z.array(Place) }),
});
/** Reverse lookup: the nearest named place to a point. */
export const geocode = endpoint({
  method: 'POST',
  path: '/locator-service/ve2/geocode',
  access: 'open',
  about: 'What is at a point.',
  body: Position,
  reply: success({ results: z.array(Place) }),
});
