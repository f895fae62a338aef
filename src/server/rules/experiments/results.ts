import { formatMoney } from '../../call/language.ts';
import { countryConfig } from '../../../../country/index.ts';
import { money } from '../../../contract/price.ts';
import type { Root } from '../../store/db.ts';
import { campaignsOf, goalCounts, visitorCounts, type KnownCampaign } from '../../store/experiments.ts';
import {
  BROKEN_SPLIT,
  differenceOf,
  LEAST_CONVERTED,
  ratioCheck,
  tauOf,
  visitorsNeeded,
  type Difference,
} from './statistics.ts';

interface VariationResult {
  readonly id: number;
  readonly name: string;
  readonly weight: number;
  readonly visitors: number;
  /** Those who saw another variation as well. They count for none. */
  readonly mixed: number;
  readonly converted: number;
  /** Minor units, whole. */
  readonly revenue: number;
  /** Against the first variation; null for that one, and while too few have converted. */
  readonly conversion: Difference | null;
  /** The same of the revenue of a visitor, in minor units. */
  readonly perVisitor: Difference | null;
}
interface GoalResult {
  readonly goal: string;
  readonly hasRevenue: boolean;
  readonly variations: readonly VariationResult[];
}
export interface CampaignResult {
  readonly campaign: KnownCampaign;
  readonly visitors: number;
  /** Probability of a split as odd as this; see ratioCheck. */
  readonly ratio: number;
  readonly isSplitBroken: boolean;
  readonly needed: number;
  readonly goals: readonly GoalResult[];
}

/** The results of a campaign so far. Reading them often does not bias them: see statistics.ts. */
export async function resultsOf(db: Root, campaign: KnownCampaign): Promise<CampaignResult> {
  const { country, id, plan, variations } = campaign;
  const counts = await visitorCounts(db, country, id);
  const seen = variations.map((one) => ({
    ...one,
    ...(counts.find(({ variation }) => variation === one.id) ?? { visitors: 0, mixed: 0 }),
  }));
  const comparisons = Math.max(1, variations.length - 1);
  const alpha = plan.alpha / comparisons;
  const goals: GoalResult[] = [];
  for (const goal of campaign.goals) {
    const reached = await goalCounts(db, country, id, goal.id);
    const rows = seen.map(({ id: own, name, weight, visitors, mixed }) => ({
      ...{ id: own, name, weight, visitors, mixed },
      ...(reached.find(({ variation }) => variation === own) ?? { converted: 0, revenue: 0, squares: 0 }),
    }));
    const [control] = rows;
    const share = ({ visitors, converted }: (typeof rows)[number]) => ({
      visitors,
      sum: converted,
      squares: converted,
    });
    const paid = ({ visitors, revenue, squares }: (typeof rows)[number]) => ({ visitors, sum: revenue, squares });
    const isEnough = (row: (typeof rows)[number]) => row.converted >= LEAST_CONVERTED;
    const hasRevenue = goal.type === 'REVENUE_TRACKING';
    goals.push({
      goal: goal.identifier,
      hasRevenue,
      variations: rows.map((row) => {
        const { squares: _squares, variation: _variation, ...known } = { variation: row.id, ...row };
        const isCompared = control !== undefined && row !== control && isEnough(row) && isEnough(control);
        return {
          ...known,
          conversion: isCompared ? differenceOf(share(control), share(row), tauOf(plan.effect), alpha) : null,
          perVisitor:
            isCompared && hasRevenue
              ? differenceOf(paid(control), paid(row), tauOf(plan.effect * plan.orderValue), alpha)
              : null,
        };
      }),
    });
  }
  const ratio = ratioCheck(seen.map(({ visitors, mixed, weight }) => ({ visitors: visitors + mixed, weight })));
  return {
    campaign,
    visitors: seen.reduce((sum, one) => sum + one.visitors, 0),
    ratio,
    isSplitBroken: ratio < BROKEN_SPLIT,
    needed: visitorsNeeded(plan, comparisons),
    goals,
  };
}

