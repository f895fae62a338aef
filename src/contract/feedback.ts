import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Issue } from './help.ts';
import { DeliveryType, Id, text } from './names.ts';
import { success } from './reply.ts';

/** What can be named as good or, with few stars, as not. */
export const Aspect = z.enum(['taste', 'heat', 'time', 'packing', 'complete', 'rider']);
export type Aspect = z.output<typeof Aspect>;

const Said = {
  /** 1 to 5; null or absent is refused by name. */
  overall: z.nullable(z.number()),
  /** 0 to 10. */
  nps: z.nullable(z.number()),
  aspects: z.array(Aspect).check(z.maxLength(10)),
  /** 30 to 250 characters as a person counts them; longer ones are read to be refused by name. */
  comment: text(4000),
};
export const Feedback = z.object({
  feedbackId: z.string(),
  overall: z.number(),
  nps: z.number(),
  aspects: z.array(Aspect),
  comment: z.string(),
  additional: z.nullable(z.string()),
  at: z.number(),
  mayChange: z.boolean(),
  /** What help there is for what it says, likeliest first. */
  helps: z.array(z.object({ issue: Issue, label: z.string() })),
});
export type Feedback = z.output<typeof Feedback>;

const feature = 'feedback';
const about = { orderId: Id, token: z.optional(Id) };

/** Error LOGIN (403): whoever opens a link first logs in with the number of the order. */
export const template = endpoint({
  method: 'GET',
  path: '/feedback-service/ve1/feedback/template',
  aliases: ['/feedback-service/ve2/feedback/template'],
  feature,
  about:
    'What is asked about an order, and what its customer has said; errors LOGIN, NOT_FOUND for a link that does not work.',
  query: z.object(about),
  reply: success({
    template: z.object({
      overall: z.object({ question: z.string(), max: z.number() }),
      nps: z.object({ question: z.string(), min: z.number(), max: z.number() }),
      aspects: z.array(z.object({ id: Aspect, label: z.string() })),
      comment: z.object({ minChars: z.number(), maxChars: z.number(), optional: z.boolean() }),
    }),
    order: z.object({
      orderId: z.string(),
      orderNumber: z.string(),
      orderType: DeliveryType,
      storeName: z.string(),
      placedAt: z.number(),
      dishes: z.array(z.string()),
    }),
    /** EARLY: it is not handed over yet. */
    state: z.enum(['EARLY', 'OPEN', 'RATED', 'CLOSED']),
    /** The customer does not want to be asked about this order. */
    isDismissed: z.boolean(),
    feedback: z.nullable(Feedback),
  }),
});
export const submit = endpoint({
  method: 'POST',
  path: '/feedback-service/ve2/feedback',
  aliases: ['/feedback-service/ve1/feedback'],
  feature,
  idempotent: true,
  about: 'Rates an order; errors ALREADY_RATED, FEEDBACK (by field), LOGIN.',
  body: z.object({ ...about, ...Said }),
  reply: success({ feedback: Feedback }),
});
/** As `submit`, at the order itself. */
export const ofOrder = endpoint({
  method: 'POST',
  path: '/order-service/ve1/orders/{orderId}/feedback',
  feature,
  idempotent: true,
  about: 'Rates this order; errors as of feedback.',
  body: z.object({ token: z.optional(Id), ...Said }),
  reply: success({ feedback: Feedback }),
});
export const update = endpoint({
  method: 'PUT',
  path: '/feedback-service/ve2/feedback/{feedbackId}',
  aliases: ['/feedback-service/ve1/feedback/{feedbackId}'],
  feature,
  about: 'Changes what was said, for seven days; errors FEEDBACK, FEEDBACK_OVER.',
  body: z.object(Said),
  reply: success({ feedback: Feedback }),
});
export const additional = endpoint({
  method: 'POST',
  path: '/feedback-service/ve2/feedback/additional',
  aliases: ['/feedback-service/ve1/feedback/additional'],
  feature,
  about: 'Adds a word to what was said; error FEEDBACK.',
  body: z.object({ feedbackId: Id, comment: text(4000) }),
  reply: success({ feedback: Feedback }),
});
export const dismiss = endpoint({
  method: 'POST',
  path: '/feedback-service/ve1/feedback/dismiss',
  feature,
  about: 'Does not ask about this order again.',
  body: z.object({ orderId: Id }),
  reply: success({}),
});
/** What is said of a visit or of an order by phone. */
export const offline = endpoint({
  method: 'POST',
  path: '/feedback-service/ve1/feedback/offline',
  feature,
  idempotent: true,
  about: 'An experience or a rating with a phone number, about no known order; error FEEDBACK (by field).',
  body: z.object({ experience: text(4000), rating: z.nullable(z.int().check(z.gte(1), z.lte(5))), mobile: text(40) }),
  reply: success({}),
});
