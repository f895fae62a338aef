import * as session from '../contract/session.ts';
import { messageOr } from '../domain/alerts.ts';
import { timeoutSignal } from '../domain/sleep.ts';
import { Failure, isFailure } from './failure.ts';
import type { Identity } from './headers.ts';

/** Makes a session call without any handling of a 401, so that a refresh cannot start another refresh. */
export type PlainCall = (
  endpoint: typeof session.anonymous | typeof session.refresh | typeof session.refreshAnonymous,
  input: never,
  /** The specification, section 7, wants a refresh token in the body and in a header. */
  headers?: Readonly<Record<string, string>>,
) => Promise<session.SessionReply>;

export interface Refresher {
  /** Makes sure that there is a session; creates a guest session when there is none. */
  ensure(): Promise<void>;
  /**
   * After a 401: gets a new token, unless `sentToken` has already been replaced.
   * @throws Failure `expired` when a login has ended
   */
  renew(sentToken: string): Promise<void>;
}

/** How often one request may refresh the session, at most (specification section 4). */
export const MAX_REFRESH_THRESHOLD = 2;
const LOCK_TIMEOUT_MS = 20_000;

/** How this caller can get a token: one of the kinds in the specification, section 4. */
export function tokenKindOf({ credentials, userId }: Pick<Identity, 'credentials' | 'userId'>): session.TokenKind {
  if (!credentials || !userId) return 'ANONYMOUS_USER';
  return credentials.refreshToken ? 'REFRESH_TOKEN' : 'REFRESH_TOKEN_ANONYMOUS';
}

/**
 * Refreshes the session. All callers share one refresh (specification section 4, Token refresh). When the rejected
 * token has already been replaced, the request only has to be repeated. A login ends only when the server says so and
 * the stored refresh token is still the one that was refused.
 */
export function createRefresher(options: {
  /** The key of the bundle: each bundle on the same origin has a session of its own. */
  readonly apiKey: string;
  readonly identity: () => Identity;
  readonly renewed: (reply: session.SessionReply) => void;
  /** A login has ended; what the server says of it, if anything. */
  readonly ended: (said: string | undefined) => void;
  /** The server could not tell: whoever is logged in still is. */
  readonly unrenewed: (failure: Failure) => void;
  readonly plain: PlainCall;
}): Refresher {
  let flight: Promise<void> | null = null;
  /** Said once until a renewal succeeds: pages ask again by themselves. */
  let isFailureTold = false;

  async function renewNow(sentToken: string): Promise<void> {
    const { credentials, userId } = options.identity();
    if (credentials && credentials.accessToken !== sentToken) return;
    // Meanwhile somebody may have logged in or out, here or in another tab: what is answered then is nobody's any more.
    const renewed = (reply: session.SessionReply) => {
      if (options.identity().credentials?.accessToken === credentials?.accessToken) options.renewed(reply);
    };
    const guest = async () => renewed(await options.plain(session.anonymous, {} as never));
    const kind = tokenKindOf({ credentials, userId });
    if (!credentials || kind === 'ANONYMOUS_USER') return guest();
    const { refreshToken } = credentials;
    try {
      renewed(
        kind === 'REFRESH_TOKEN'
          ? await options.plain(session.refresh, { body: { userId, refreshToken } } as never, {
              refreshToken: refreshToken!,
            })
          : await options.plain(session.refreshAnonymous, {
              body: { userId, sessionToken: credentials.sessionToken },
            } as never),
      );
      isFailureTold = false;
    } catch (thrown) {
      if (isFailure(thrown) && thrown.kind === 'broken' && !isFailureTold) {
        isFailureTold = true;
        options.unrenewed(thrown);
      }
      const isRefused = isFailure(thrown) && (thrown.kind === 'refused' || thrown.kind === 'expired');
      if (!isRefused) throw thrown;
      if (!refreshToken) return guest();
      if (options.identity().credentials?.refreshToken !== refreshToken) return;
      options.ended(messageOr(thrown.errors[0], '') || undefined);
      throw new Failure('expired', { errors: thrown.errors, cause: thrown });
    }
  }

  // Two tabs of one bundle share one stored session. The lock lets the second tab see what the first one stored.
  const locked = (run: () => Promise<void>): Promise<void> => {
    if (typeof navigator !== 'object' || !navigator.locks) return run();
    let isOurs = false;
    const own = () => {
      isOurs = true;
      return run();
    };
    return navigator.locks.request(`session ${options.apiKey}`, { signal: timeoutSignal(LOCK_TIMEOUT_MS) }, own).then(
      () => undefined,
      (thrown: unknown) => {
        // A frozen tab can hold the lock for ever, and a frame without storage cannot get one: then this tab goes on
        // alone.
        if (isOurs) throw thrown;
        return run();
      },
    );
  };

  const fly = (sentToken: string) => {
    flight ??= locked(() => renewNow(sentToken)).finally(() => {
      flight = null;
    });
    return flight;
  };

  return {
    ensure: async () => {
      if (!options.identity().credentials) await fly('');
    },
    renew: fly,
  };
}
