import * as activity from '../../contract/activity.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type Route } from '../call/route.ts';
import { forgetUse, keepPageView, keepUse } from '../rules/people/activity.ts';

export function activityRoutes({ analytics }: { readonly analytics: boolean }): Route[] {
  return [
    on(activity.savePageView, async ({ body: { data } }, call) => {
      await keepPageView(call, data);
      return {};
    }),
    on(activity.collect, async ({ body }, call) => {
      if (!analytics) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
      await keepUse(call, body);
      return {};
    }),
    on(activity.forget, async (_input, call) => {
      await forgetUse(call);
      return {};
    }),
  ];
}
