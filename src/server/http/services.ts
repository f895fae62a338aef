import type { Catalogue } from '../store/catalogue.ts';
import type { Following } from '../rules/following.ts';
import type { WalletProvider } from '../rules/linkedWallets.ts';
import type { PartnerSide } from '../rules/partners.ts';
import type { PaymentProvider } from '../rules/payments.ts';
import type { PushSender } from '../rules/push.ts';
import type { SmsProvider } from '../rules/sms.ts';
import type { Partner } from './route.ts';

/** What is outside the database; each has an embedded implementation and a configured real one. */
export interface Services {
  readonly sms: SmsProvider;
  /** Asks a host's vendor who somebody is. @throws NotVouched */
  logins(partner: Partner): ReturnType<PartnerSide['login']>;
  readonly payments: PaymentProvider;
  /** Wallets that customers tie to their account. */
  readonly wallets: WalletProvider;
  readonly push: PushSender;
  /** Callers that follow an order as it moves. */
  readonly following: Following;
  /** Menus, builders, deals, stores and coupons of all countries, as loaded from the seeds into the database. */
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** Absolute origin that customers' pages and providers reach this server by. */
  readonly origin: string;
  /** Whether the clock, the switches and the embedded vendors may be used. */
  readonly development: boolean;
}

export interface Log {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}
