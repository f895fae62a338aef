import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

const Properties = z.record(
  z.string().check(z.regex(/^[\w .-]{1,60}$/)),
  z.union([text(400), z.number(), z.boolean()]),
);

/** Usage-tracking event of the specification, section 3. */
const PageView = z.object({
  userAgent: text(350),
  platform: z.literal('PWA'),
  userId: text(80),
  /** Epoch milliseconds. */
  timestamp: z.number(),
  pageName: text(60),
  referrer: text(400),
  action: text(40),
  actionType: text(40),
  properties: Properties,
});
type PageView = z.output<typeof PageView>;

export const savePageView = endpoint({
  method: 'POST',
  path: '/user-activity-tracking/ve/v1/savePageViewData',
  about: "Keeps one page view; sent only where the tracking switch of Bangladesh's production is on.",
  body: z.object({ data: PageView }),
  reply: success({}),
});

const AnalyticsEvent = z.object({
  /** Unique for ever: the same sent again is kept once. */
  id: z.optional(text(80)),
  name: text(60),
  at: z.number(),
  properties: Properties,
});
type AnalyticsEvent = z.output<typeof AnalyticsEvent>;

/** How fast a page was: the event `web_vital` with the properties `metric`, `value` (ms; CLS its own unit) and `page`. */
export const VITAL = 'web_vital';
export const Metric = z.enum(['LCP', 'INP', 'CLS', 'TTFB']);
export type Metric = z.output<typeof Metric>;

/** The built-in analytics collector: what customers who agreed do, without saying who they are. Kept for 90 days. */
export const collect = endpoint({
  method: 'POST',
  path: '/analytics-service/ve1/events',
  about: 'Keeps analytics events of a client id; only where analytics are switched on.',
  body: z.object({ clientId: text(60), user: Properties, events: z.array(AnalyticsEvent).check(z.maxLength(30)) }),
  reply: success({}),
});

/** Said when the customer takes the consent back. */
export const forget = endpoint({
  method: 'DELETE',
  path: '/analytics-service/ve1/events',
  about: "Forgets what is kept of the caller's visits, and which variations of experiments they saw.",
  reply: success({}),
});
