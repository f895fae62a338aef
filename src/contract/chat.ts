import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/** Letters of the longest question. */
export const LONGEST_QUESTION = 300;

/** What was understood of a question (src/domain/chat). */
export const Heard = z.object({
  /** Null: nothing of it, and so nothing is answered. */
  intent: z.nullable(z.string()),
  /** Of a question that was not understood: what it may be about, the likeliest first. */
  likely: z.array(z.string()),
  /** It says no more than the name of a dish: it may answer which one is meant. */
  isName: z.boolean(),
  /** What may name a dish, and what may name a place, as they were typed. */
  rest: z.string(),
  place: z.string(),
  /** The ids of the dishes that its words name best. */
  dishes: z.array(z.string()),
  /** What it names beside them that may be in a dish, in the customer's own word. */
  things: z.array(z.object({ word: z.string(), meaning: z.string() })),
  /** What must not be in a dish, of which nothing is known. */
  unknown: z.array(z.string()),
  /** What finds the dishes that have none of that, and fit the diets it names. */
  without: z.string(),
  /** What else it says of food, as intents ask for it. */
  facts: z.array(z.string()),
  /** Its words without those that the search does not know. */
  query: z.string(),
});
export type Heard = z.output<typeof Heard>;

export const understand = endpoint({
  method: 'POST',
  path: '/agg/assistant-service/ve1/questions',
  access: 'open',
  feature: 'chatbot',
  about: 'What a question to the assistant asks, in any of the languages. Nothing of it is kept.',
  body: z.object({ text: text(LONGEST_QUESTION) }),
  reply: success({ heard: Heard }),
});
