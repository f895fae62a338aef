import { atom } from 'jotai';
import type { Identity } from '../api/headers.ts';
import type { Credentials, SessionReply, UserAttributes } from '../contract/session.ts';
import { LOGGED_OUT, LOGGED_OUT_IN_HOST, OK } from '../domain/messages.ts';
import { forgetCustomerAtom } from './lib/forget.ts';
import { kept } from './lib/kept.ts';
import { popupAtom } from './popup.ts';
import { hostAtom, navigateAtom, placeAtom } from './seams.ts';

type Session = { readonly credentials: Credentials; readonly attributes: UserAttributes } | null;

/** Anonymous until login; logged in exactly when a refresh token is there (specification section 4, product.md C51). */
export const sessionAtom = kept<Session>({ key: 'session', initial: null, forget: 'logout' });

export const isLoggedInAtom = atom((get) => Boolean(get(sessionAtom)?.credentials.refreshToken));
export const userAtom = atom((get) => get(sessionAtom)?.attributes ?? null);
export const cartIdAtom = atom((get) => get(sessionAtom)?.attributes.cartId ?? null);

/** Stores what anonymous user, refresh and login answer. */
export const renewSessionAtom = atom(null, (_get, set, reply: SessionReply) => {
  set(sessionAtom, { credentials: reply.credentials, attributes: reply.attributes });
});

/** The server ended the login: the customer's things are forgotten, and the page says so, once. */
export const endSessionAtom = atom(null, (get, set) => {
  if (!get(isLoggedInAtom)) return;
  set(forgetCustomerAtom);
  const isOwnLogin = get(hostAtom).fullMode;
  const back = encodeURIComponent(get(placeAtom));
  set(popupAtom, {
    message: isOwnLogin ? LOGGED_OUT : LOGGED_OUT_IN_HOST,
    ...(isOwnLogin ? { left: { label: 'Not now' } } : {}),
    right: isOwnLogin ? { label: 'Login', act: () => get(navigateAtom).go(`/login?redirectUrl=${back}`) } : { label: OK },
  });
});

/** For api/: read anew for every request. */
export function identityFrom(session: Session, storeId: string, deliveryType: string): Identity {
  return {
    credentials: session?.credentials ?? null,
    userId: session?.attributes.userId ?? '',
    mobile: session?.attributes.mobile ?? '',
    storeId,
    deliveryType,
  };
}
