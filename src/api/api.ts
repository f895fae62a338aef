import type { Endpoint, Input, Reply } from '../contract/endpoint.ts';
import type { SessionReply } from '../contract/session.ts';
import type { Failure } from './failure.ts';
import type { Caller, Identity } from './headers.ts';
import type { StreamOptions } from './stream.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How often a network failure is retried. A caller that counts retries itself sets it. */
  readonly retries?: number;
  /** Created once for each thing the customer wants to do; every retry sends the same key. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** It outlives a page that is left. */
  readonly keepalive?: boolean;
}

export interface Api {
  /** Returns the parsed success reply. @throws Failure */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Reply<E>>;
  /** Makes sure that a session exists; for pages that need its ids before their first call. */
  ensureSession(): Promise<void>;
  /** Reads an endpoint that streams, until the server or `signal` ends it; see stream.ts. */
  follow<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options: Omit<StreamOptions, 'onEvent'> & { readonly onEvent: (data: Reply<E>, id: string) => void },
  ): Promise<'end' | 'bye'>;
  /** Returns the file of an endpoint that answers with one. @throws Failure */
  download<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Blob>;
}

export interface ApiConfig extends Caller {
  /** '' means the page's own origin. */
  readonly origin: string;
  readonly identity: () => Identity;
  readonly renewed: (reply: SessionReply) => void;
  /** Called when the server has ended a login, with what it says of it. */
  readonly ended: (said: string | undefined) => void;
  /** Called when the server could not renew a session, nor say that it is over. */
  readonly unrenewed: (failure: Failure) => void;
  /** Called with the server's clock (epoch ms) of every reply that carries it. */
  readonly told: (serverMs: number) => void;
  /** Called before a failed request is sent again. */
  readonly retrying?: () => void;
}
