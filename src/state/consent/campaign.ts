import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';
import { DAY_MS } from '../../domain/time.ts';

/** As long as what is measured of a visit stays on the server (store/sweep.ts). */
const OLDEST_MS = 90 * DAY_MS;
const Campaign = z.nullable(z.object({ source: z.string(), medium: z.string(), name: z.string(), at: z.number() }));
type Campaign = z.output<typeof Campaign>;

/** UTM source, medium and campaign that this device last came by (specification section 3). Stored only with consent. */
export const campaignAtom = kept<Campaign>({
  key: 'utm',
  schema: Campaign,
  initial: null,
  forget: 'logout',
  optional: true,
});

/** What still counts of it at `now`, epoch milliseconds. */
export const validCampaign = (campaign: Campaign, now: number): Campaign =>
  campaign !== null && Math.abs(now - campaign.at) < OLDEST_MS ? campaign : null;
