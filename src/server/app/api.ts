import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { errors, inLanguage } from '../call/language.ts';
import { openApi } from '../http/openapi.ts';
import { insideCalls } from '../http/inside.ts';
import { registerAssistants } from '../http/assistants/assistantDoor.ts';
import { languageOf } from '../http/replyCache.ts';
import { answerFailed, registerKept, registerRaw, registerRoutes, requestIdOf } from '../http/register.ts';
import type { App, AppContext, Setting } from '../http/register.ts';
import { readiness } from '../http/readiness.ts';
import { failedReply, jsonReply, readyReply, send } from '../http/reply.ts';
import { allRoutes, rawRoutes } from '../http/routes.ts';
import { inTrace, traceOfCall } from '../trace.ts';
import { HOUR_S } from '../../domain/time.ts';

const PREFLIGHT_KEPT_SECONDS = 2 * HOUR_S;

/** The whole API as one fetch function; serve() adds the pages. */
export function createApp(
  setting: Setting,
  routes: ReturnType<typeof allRoutes>,
  ready: ReturnType<typeof readiness>,
  withEmbedded: boolean,
): App {
  const [{ services }] = setting.bases;
  const app: App = new Hono<{ Bindings: HttpBindings }>();
  // Any origin may call: the API uses no cookies. The allowed headers are not listed because they differ per build
  // (specification section 7). Which headers may be read stands in each answer (http/reply.ts): files have none.
  app.use(
    '*',
    cors({
      origin: '*',
      allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      maxAge: PREFLIGHT_KEPT_SECONDS,
    }),
  );
  app.use('*', (context, next) =>
    inTrace(
      traceOfCall((name) => context.req.header(name), requestIdOf(context)),
      () => inLanguage(languageOf(context.req.header('accept-language') ?? ''), next),
    ),
  );
  registerRoutes(app, routes, setting);
  const raw = rawRoutes();
  registerRaw(app, raw, setting, withEmbedded);
  registerAssistants(app, setting, insideCalls(routes));
  registerKept(app, '/openapi.json', () =>
    JSON.stringify(
      openApi(
        routes
          .filter((route) => services.development || route.endpoint.access !== 'development')
          .map((route) => route.endpoint),
        services.origin,
      ),
    ),
  );
  app.get('/health', (context) =>
    send(context.env.outgoing, jsonReply(200, '{"status":"SUCCESS"}', requestIdOf(context))),
  );
  app.get('/ready', async (context) => send(context.env.outgoing, readyReply(await ready(), requestIdOf(context))));
  const notFound = (context: AppContext) =>
    send(
      context.env.outgoing,
      failedReply(404, [{ code: 'NOT_FOUND', displayMsg: errors.brokenLink }], requestIdOf(context)),
    );
  // Unknown paths below the API's own first segments get a 404 in JSON, never a page.
  for (const first of new Set(
    [...routes.map((route) => route.endpoint.path), ...raw.map((route) => route.path)].map(
      (path) => path.split('/')[1],
    ),
  ))
    app.all(`/${first}/*`, notFound);
  app.notFound(notFound);
  app.onError((error, context) =>
    send(context.env.outgoing, answerFailed(context, error, setting, { method: context.req.method })),
  );
  return app;
}
