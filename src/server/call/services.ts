import type { Catalogue } from './catalogue.ts';
import type { Counts } from './counts.ts';
import type { Documents } from './documents.ts';
import type {
  ExperimentService,
  OrderStreams,
  WalletProvider,
  PushSender,
  SmsProvider,
  EmailProvider,
} from './providers.ts';
import type { Outside } from './outside.ts';
import type { HostLogin } from './hostLogin.ts';
import type { PaymentProvider } from './payments.ts';
import type { HostName } from './caller.ts';
import type { Railway } from './railway.ts';
import type { SocialProvider } from './social.ts';
import type { NoteDeleted } from '../store/deletionList.ts';

/**
 * Everything outside the database. External services have an embedded implementation and a real one that is configured.
 */
export interface Services {
  readonly sms: SmsProvider;
  readonly email: EmailProvider;
  /** Returns the login of a host, which asks its vendor who somebody is. @throws NotVouched */
  logins(host: HostName): HostLogin;
  /** With whose accounts customers can log in on the web. */
  readonly social: readonly SocialProvider[];
  readonly payments: PaymentProvider;
  /** Address of the bank's page with its fields for a card, as browsers reach it; null: there is none. */
  readonly cardFields: string | null;
  /** Returns a wallet that customers can link to their account. @throws Error for an unknown id */
  wallets(id: string): WalletProvider;
  readonly push: PushSender;
  /** What trains do, and whose tickets are for them. */
  readonly railway: Railway;
  /** Where experiments are counted, if not here. */
  readonly experiments: ExperimentService | null;
  /** Calls to providers, and who of them does not answer: `outside.breakerStates()`. */
  readonly outside: Outside;
  /** What programs of assistants say of themselves, at addresses that they name. */
  readonly documents: Documents;
  /** Connections that follow an order live. */
  readonly following: OrderStreams;
  /** Menus, builders, deals, stores and coupons of all countries, as loaded from the seeds into the database. */
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** What this process tells of its work to who watches it. */
  readonly counts: Counts;
  /** Absolute origin under which customers' pages and providers reach this server. */
  readonly origin: string;
  /** How many codes may be sent in an hour, by whomever and to whomever. */
  readonly codesAnHour: number;
  /** How many megabytes of rows an address may leave behind in an hour without an account. */
  readonly addressMegabytes: number;
  /** So many days after its end an order loses its customer. */
  readonly orderNamesDays: number;
  /** Writes that an account is gone where a restored backup does not undo it. */
  readonly noteDeleted: NoteDeleted;
  /** Whether developers may use the clock and the switches. Replies are then also checked against the contract. */
  readonly development: boolean;
}

export interface Log {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}
