import type { Setting } from '../http/register.ts';
import type { Services } from '../call/services.ts';
import { following } from '../rules/order/following.ts';
import { hosts, hostSide } from '../rules/hosts/hosts.ts';
import type { HostLogin } from '../call/hostLogin.ts';
import type { HostContext } from '../call/hosts.ts';
import type { WalletProvider } from '../call/providers.ts';
import { pushSender } from '../providers/push.ts';
import { outsideExperiments } from '../providers/experiments.ts';
import { emailProvider } from '../providers/email.ts';
import { smsProvider } from '../providers/sms.ts';
import type { Root } from '../store/db.ts';

/** Services around one database. Their memory, such as the keys of a vendor, is this process's own. */
export function servicesOf(
  db: Root,
  shared: Pick<
    Services,
    | 'addressMegabytes'
    | 'catalogue'
    | 'codesAnHour'
    | 'counts'
    | 'development'
    | 'documents'
    | 'noteDeleted'
    | 'orderNamesDays'
    | 'payments'
    | 'railway'
    | 'social'
  > & {
    readonly around: HostContext;
    readonly log: Setting['log'];
    readonly origin: () => string;
    readonly cardFields: string | null;
  },
): Services {
  const { around, origin, ...same } = shared;
  const { log, development } = same;
  const { environment, outside: calls } = around;
  const logins = new Map<string, HostLogin>();
  const wallets = new Map<string, WalletProvider>();
  return {
    ...same,
    get counts() {
      return shared.counts;
    },
    get cardFields() {
      return shared.cardFields;
    },
    sms: smsProvider(environment, log, development, calls),
    email: emailProvider(environment, log, development, calls),
    logins(host) {
      const login = logins.get(host) ?? hostSide(host).login(around);
      logins.set(host, login);
      return login;
    },
    wallets(id) {
      const known =
        wallets.get(id) ??
        hosts()
          .find(({ wallet }) => wallet?.id === id)
          ?.wallet?.provider(around);
      if (known === undefined) throw new Error(`there is no wallet ${id}`);
      wallets.set(id, known);
      return known;
    },
    push: pushSender(environment, origin, development, calls),
    experiments: outsideExperiments(environment, calls),
    outside: calls,
    following: following(db, log),
    get origin() {
      return origin();
    },
  };
}
