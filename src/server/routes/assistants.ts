import * as assistants from '../../contract/assistants.ts';
import { on, type Route } from '../call/route.ts';
import { estimateOf } from '../rules/assistants/estimate.ts';

export const assistantRoutes: Route[] = [on(assistants.estimate, ({ body }, call) => estimateOf(call, body))];
