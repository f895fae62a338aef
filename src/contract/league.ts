import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/** The winner of a match, as a player predicts it. */
export const Pick = z.enum(['HOME', 'DRAW', 'AWAY']);
export type Pick = z.output<typeof Pick>;

const SeasonId = z.string().check(z.regex(/^[A-Z]{2}-\d{4}-Q[1-4]$/));

/** Times are epoch ms. */
const Season = z.object({ id: z.string(), startsAt: z.number(), endsAt: z.number() });
const Team = z.object({ id: z.string(), name: z.string(), cities: z.array(z.string()) });
const Match = z.object({
  id: z.string(),
  /** Ids of teams. */
  home: z.string(),
  away: z.string(),
  /** What the caller has said; null: nothing. */
  pick: z.nullable(Pick),
  /** Orders per store in tenths; null until the match was counted. */
  result: z.nullable(z.object({ home: z.number(), away: z.number() })),
});
export type Match = z.output<typeof Match>;
const Round = z.object({
  number: z.number(),
  /** Predictions close when it starts. */
  startsAt: z.number(),
  endsAt: z.number(),
  matches: z.array(Match),
});
export type Round = z.output<typeof Round>;

const League = z.object({
  season: Season,
  teams: z.array(Team),
  /** Slices for an order that arrived, and for a match that was foreseen. */
  slices: z.object({ order: z.number(), prediction: z.number() }),
  /** The round that ended last, and the next two that did not end. */
  rounds: z.array(Round),
  /** Null for guests and for customers who do not play. `orders` and `right` are those of the season. */
  me: z.nullable(
    z.object({
      nickname: z.nullable(z.string()),
      /** Whether others see the nickname: it is there, and its owner has agreed. */
      isNamed: z.boolean(),
      orders: z.number(),
      right: z.number(),
    }),
  ),
});
export type League = z.output<typeof League>;

const feature = 'worldPizzaLeague';
const league = success({ league: League });

export const LEADERBOARD_PAGE = 20;
/** Equal slices share a place, and the next place is left out; of them, whoever had them first comes first. */
export const leaderboard = endpoint({
  method: 'GET',
  path: '/content/ve1/worldPizzaLeague/leaderboard',
  feature,
  about:
    'Leaderboard of a season, page by page from 1, with the caller’s own place; error FEATURE_BLOCKED outside India.',
  query: z.object({
    pageNumber: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
    /** Without it the season of today. */
    season: z.optional(SeasonId),
  }),
  reply: success({
    season: Season,
    /** The season before, if somebody has played it. */
    previous: z.nullable(Season),
    /** `name` null: a player who does not show one. */
    leaderboard: z.array(
      z.object({ rank: z.number(), name: z.nullable(z.string()), slices: z.number(), isMe: z.boolean() }),
    ),
    pageNumber: z.number(),
    pages: z.number(),
    players: z.number(),
    /** Null for who does not play or has no slice yet. */
    me: z.nullable(z.object({ rank: z.number(), slices: z.number(), pageNumber: z.number() })),
  }),
});
export const view = endpoint({
  method: 'GET',
  path: '/content/ve1/worldPizzaLeague/season',
  feature,
  about: 'The season, its teams and matches, and what the caller predicted.',
  reply: league,
});
/** Joins, or changes the nickname; `nickname` null takes it away. Others see it with the consent `league` alone. */
export const play = endpoint({
  method: 'PUT',
  path: '/customer-service/ve1/user/worldPizzaLeague',
  access: 'user',
  feature,
  about: 'Plays the league, with a nickname or without; errors NICKNAME, NICKNAME_TAKEN.',
  body: z.object({ nickname: z.nullable(text(60)) }),
  reply: league,
});
export const leave = endpoint({
  method: 'DELETE',
  path: '/customer-service/ve1/user/worldPizzaLeague',
  access: 'user',
  feature,
  about: 'Leaves the league; nickname, predictions and slices of all seasons are gone.',
  reply: league,
});
export const predict = endpoint({
  method: 'PUT',
  path: '/customer-service/ve1/user/worldPizzaLeague/predictions/{matchId}',
  access: 'user',
  feature,
  about: 'Says how a match ends; errors PREDICTION_CLOSED once it has begun, LEAGUE_JOIN for who does not play.',
  body: z.object({ pick: Pick }),
  reply: league,
});
