import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { Identity } from '../../api/headers.ts';
import { Credentials, UserAttributes, type SessionReply } from '../../contract/session.ts';
import { forgetCustomerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { popupAtom } from './popup.ts';
import { hostAtom, navigateAtom, pathAtom } from '../first/seams.ts';

const Session = z.nullable(z.object({ credentials: Credentials, attributes: UserAttributes }));
type Session = z.output<typeof Session>;

/**
 * A guest until login. There is a refresh token exactly when the customer is logged in (specification section 4,
 * product.md C51).
 */
export const sessionAtom = kept<Session>({
  key: 'session',
  schema: Session,
  initial: null,
  forget: 'logout',
  secret: true,
});

/**
 * What the server gave this device when it was logged in. It says nothing of the customer, and stays when they log out:
 * by it, strangers who ask for codes without end can never keep this device out. Here, because a secret of a later
 * journey would come after the secrets are opened (lib/secretStorage.ts).
 */
export const deviceTokenAtom = kept<string>({
  key: 'device-token',
  schema: z.string(),
  initial: '',
  forget: 'never',
  secret: true,
});

export const isLoggedInAtom = atom((get) => Boolean(get(sessionAtom)?.credentials.refreshToken));
export const userAtom = atom((get) => get(sessionAtom)?.attributes ?? null);
export const cartIdAtom = atom((get) => get(sessionAtom)?.attributes.cartId ?? null);

/** Stores the session in the answer of anonymous user, refresh and login. */
export const renewSessionAtom = atom(null, (_get, set, reply: SessionReply) => {
  set(sessionAtom, { credentials: reply.credentials, attributes: reply.attributes });
});

/** Takes over what the server says of the customer; the session stays. */
export const putUserAtom = atom(null, (_get, set, attributes: UserAttributes) => {
  set(sessionAtom, (session) => (session === null ? null : { ...session, attributes }));
});

/**
 * The server has ended the login: everything of the customer is removed, and a popup says so once, in the server's words
 * if it has any (specification section 4, Token refresh).
 */
export const endSessionAtom = atom(null, (get, set, said?: string) => {
  if (!get(isLoggedInAtom)) return;
  set(forgetCustomerAtom);
  const isOwnLogin = get(hostAtom).fullMode;
  const back = encodeURIComponent(get(pathAtom));
  set(popupAtom, {
    message: said ?? (isOwnLogin ? errors.loggedOut : errors.loggedOutInHost),
    ...(isOwnLogin ? { left: { label: t.loginNotNow } } : {}),
    right: isOwnLogin
      ? { label: t.login, act: () => get(navigateAtom).go(`/login?redirectUrl=${back}`) }
      : { label: errors.ok },
  });
});

/** The customer's identity for the headers of every request (api/headers.ts). */
export function identityFrom(session: Session, storeId: string, deliveryType: string): Identity {
  return {
    credentials: session?.credentials ?? null,
    userId: session?.attributes.userId ?? '',
    mobile: session?.attributes.mobile ?? '',
    storeId,
    deliveryType,
  };
}