const percent = (share: number, digits = 2) => `${(share * 100).toFixed(digits)} %`;
const signed = (value: number, digits = 2) => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(digits)}`;
const day = (at: number | null) => (at === null ? '-' : new Date(at).toISOString().slice(0, 10));
const count = (value: number) => value.toLocaleString('en-IN');

function rowText(row: VariationResult, isControl: boolean, goal: GoalResult, country: string): string {
  const style = countryConfig(country);
  const amount = (minor: number) => `${minor < 0 ? '−' : ''}${formatMoney(money(Math.round(Math.abs(minor))), style)}`;
  const share = row.visitors === 0 ? '-' : percent(row.converted / row.visitors);
  const lines = [
    `    ${row.id} ${row.name}${isControl ? ' (control)' : ''}: ${count(row.visitors)} visitors, ${count(row.converted)} = ${share}` +
      (goal.hasRevenue && row.visitors > 0
        ? `, ${amount(row.revenue)}, ${amount(row.revenue / row.visitors)} a visitor`
        : ''),
  ];
  const told = (found: Difference, text: (value: number) => string) =>
    `${text(found.difference)}, between ${text(found.from)} and ${text(found.to)}: ${found.isFound ? (found.difference > 0 ? 'MORE' : 'LESS') : 'no difference shown so far'}`;
  if (row.conversion !== null)
    lines.push(`      conversion ${told(row.conversion, (value) => `${signed(value)} points`)}`);
  if (row.perVisitor !== null)
    lines.push(
      `      a visitor pays ${told(row.perVisitor, (value) => (value < 0 ? amount(value) : `+${amount(value)}`))}`,
    );
  if (!isControl && row.conversion === null)
    lines.push(`      not compared before ${LEAST_CONVERTED} visitors of it and of the control have done it`);
  return lines.join('\n');
}

/** One line of a campaign, as in a list. */
export const lineOf = ({ country, key, status, percentTraffic, startedAt, stoppedAt, variations }: KnownCampaign) =>
  `${country}  ${key}  ${status}, ${percentTraffic} % of visitors, ${variations.length} variations, from ${day(startedAt)} to ${day(stoppedAt)}`;

/** The result in words, for whoever runs the experiment. */
export function resultText({ campaign, visitors, ratio, isSplitBroken, needed, goals }: CampaignResult): string {
  const { plan, country, variations } = campaign;
  const mixed = (goals[0]?.variations ?? []).reduce((sum, one) => sum + one.mixed, 0);
  return [
    lineOf(campaign),
    `  ${count(visitors)} visitors${mixed > 0 ? `, and ${count(mixed)} who saw several variations and are left out` : ''}`,
    isSplitBroken
      ? `  BROKEN SPLIT: visitors did not come as the weights say (p ${ratio.toExponential(1)}). Believe nothing below before that is explained.`
      : `  split as the weights say (chi-square, p ${ratio.toFixed(3)})`,
    ...goals.flatMap((goal) => [
      `  ${goal.goal}`,
      ...goal.variations.map((row, index) => rowText(row, index === 0, goal, country)),
    ]),
    `  May be looked at every day: normal mixture sequential test, wrong in at most ${percent(plan.alpha, 0)} of experiments without a difference, ${Math.max(1, variations.length - 1)} comparisons together.`,
    `  Finds ${signed(plan.effect)} points on ${percent(plan.base, 0)} in ${percent(plan.power, 0)} of experiments, with ${count(needed)} visitors in each variation.`,
  ].join('\n');
}

/** The campaigns of a database, in all countries that it has. */
export async function allCampaigns(db: Root, countries: readonly string[]): Promise<KnownCampaign[]> {
  const found: KnownCampaign[] = [];
  for (const country of countries) found.push(...(await campaignsOf(db, country)));
  return found;
}
