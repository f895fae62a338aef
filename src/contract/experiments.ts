import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

// The experiment service (specification sections 3 and 7): its calls are those of the SDK that the specification names,
// so that a page with that SDK, or with our own engine, can be told by either service.

const wholeText = z.string().check(z.regex(/^\d{1,9}$/));
/** Money in minor units, as text. */
const amountText = z.string().check(z.regex(/^\d{1,12}$/));
const whole = z.int().check(z.gte(0), z.lte(999_999_999));
const amount = z.int().check(z.gte(0), z.lte(999_999_999_999));
/** The kept random id of a visitor, not of an account. */
const visitor = text(80);

const Goal = z.object({
  id: whole,
  identifier: z.string(),
  type: z.enum(['REVENUE_TRACKING', 'CUSTOM_GOAL']),
  revenueProp: z.optional(z.string()),
  mca: z.optional(z.int()),
});
const Variable = z.object({
  id: whole,
  type: z.enum(['integer', 'double', 'boolean', 'json', 'string']),
  key: z.string(),
  value: z.unknown(),
});
const Variation = z.object({
  id: whole,
  name: z.string(),
  /** Percent of the visitors of the campaign. */
  weight: z.number(),
  changes: z.record(z.string(), z.unknown()),
  segments: z.optional(z.record(z.string(), z.unknown())),
  variables: z.optional(z.array(Variable)),
  isFeatureEnabled: z.optional(z.boolean()),
});
const Campaign = z.object({
  id: whole,
  key: z.string(),
  name: z.string(),
  type: z.enum(['VISUAL_AB', 'FEATURE_TEST', 'FEATURE_ROLLOUT']),
  status: z.enum(['NOT_STARTED', 'RUNNING', 'PAUSED', 'STOPPED']),
  percentTraffic: z.number(),
  goals: z.array(Goal),
  variations: z.array(Variation),
  segments: z.record(z.string(), z.unknown()),
  variables: z.optional(z.array(Variable)),
  isBucketingSeedEnabled: z.optional(z.boolean()),
  isForcedVariationEnabled: z.optional(z.boolean()),
  isUserListEnabled: z.optional(z.boolean()),
});
export type Campaign = z.output<typeof Campaign>;

export const settings = endpoint({
  method: 'GET',
  path: '/server-side/settings',
  access: 'open',
  about: "The country's campaigns, as the settings file of the experiment engine.",
  query: z.object({ a: z.optional(text(20)), i: z.optional(text(80)), r: z.optional(text(40)) }),
  // A service elsewhere has more to say to the engine than ours, such as how it draws, and writes the status in any case.
  reply: z.looseObject({
    status: z.literal('SUCCESS'),
    sdkKey: z.string(),
    version: z.int(),
    accountId: z.union([whole, z.string()]),
    campaigns: z.array(z.looseObject({ ...Campaign.shape, status: z.string() })),
    campaignGroups: z.record(z.string(), whole),
    groups: z.record(z.string(), z.unknown()),
    isEventArchEnabled: z.optional(z.boolean()),
  }),
});

/** What all tracking calls by GET say; `random` and `sId` (epoch seconds) tell a repeated call from a new one. */
const told = { u: visitor, sId: z.string().check(z.regex(/^\d{1,11}$/)), random: text(40) };

export const trackUser = endpoint({
  method: 'GET',
  path: '/server-side/track-user',
  access: 'open',
  about: 'A visitor has seen a variation of a campaign. The first one counts.',
  query: z.object({ ...told, experiment_id: wholeText, combination: wholeText }),
  reply: success({}),
});
export const trackGoal = endpoint({
  method: 'GET',
  path: '/server-side/track-goal',
  access: 'open',
  about: 'A visitor has done what a campaign counts; r is its revenue in minor units.',
  query: z.object({
    ...told,
    experiment_id: wholeText,
    combination: wholeText,
    goal_id: wholeText,
    r: z.optional(amountText),
  }),
  reply: success({}),
});
export const push = endpoint({
  method: 'GET',
  path: '/server-side/push',
  access: 'open',
  about: 'Tags of a visitor, as JSON {"u": {tag: value}}, each of at most 255 characters.',
  query: z.object({ ...told, tags: text(2_000) }),
  reply: success({}),
});

const Props = z.record(text(255), z.unknown());
export const events = endpoint({
  method: 'POST',
  path: '/events/t',
  access: 'open',
  about: 'One event in the newer form: a shown variation, a goal, or tags. The same msgId counts once.',
  query: z.object({ en: text(255) }),
  body: z.object({
    d: z.object({
      msgId: text(120),
      visId: visitor,
      event: z.object({ name: text(255), props: Props }),
      visitor: z.optional(z.object({ props: Props })),
    }),
  }),
  reply: success({}),
});

/** Kinds of events in a batch. */
export const EVENT = { impression: 1, goal: 2, push: 3 } as const;
const BatchEvent = z.object({
  eT: z.enum(EVENT),
  /** Unique for ever: the same sent again counts once. Without it the event's own fields stand for it. */
  id: z.optional(text(120)),
  u: visitor,
  /** When it happened, epoch seconds. */
  sId: z.int().check(z.gte(0), z.lte(99_999_999_999)),
  /** Campaign, variation and goal. */
  e: z.optional(whole),
  c: z.optional(whole),
  g: z.optional(whole),
  /** Revenue in minor units. */
  r: z.optional(amount),
  t: z.optional(text(2_000)),
});
export type BatchEvent = z.output<typeof BatchEvent>;
export const batch = endpoint({
  method: 'POST',
  path: '/server-side/batch-events',
  access: 'open',
  about: 'Several events at once: impressions (eT 1), goals (2) and tags (3).',
  body: z.object({ ev: z.array(BatchEvent).check(z.maxLength(100)) }),
  reply: success({}),
});
