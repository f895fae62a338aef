import { countries } from '../../../../country/index.ts';
import { addCampaign, campaignsOf, type CampaignBody, type KnownCampaign, type Plan } from '../../store/experiments.ts';
import type { Root } from '../../store/db.ts';

/** The goal that is the order itself: the server counts it from the order, whatever pages say. */
export const ORDER_GOAL = 'order_placed';
/** The card looks of the menu (specification section 1). The first is what is shown without the experiment. */
const CARD_LOOKS = ['s', 'u', 'w', 'x', 'y'] as const;

const PLAN: Omit<Plan, 'orderValue'> = { base: 0.1, effect: 0.02, alpha: 0.05, power: 0.8 };
/** The usual total of an order, in minor units, for a country without a number of its own. */
const ORDER_VALUE = 60_000;
const ORDER_VALUES: Readonly<Record<string, number>> = { IN: 60_000, LK: 320_000, BG: 90_000 };
export const planFor = (country: string): Plan => ({ ...PLAN, orderValue: ORDER_VALUES[country] ?? ORDER_VALUE });

export const GOALS: CampaignBody['goals'] = [
  { id: 1, identifier: ORDER_GOAL, type: 'REVENUE_TRACKING' },
  { id: 2, identifier: 'added_to_cart', type: 'CUSTOM_GOAL' },
];

const cardCampaign = (country: string): CampaignBody => ({
  name: 'Which card a dish of the menu has',
  type: 'VISUAL_AB',
  percentTraffic: 100,
  goals: [...GOALS],
  variations: CARD_LOOKS.map((look, index) => ({
    id: index + 1,
    name: `nextgen variant ${look}`,
    weight: 100 / CARD_LOOKS.length,
    changes: {},
  })),
  segments: {},
  isBucketingSeedEnabled: true,
  plan: planFor(country),
});

/** The experiment of the specification, in each country; it waits for somebody to start it. */
export async function seedCampaigns(db: Root, codes: readonly string[], now: number): Promise<void> {
  for (const country of codes)
    await addCampaign(db, { country, id: 1, key: 'NextgenProductCardsV2', body: cardCampaign(country) }, now);
}

/** The account of a country at the experiment service here, and the key that pages name it by. */
function accountOf(country: string): { readonly accountId: number; readonly sdkKey: string } {
  const index = countries.findIndex(({ COUNTRY_CODE }) => COUNTRY_CODE === country);
  return { accountId: index + 1, sdkKey: `golden-oven-${country.toLowerCase()}` };
}

/** A settings file in which nothing runs. */
export const noCampaigns = (country: string) => ({
  ...accountOf(country),
  version: 1,
  campaigns: [],
  campaignGroups: {},
  groups: {},
  isEventArchEnabled: false,
});

/** The settings file of the experiment engine (specification section 3): what of the campaigns pages need. */
export async function settingsFile(db: Root, country: string) {
  const shown = ({ plan: _plan, startedAt: _from, stoppedAt: _to, country: _country, ...campaign }: KnownCampaign) =>
    campaign;
  const campaigns = (await campaignsOf(db, country)).filter(({ status }) => status !== 'STOPPED');
  return { ...noCampaigns(country), campaigns: campaigns.map(shown) };
}
