import type * as z from 'zod/mini';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call: `open` needs only an api_key, `session` a guest or a user, `user` a logged-in user,
 * `development` exists only outside production.
 */
export type Access = 'open' | 'session' | 'user' | 'development';

type Schema = z.ZodMiniType;
type None = undefined;

export interface Endpoint<
  P extends string = string,
  Q extends Schema | None = Schema | None,
  B extends Schema | None = Schema | None,
  R extends Schema = Schema,
> {
  readonly method: Method;
  /** The specification's path; `{name}` marks a path parameter. */
  readonly path: P;
  /** Other paths with the same answer (the specification's versions of one call). */
  readonly aliases?: readonly string[];
  readonly access: Access;
  /** One line for the OpenAPI document. */
  readonly about: string;
  readonly query: Q;
  readonly body: B;
  readonly reply: R;
  /** A write that would count twice needs an Idempotency-Key; its first reply is kept for 24 hours. */
  readonly idempotent: boolean;
  /** Its body or its reply holds a credential, a pin or a token of somebody's: nothing of it is kept for a repeated call. */
  readonly isSecret?: boolean;
  /** The feature this belongs to: if it is blocked for the country or partner, the call answers 403. */
  readonly feature: string | null;
  /** Answers with server-sent events; `reply` is the data of each event. */
  readonly stream: boolean;
  /** Answers with a file of this media type; `reply` is its text. */
  readonly file?: string;
}

type Config<P extends string, Q, B, R> = {
  method: Method;
  path: P;
  about: string;
  reply: R;
  query?: Q;
  body?: B;
  access?: Access;
  idempotent?: boolean;
  isSecret?: boolean;
  feature?: string;
  stream?: boolean;
  file?: string;
  aliases?: readonly string[];
};

/**
 * Describes one endpoint; the client call, the server route, the OpenAPI document and the fuzz tests are derived from
 * it.
 */
export function endpoint<
  const P extends string,
  R extends Schema,
  Q extends Schema | None = None,
  B extends Schema | None = None,
>(config: Config<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return {
    access: 'session',
    idempotent: false,
    feature: null,
    stream: false,
    query: undefined as Q,
    body: undefined as B,
    ...config,
  };
}

/**
 * Whether a call must have an Idempotency-Key, takes one that is sent, or has no use for it: what only reads, what has
 * no customer whose key it could be, and what may not be kept.
 */
export function keyUse({ method, access, idempotent, isSecret, stream, file }: Endpoint): 'needed' | 'taken' | 'none' {
  if (idempotent) return 'needed';
  const isCustomers = access === 'session' || access === 'user';
  return method === 'GET' || !isCustomers || isSecret || stream || file !== undefined ? 'none' : 'taken';
}

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
type Simplify<T> = { [K in keyof T]: T[K] } & {};
/** Path parameters by name; a missing one is a type error. */
type Params<P extends string> = { [K in ParamNames<P>]: string };
type Part<K extends string, S> = S extends Schema ? { [k in K]: z.input<S> } : unknown;

/** What a caller passes: path parameters by name, then `query` and `body` if the endpoint has them. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Simplify<Params<P> & Part<'query', Q> & Part<'body', B>>
    : never;

/** What a caller gets: the parsed success reply. */
export type Reply<E> = E extends Endpoint<string, infer _Q, infer _B, infer R> ? z.output<R> : never;

/** What a server handler gets: path parameters by name, and the parsed `query` and `body`. */
export type EndpointInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Simplify<
        Params<P> &
          (Q extends Schema ? { query: z.output<Q> } : unknown) &
          (B extends Schema ? { body: z.output<B> } : unknown)
      >
    : never;

/** Fills in the `{name}` parts of a path; every value is percent-encoded. */
export function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
