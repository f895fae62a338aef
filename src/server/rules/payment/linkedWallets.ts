import type { LinkedWallet } from '../../../contract/linkedWallets.ts';
import type { PaymentMode } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import type { Db } from '../../store/db.ts';
import { dropLinked, linkedWallet } from '../../store/linkedWallets.ts';
import type { HostWallet } from '../../call/hosts.ts';
import { hosts } from '../hosts/hosts.ts';
import { hasMode } from './modes.ts';

export type Linkable = Omit<HostWallet, 'provider'>;
const linkable = (): Linkable[] => hosts().flatMap(({ wallet }) => wallet ?? []);

export function linkableProvider(mode: PaymentMode): Linkable | undefined {
  return linkable().find((one) => one.mode === mode);
}

/** What a provider is called, also where it cannot be linked any more. */
export const linkableName = (provider: string): string =>
  linkable().find(({ id }) => id === provider)?.label ?? provider;

/**
 * The provider that a path names. Linked wallets exist on the web only.
 * @throws Refusal 404 NOT_FOUND if it does not exist here
 */
export function providerNamed(call: Call, name: string): Linkable {
  const { country, host } = call.caller;
  const found = linkable().find((one) => one.id === name.toUpperCase());
  const isThere = found !== undefined && host === 'web' && hasMode(country, found.mode);
  return isThere ? found : refuse(404, 'NOT_FOUND', errors.notFound);
}

/** A wallet that the caller's account can link, and whether it has linked it. */
export interface WalletLink {
  readonly provider: Linkable;
  readonly isLinked: boolean;
}

/** The wallet that pays in this mode; null where there is none: another mode, inside a host, or nobody logged in. */
export async function walletLink(db: Db, call: Call, mode: PaymentMode): Promise<WalletLink | null> {
  const provider = linkableProvider(mode);
  if (provider === undefined || call.caller.host !== 'web' || !call.caller.isLoggedIn) return null;
  return { provider, isLinked: (await linkedWallet(db, userIdOf(call), provider.id)) !== undefined };
}

/** @throws Refusal 422 PAYMENT_MODE if there is no such wallet, LINKED_GONE if it is no longer linked */
export function linkedProvider(link: WalletLink | null): Linkable {
  if (link === null) return refuse(422, 'PAYMENT_MODE', t.featureOff, { field: 'linked' });
  if (!link.isLinked) refuse(422, 'LINKED_GONE', t.linkedGone({ label: link.provider.label }), { field: 'linked' });
  return link.provider;
}

/**
 * The wallet as it is now. If it was unlinked at the provider, it is unlinked here too. If the provider does not
 * answer, the balance is null.
 */
export async function linkedView(call: Call, provider: Linkable): Promise<LinkedWallet> {
  const { id, label } = provider;
  const userId = userIdOf(call);
  const linked = await linkedWallet(call.db, userId, id);
  if (linked === undefined) return { provider: id, label, isLinked: false, mobile: null, balance: null };
  try {
    const balance = await call.services.wallets(id).balance(linked.token);
    if (balance !== null)
      return { provider: id, label, isLinked: true, mobile: linked.mobile, balance: money(balance) };
    await dropLinked(call.db, userId, id, linked.token);
    return { provider: id, label, isLinked: false, mobile: null, balance: null };
  } catch (error) {
    call.services.log.warn({ error: String(error), requestId: call.requestId }, 'a linked wallet did not answer');
    return { provider: id, label, isLinked: true, mobile: linked.mobile, balance: null };
  }
}
