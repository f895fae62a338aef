import ky, { HTTPError, TimeoutError } from 'ky';
import { loadChunk } from '../bridge/scripts.ts';
import { fillPath, type Endpoint } from '../contract/endpoint.ts';
import { completeErrors } from '../domain/alerts.ts';
import { Failure, failureOf, isFailure } from './failure.ts';
import type { Api, ApiConfig, CallOptions } from './api.ts';
import { headersOf } from './headers.ts';
import { createRefresher, MAX_REFRESH_THRESHOLD } from './refresh.ts';

/** Time limit of every call, whatever the network does (specification section 9). */
const REQUEST_TIMEOUT_MS = 30_000;

type Anything = Record<string, unknown> & { query?: Record<string, unknown>; body?: unknown };

export function createApi(config: ApiConfig): Api {
  const refresher = createRefresher({
    ...config,
    plain: (endpoint, input, headers = {}) => once(endpoint, input, { headers }, true) as never,
  });

  /** Returns the server's response, whatever its status. ky retries network failures and some error statuses. */
  async function send(endpoint: Endpoint, input: Anything, options: CallOptions): Promise<Response> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {}))
      if (value !== undefined) search.set(name, String(value));
    const isRepeatable = endpoint.method === 'GET' || options.idempotencyKey !== undefined;
    try {
      return await ky(config.origin + fillPath(endpoint.path, input), {
        method: endpoint.method,
        // As text: of URLSearchParams ky reads `size`, without which (Chromium 112, Safari 16) it sends no query at all.
        searchParams: search.toString(),
        ...(endpoint.body ? { json: input.body } : {}),
        headers: {
          ...headersOf(config, config.identity()),
          ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
          ...options.headers,
        },
        timeout: REQUEST_TIMEOUT_MS,
        retry: {
          limit: isRepeatable ? (options.retries ?? 2) : 0,
          methods: [endpoint.method.toLowerCase() as 'get'],
          statusCodes: [408, 429, 502, 503, 504],
          maxRetryAfter: 30_000,
          jitter: true,
        },
        hooks: { beforeRetry: [() => config.retrying?.()] },
        throwHttpErrors: (status) => status >= 500 || status === 429 || status === 408,
        credentials: 'omit',
        keepalive: options.keepalive === true,
        ...(options.signal ? { signal: options.signal } : {}),
      });
    } catch (thrown) {
      if (!(thrown as HTTPError).response) throw networkFailure(thrown, options.signal);
      return (thrown as HTTPError).response;
    }
  }

  /** Makes one request. Returns the parsed reply. @throws Failure for everything else */
  async function once(
    endpoint: Endpoint,
    input: Anything,
    options: CallOptions,
    isReparsed: boolean,
  ): Promise<unknown> {
    const response = await send(endpoint, input, options);
    const serverMs = Number(response.headers.get('x-server-time'));
    if (serverMs > 0) config.told(serverMs);
    let body: unknown;
    try {
      body = await response.json();
    } catch (thrown) {
      if (options.signal?.aborted) throw new Failure('aborted', { cause: thrown });
      // A reply that was cut off or is not ours is worth a second try when repeating the request changes nothing.
      if (endpoint.method === 'GET' && !isReparsed && response.ok) return once(endpoint, input, options, true);
      throw new Failure('broken', { httpStatus: response.status, cause: thrown });
    }
    completeErrors(body);
    const parsed = endpoint.reply.safeParse(body);
    if (parsed.success && response.ok) return parsed.data;
    throw failureOf(response.status, body, parsed.error);
  }

  async function call(endpoint: Endpoint, input: Anything, options: CallOptions = {}): Promise<unknown> {
    if (endpoint.access !== 'open') await refresher.ensure();
    for (let refreshes = 0; ; refreshes += 1) {
      const sentToken = config.identity().credentials?.accessToken ?? '';
      try {
        return await once(endpoint, input, options, false);
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'expired') throw thrown;
        if (refreshes >= MAX_REFRESH_THRESHOLD)
          throw new Failure('unrefreshed', {
            httpStatus: thrown.httpStatus,
            requestId: thrown.requestId,
            cause: thrown,
          });
        await refresher.renew(sentToken);
      }
    }
  }

  /** What answers otherwise than with JSON is loaded on demand: few pages need it. */
  const aside = async () => (await loadChunk(() => import('./streaming.ts'))).aside(config, refresher);

  return {
    call: call as Api['call'],
    ensureSession: refresher.ensure,
    follow: async (endpoint, input, options) => (await aside()).follow(endpoint, input, options),
    download: async (endpoint, input) => (await aside()).download(endpoint, input),
  };
}

function networkFailure(thrown: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return new Failure('aborted', { cause: thrown });
  if ((thrown as TimeoutError).name === 'TimeoutError') return new Failure('timeout', { cause: thrown });
  return new Failure('offline', { cause: thrown });
}
