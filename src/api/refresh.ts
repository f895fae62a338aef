import * as session from '../contract/session.ts';
import { Failure, isFailure } from './failure.ts';
import type { Identity } from './headers.ts';

/** Calls outside of refreshing: the plain call without any 401 handling. */
export type PlainCall = (endpoint: typeof session.anonymous | typeof session.refresh | typeof session.refreshAnonymous, input: never)
  => Promise<session.SessionReply>;

export interface Refresher {
  /** A usable session: makes a guest when there is none. */
  ensure(): Promise<void>;
  /** After a 401: a fresh token unless `sentToken` is already an old one. Throws `expired` when a login has ended. */
  renew(sentToken: string): Promise<void>;
}

const LOCK_TIMEOUT_MS = 20_000;

/** What a caller can be given a token by: the kinds of the specification, section 4. */
export function tokenKindOf({ credentials, userId }: Pick<Identity, 'credentials' | 'userId'>): session.TokenKind {
  if (!credentials || !userId) return 'ANONYMOUS_USER';
  return credentials.refreshToken ? 'REFRESH_TOKEN' : 'REFRESH_TOKEN_ANONYMOUS';
}

/**
 * One flight for all callers (specification section 4, Token refresh). A 401 for a token that is no longer current only
 * means "retry". A login ends only on the server's word and only if the token that failed is still ours.
 */
export function createRefresher(options: {
  /** The bundle: others of the same origin keep a session of their own. */
  readonly apiKey: string;
  readonly identity: () => Identity;
  readonly renewed: (reply: session.SessionReply) => void;
  readonly ended: () => void;
  readonly plain: PlainCall;
}): Refresher {
  let flight: Promise<void> | null = null;

  const guest = async () => options.renewed(await options.plain(session.anonymous, {} as never));

  async function renewNow(sentToken: string): Promise<void> {
    const { credentials, userId } = options.identity();
    if (credentials && credentials.accessToken !== sentToken) return;
    const kind = tokenKindOf({ credentials, userId });
    if (!credentials || kind === 'ANONYMOUS_USER') return guest();
    const { refreshToken } = credentials;
    try {
      options.renewed(kind === 'REFRESH_TOKEN'
        ? await options.plain(session.refresh, { body: { userId, refreshToken } } as never)
        : await options.plain(session.refreshAnonymous, { body: { userId, sessionToken: credentials.sessionToken } } as never));
    } catch (thrown) {
      const isRefused = isFailure(thrown) && (thrown.kind === 'refused' || thrown.kind === 'expired');
      if (!isRefused) throw thrown;
      if (!refreshToken) return guest();
      if (options.identity().credentials?.refreshToken !== refreshToken) return;
      options.ended();
      throw new Failure('expired', { errors: thrown.errors, cause: thrown });
    }
  }

  // Two tabs of one bundle share one stored session: the lock lets the second see what the first one stored.
  const locked = (run: () => Promise<void>): Promise<void> => {
    if (typeof navigator !== 'object' || !navigator.locks) return run();
    let isOurs = false;
    const own = () => { isOurs = true; return run(); };
    return navigator.locks.request(`session ${options.apiKey}`, { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, own).then(() => undefined, (thrown: unknown) => {
      // A frozen tab may hold the lock for ever, and a frame without storage is given none: then this one goes on alone.
      if (isOurs) throw thrown;
      return run();
    });
  };

  const fly = (sentToken: string) => {
    flight ??= locked(() => renewNow(sentToken)).finally(() => { flight = null; });
    return flight;
  };

  return {
    ensure: async () => { if (!options.identity().credentials) await fly(''); },
    renew: fly,
  };
}
