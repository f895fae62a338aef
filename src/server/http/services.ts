import type { Catalogue } from '../store/catalogue.ts';
import type { PaymentProvider } from '../rules/payments.ts';
import type { SmsProvider } from '../rules/sms.ts';
import type { VendorLogin } from '../rules/vendors.ts';

/** What is outside the database; each has an embedded implementation and a configured real one. */
export interface Services {
  readonly sms: SmsProvider;
  readonly vendors: VendorLogin;
  readonly payments: PaymentProvider;
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
