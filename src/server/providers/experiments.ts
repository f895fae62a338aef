import * as contract from '../../contract/experiments.ts';
import type { Outside } from '../call/outside.ts';
import type { ExperimentService } from '../call/providers.ts';
import { experimentService, type Environment } from '../environment.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** Time limit of the settings (specification section 9). */
const DEADLINE_MS = 5_000;
const FRESH_MS = MINUTE_MS;

/**
 * The experiment service elsewhere that is configured; null: the one here. Pages talk to us alone: we ask for its settings
 * and hand their events on.
 */
export function outsideExperiments(environment: Environment, outside: Outside): ExperimentService | null {
  const service = environment.read(experimentService);
  if (service === null) return null;
  const { url, account, key } = service;
  const address = (path: string, query: Record<string, string>) =>
    `${url.replace(/\/$/, '')}${path}?${new URLSearchParams(query).toString()}`;
  let held: { readonly settings: Awaited<ReturnType<ExperimentService['settings']>>; readonly at: number } | null =
    null;
  let asking: Promise<void> | null = null;

  /** An answer that does not fit the schema counts as none: the last good settings stay. */
  async function refresh(): Promise<void> {
    const query = { a: account, i: key, r: String(Math.random()), platform: 'server' };
    const answer = await outside.ask('experiments', address(contract.settings.path, query), {
      deadlineMs: DEADLINE_MS,
    });
    if (!answer.ok) throw new Error(`the experiment service answered ${answer.status}`);
    const given = (await answer.json()) as object;
    held = {
      settings: contract.settings.reply.parse({ campaignGroups: {}, groups: {}, ...given, status: 'SUCCESS' }),
      at: Date.now(),
    };
  }
  const asked = () =>
    (asking ??= refresh()
      .catch(() => undefined)
      .finally(() => {
        asking = null;
      }));

  return {
    async settings() {
      // The first page waits for them; later ones have the last, and the next ones the new.
      if (held === null) await asked();
      else if (Date.now() - held.at > FRESH_MS) void asked();
      return held?.settings ?? null;
    },
    async forward(events) {
      const answer = await outside.ask('experiments', address(contract.batch.path, { a: account, sd: key }), {
        method: 'POST',
        deadlineMs: DEADLINE_MS,
        headers: { 'content-type': 'application/json', authorization: key },
        body: JSON.stringify({ ev: events.map(({ id: _own, ...event }) => event) }),
      });
      // It has understood, and will not take them: trying again would change nothing.
      if (answer.status >= 500 || answer.status === 408 || answer.status === 429)
        throw new Error(`the experiment service answered ${answer.status}`);
    },
  };
}
