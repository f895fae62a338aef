import { circuitBreaker, CircuitState, ConsecutiveBreaker, DelegateBackoff, handleAll } from 'cockatiel';
import { ProviderAway, type Breaker, type Outside, type Question } from '../call/outside.ts';
import { noCounts, type Counts } from '../call/counts.ts';
import type { Log } from '../call/services.ts';
import { traceHeaders } from '../trace.ts';
import { doubledMs } from '../../domain/time.ts';

/** Calls in a row without an answer after which a provider counts as away. */
const FAILURES = 5;
/** An away provider is asked again after this, then after twice as long, and so on. */
const FIRST_PROBE_MS = 1_000;
const LAST_PROBE_MS = 30_000;
const KNOCK_AT_MOST_MS = 5_000;

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
} as const;

/** What went wrong, without addresses: `ECONNREFUSED`, `TimeoutError`, `503`. */
function failureOf(reason: object): string {
  if ('value' in reason) return String((reason.value as Response).status);
  const { error } = reason as { error?: { name?: string; cause?: { code?: string } } };
  return error?.cause?.code ?? error?.name ?? 'unknown';
}

/**
 * Whether anything answers at an address that no customer has asked since it went away. Nothing is meant by it: the root of
 * a server, without what the calls to it say.
 */
const knock = (origin: string): Promise<boolean> =>
  fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(KNOCK_AT_MOST_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );

function breakerOf(provider: string, log: Log) {
  let seen: Breaker = { provider, state: 'closed', isBack: false, since: Date.now(), failure: null };
  /** Where it was asked last. */
  let origin = '';
  let knocking: NodeJS.Timeout | undefined;
  const isOpen = () => seen.state === 'open';
  async function lookForIt(): Promise<void> {
    const isBack = await knock(origin);
    if (isOpen()) seen = { ...seen, isBack };
  }
  let nextProbeAt = 0;
  const policy = circuitBreaker(
    handleAll.orWhenResult((answer) => answer instanceof Response && answer.status >= 500),
    {
      breaker: new ConsecutiveBreaker(FAILURES),
      halfOpenAfter: new DelegateBackoff(({ attempt }: { attempt: number }) => {
        const wait = doubledMs(FIRST_PROBE_MS, attempt - 1, LAST_PROBE_MS);
        nextProbeAt = Date.now() + wait;
        return wait;
      }),
    },
  );
  policy.onBreak((reason) => {
    const failure = failureOf(reason);
    if (seen.state === 'closed') log.warn({ provider, failure }, 'a provider does not answer, and is left alone');
    seen = { ...seen, since: seen.state === 'closed' ? Date.now() : seen.since, failure };
  });
  policy.onStateChange((state) => {
    seen = { ...seen, state: STATES[state], isBack: false };
    clearInterval(knocking);
    if (isOpen()) knocking = setInterval(() => void lookForIt(), LAST_PROBE_MS).unref();
    if (state !== CircuitState.Closed) return;
    log.info({ provider, awayMs: Date.now() - seen.since }, 'a provider answers again');
    seen = { ...seen, since: Date.now(), failure: null };
  });
  return {
    policy,
    asks(url: string | URL) {
      ({ origin } = new URL(url));
    },
    state: () => seen,
    /** Open, or with the one call under way that tries it. */
    isAway: () => seen.state === 'half-open' || (seen.state === 'open' && Date.now() < nextProbeAt),
    retryInMs: () => Math.max(nextProbeAt - Date.now(), FIRST_PROBE_MS),
  };
}

/** Whether a page or a call may go there: only what is encrypted on its way, or does not leave this machine. */
export function isSafe(address: string): boolean {
  const url = URL.parse(address);
  return (
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname))
  );
}

/** The answer with its whole body: one that stops in its middle is none. */
async function whole(url: string | URL, { deadlineMs, forgives: _, ...init }: Question): Promise<Response> {
  const late = AbortSignal.timeout(deadlineMs);
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
  const response = await fetch(url, {
    redirect: 'error',
    ...init,
    headers,
    signal: init.signal ? AbortSignal.any([init.signal, late]) : late,
  });
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers });
}

/** Calls to the providers, with a breaker for each. A process learns for itself who is away. */
/** @param told its counts are read for each call: they may begin later */
export function outside(log: Log, told: { readonly counts: Counts } = { counts: noCounts }): Outside {
  const breakers = new Map<string, ReturnType<typeof breakerOf>>();
  return {
    async ask(provider, url, question) {
      const breaker = breakers.get(provider) ?? breakerOf(provider, log);
      breakers.set(provider, breaker);
      breaker.asks(url);
      const started = performance.now();
      if (breaker.isAway()) {
        told.counts.asked({ provider, outcome: 'left_alone', seconds: 0 });
        throw new ProviderAway(provider, breaker.retryInMs());
      }
      let outcome: 'answered' | 'failed' = 'failed';
      try {
        const answer = await breaker.policy.execute(async () => {
          try {
            return await whole(url, question);
          } catch (error) {
            if (question.forgives?.(error) === true) return error as Error;
            throw error;
          }
        });
        if (!(answer instanceof Response)) throw answer;
        if (answer.status < 500) outcome = 'answered';
        return answer;
      } catch (error) {
        if (breaker.state().state === 'closed') throw error;
        throw new ProviderAway(provider, breaker.retryInMs(), { cause: error });
      } finally {
        told.counts.asked({ provider, outcome, seconds: (performance.now() - started) / 1000 });
      }
    },
    isAway: (provider) => breakers.get(provider)?.isAway() === true,
    breakerStates: () => [...breakers.values()].map(({ state }) => state()),
  };
}
