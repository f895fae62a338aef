import * as contract from '../../contract/experiments.ts';
import { EVENT, type BatchEvent } from '../../contract/experiments.ts';
import { on, onShared, type Route } from '../call/route.ts';
import { noCampaigns, settingsFile } from '../rules/experiments/campaigns.ts';
import { keepEvents } from '../rules/experiments/record.ts';

/** What the calls by GET have in common. */
const common = ({ u, sId, random }: { u: string; sId: string; random: string }) => ({
  id: `${sId}.${random}`,
  u,
  sId: Number(sId),
});

type Props = Readonly<Record<string, unknown>>;
const numberIn = (value: unknown) => (Number.isSafeInteger(Number(value)) && Number(value) >= 0 ? Number(value) : 0);

/** An event of the newer form as those of a batch: one for each campaign that its goal is of. */
function asBatch(
  {
    msgId,
    visId,
    event,
    visitor,
  }: { msgId: string; visId: string; event: { name: string; props: Props }; visitor?: { props: Props } | undefined },
  now: number,
): BatchEvent[] {
  const one = { id: msgId, u: visId, sId: Math.floor(now / 1000) };
  const { props } = event;
  if (event.name === 'vwo_variationShown')
    return [{ ...one, eT: EVENT.impression, e: numberIn(props['id']), c: numberIn(props['variation']) }];
  if (event.name === 'vwo_syncVisitorProp') {
    const { vwo_fs_environment: _key, ...tags } = visitor?.props ?? {};
    return [{ ...one, eT: EVENT.push, t: JSON.stringify({ u: tags }) }];
  }
  const meta = (props['vwoMeta'] ?? {}) as { metric?: Record<string, unknown> } & Props;
  const amounts = Object.entries(meta).filter(([name, value]) => name !== 'metric' && Number.isSafeInteger(value));
  const r = numberIn(amounts[0]?.[1] ?? 0);
  return Object.entries(meta.metric ?? {}).flatMap(([campaign, goals]) =>
    (Array.isArray(goals) ? goals : []).slice(0, 10).map((goal) => ({
      ...one,
      eT: EVENT.goal,
      e: numberIn(campaign.replace('id_', '')),
      g: numberIn(String(goal).replace('g_', '')),
      r,
    })),
  );
}

export const experimentRoutes: Route[] = [
  onShared(contract.settings, async (_input, { db, caller, services }) => {
    if (services.experiments === null) return await settingsFile(db, caller.country);
    return (await services.experiments.settings()) ?? { ...noCampaigns(caller.country) };
  }),
  on(contract.trackUser, ({ query }, call) =>
    keepEvents(call, [
      { ...common(query), eT: EVENT.impression, e: Number(query.experiment_id), c: Number(query.combination) },
    ]),
  ),
  on(contract.trackGoal, ({ query }, call) =>
    keepEvents(call, [
      {
        ...common(query),
        eT: EVENT.goal,
        e: Number(query.experiment_id),
        c: Number(query.combination),
        g: Number(query.goal_id),
        r: Number(query.r ?? 0),
      },
    ]),
  ),
  on(contract.push, ({ query }, call) => keepEvents(call, [{ ...common(query), eT: EVENT.push, t: query.tags }])),
  on(contract.events, ({ body: { d } }, call) => keepEvents(call, asBatch(d, call.now))),
  on(contract.batch, ({ body: { ev } }, call) => keepEvents(call, ev)),
];
