import ky, { HTTPError, TimeoutError } from 'ky';
import type * as z from 'zod/mini';
import { loadChunk } from '../bridge/scripts.ts';
import { fillPath, type Endpoint, type Input, type Reply } from '../contract/endpoint.ts';
import { Failed } from '../contract/reply.ts';
import type { SessionReply } from '../contract/session.ts';
import { Failure, isFailure } from './failure.ts';
import { headersOf, type Caller, type Identity } from './headers.ts';
import { createRefresher } from './refresh.ts';
import type { StreamOptions } from './stream.ts';

/** Of every call, whatever the network does (specification section 9). */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Refreshes for one request at most (specification section 4). */
export const MAX_REFRESH_THRESHOLD = 2;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How often the network's own failures are tried again, for a caller that counts itself. */
  readonly retries?: number;
  /** Made once per thing the customer wants; the same on every retry. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** Parsed success reply, or a thrown Failure. */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Reply<E>>;
  /** Makes sure that a session exists, for pages that need its ids before their first call. */
  ensureSession(): Promise<void>;
  /** Follows an endpoint that streams, until the server or `signal` ends it; see stream.ts. */
  follow<E extends Endpoint>(endpoint: E, input: Input<E>, options: Omit<StreamOptions, 'onEvent'> & { readonly onEvent: (data: Reply<E>, id: string) => void }): Promise<'end' | 'bye'>;
}

export interface ApiConfig extends Caller {
  /** '' for the page's own origin. */
  readonly origin: string;
  readonly identity: () => Identity;
  readonly renewed: (reply: SessionReply) => void;
  /** A login ended on the server. */
  readonly ended: () => void;
  /** Epoch milliseconds of the server's clock, as an answer told it. */
  readonly told: (serverMs: number) => void;
  /** The network failed and a request is sent once more. */
  readonly retrying?: () => void;
}

type Anything = Record<string, unknown> & { query?: Record<string, unknown>; body?: unknown };

export function createApi(config: ApiConfig): Api {
  const refresher = createRefresher({ ...config, plain: (endpoint, input) => once(endpoint, input, {}, true) as never });

  /** One request with ky's retries; every way it can end is a value or a Failure. */
  async function once(endpoint: Endpoint, input: Anything, options: CallOptions, isReparsed: boolean): Promise<unknown> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) if (value !== undefined) search.set(name, String(value));
    const isRepeatable = endpoint.method === 'GET' || options.idempotencyKey !== undefined;
    let response: Response;
    try {
      response = await ky(config.origin + fillPath(endpoint.path, input), {
        method: endpoint.method,
        searchParams: search,
        ...(endpoint.body ? { json: input.body } : {}),
        headers: {
          ...headersOf(config, config.identity()),
          ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
          ...options.headers,
        },
        timeout: REQUEST_TIMEOUT_MS,
        retry: { limit: isRepeatable ? options.retries ?? 2 : 0, methods: [endpoint.method.toLowerCase() as 'get'], statusCodes: [408, 429, 502, 503, 504], maxRetryAfter: 30_000, jitter: true },
        hooks: { beforeRetry: [() => config.retrying?.()] },
        throwHttpErrors: (status) => status >= 500 || status === 429 || status === 408,
        credentials: 'omit',
        ...(options.signal ? { signal: options.signal } : {}),
      });
    } catch (thrown) {
      if (!(thrown as HTTPError).response) throw networkFailure(thrown, options.signal);
      response = (thrown as HTTPError).response;
    }
    const serverMs = Number(response.headers.get('x-server-time'));
    if (serverMs > 0) config.told(serverMs);
    let body: unknown;
    try {
      body = await response.json();
    } catch (thrown) {
      if (options.signal?.aborted) throw new Failure('aborted', { cause: thrown });
      // A cut or foreign body is worth one more try where asking again changes nothing.
      if (endpoint.method === 'GET' && !isReparsed && response.ok) return once(endpoint, input, options, true);
      throw new Failure('broken', { httpStatus: response.status, cause: thrown });
    }
    const parsed = (endpoint.reply as z.ZodMiniType).safeParse(body);
    if (parsed.success && response.ok) return parsed.data;
    const failed = Failed.safeParse(body);
    if (!failed.success) throw new Failure('broken', { httpStatus: response.status, cause: parsed.error });
    throw new Failure(response.status === 401 ? 'expired' : response.status >= 500 ? 'broken' : 'refused', {
      errors: failed.data.errors, httpStatus: response.status, requestId: failed.data.requestId ?? '',
    });
  }

  async function call(endpoint: Endpoint, input: Anything, options: CallOptions = {}): Promise<unknown> {
    if (endpoint.access !== 'open') await refresher.ensure();
    for (let refreshes = 0; ; refreshes += 1) {
      const sentToken = config.identity().credentials?.accessToken ?? '';
      try {
        return await once(endpoint, input, options, false);
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'expired') throw thrown;
        if (refreshes >= MAX_REFRESH_THRESHOLD) throw new Failure('unrefreshed', { httpStatus: thrown.httpStatus, requestId: thrown.requestId, cause: thrown });
        await refresher.renew(sentToken);
      }
    }
  }

  async function follow(endpoint: Endpoint, input: Anything, options: StreamOptions): Promise<'end' | 'bye'> {
    // Only pages with an order under way need it.
    const { readStream, streamUrl } = await loadChunk(() => import('./stream.ts'));
    await refresher.ensure();
    for (let refreshes = 0; ; refreshes += 1) {
      const identity = config.identity();
      try {
        return await readStream(streamUrl(config.origin, endpoint, input), headersOf(config, identity), endpoint, options);
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'expired' || refreshes >= MAX_REFRESH_THRESHOLD) throw thrown;
        await refresher.renew(identity.credentials?.accessToken ?? '');
      }
    }
  }

  return { call: call as Api['call'], ensureSession: refresher.ensure, follow: follow as Api['follow'] };
}

function networkFailure(thrown: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return new Failure('aborted', { cause: thrown });
  if ((thrown as TimeoutError).name === 'TimeoutError') return new Failure('timeout', { cause: thrown });
  return new Failure('offline', { cause: thrown });
}
