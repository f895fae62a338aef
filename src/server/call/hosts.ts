import type { Environment, Part } from '../environment.ts';
import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentApp } from '../../contract/simulator.ts';
import type { CountryCode, HostName } from './caller.ts';
import type { HostLogin } from './hostLogin.ts';
import type { Outside } from './outside.ts';
import type { BankGateway, PaymentGateway, Webhook } from './payments.ts';
import type { WalletProvider } from './providers.ts';
import type { RawRoute } from './route.ts';

/** What the server offers to a host's server half. */
export interface HostContext {
  /** The checked environment. A host reads only the parts that it declares as its `settings`. */
  readonly environment: Environment;
  /** Address under which the server reaches itself; the embedded vendors answer there. */
  origin(): string;
  /** Address under which customers and providers reach the server. */
  publicOrigin(): string;
  /** Returns a secret shared by all processes on one database. `make` creates it the first time. */
  secret(name: string, make: () => string): Promise<string>;
  /** Every call to somebody else's server goes through it. */
  readonly outside: Outside;
  /** The shop's bank, for a host whose payments are taken in through it. */
  readonly bank: BankGateway;
}

/**
 * How customers pay inside a host. A text that customers read may be a getter, so that it is read in the customer's
 * language.
 */
interface HostPayment {
  /** The only payment mode inside the host. HOST is for hosts that have no mode of their own in the contract. */
  readonly mode: PaymentMode;
  /** The name shown for the mode. Without it the country's list gives the name. */
  readonly label?: string;
  readonly about: string;
  /**
   * True when the mode has a payment page of its own: then it is also offered on the web and to somebody who pays by a
   * link.
   */
  readonly isOnTheWeb?: boolean;
  /** Without it the shop's bank takes the payments of this mode. */
  readonly gateway?: (around: HostContext) => PaymentGateway;
}

export interface HostWallet {
  /** The value of `{provider}` in the paths of the wallet calls. */
  readonly id: string;
  readonly mode: PaymentMode;
  readonly label: string;
  provider(around: HostContext): WalletProvider;
}

/**
 * The server half of a payment app. `hosts/<name>/server.ts` exports it as `host`; no other part of the server knows
 * the host. Its name is the name of its folder. Sessions store it as their host, and login calls carry it as
 * `{vendor}`.
 */
export interface HostSide {
  readonly name: HostName;
  /** Name in the partner block of the app's config (specification section 3). */
  readonly partnerName: string;
  /** How the simulator shows the app. */
  readonly app: PaymentApp;
  /** The environment variables of this host. */
  readonly settings?: readonly Part[];
  clientId(environment: HostContext['environment']): string;
  /** More countries it works in, besides those that list a key for it. Its key there is `<country>-<name>`. */
  readonly countries?: readonly CountryCode[];
  readonly payment: HostPayment;
  /**
   * True when pages in the host may log in only through it (the profile forbids 'own-login'): the server then refuses
   * our own codes.
   */
  readonly forbidsOwnLogin?: true;
  /** A wallet of this host that customers on the web can link to their account. */
  readonly wallet?: HostWallet;
  /** Called once per server. */
  login(around: HostContext): HostLogin;
  /**
   * Its calls to `/webhooks/<name>`, by GET or POST, handed over whole. Without it there is no such address. Called once
   * per server.
   */
  readonly webhook?: (around: HostContext) => Webhook;
  /** Routes of its own: where its pages return to, and answers of the imitated vendor (`embedded`). */
  readonly routes?: readonly RawRoute[];
  /** Features that are off inside it, in addition to those that are off inside every payment app. */
  readonly blockedFeatures?: readonly string[];
  /** For a member of a family: the bundle that it shares with the other members, and how that is served for it. */
  readonly page?: HostPage;
}

/** How a bundle is served for one member of a family. */
export interface HostPage {
  /** Folder of the bundle. */
  readonly folder: string;
  /** Below the country; begins with the folder. */
  readonly path: string;
  /** Origins whose pages may show it in a frame. */
  readonly ancestors: readonly string[];
  /** Contents of `<meta>` elements by name, which the bundle reads. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A folder that is many hosts, one for each row of its configuration. `hosts/<name>/server.ts` exports it as `host`; the
 * members' names begin with `<name>-`.
 */
export interface HostFamily extends Pick<HostSide, 'settings' | 'countries' | 'routes'> {
  readonly name: string;
  members(environment: Environment): readonly HostSide[];
}
