import * as alive from '#text/alive.ts';
import * as assistants from '#text/assistants.ts';
import * as chat from '#text/chat.ts';
import * as documents from '#text/documents.ts';
import * as help from '#text/help.ts';
import * as history from '#text/history.ts';
import * as memory from '#text/memory.ts';
import * as privacy from '#text/privacy.ts';
import * as password from '#text/password.ts';
import * as payment from '#text/payment.ts';
import * as trains from '#text/trains.ts';
import * as wallet from '#text/wallet.ts';
import * as t from '#text/account.ts';
import * as league from '#text/league.ts';
import * as loyalty from '#text/loyalty.ts';
import type { Atom } from 'jotai';
import type { ComponentType } from 'react';
import { termsLinkAtom } from '../../state/shop/documents.ts';
import {
  ChatIcon,
  CheckIcon,
  DeviceIcon,
  DocumentIcon,
  HeartIcon,
  HelpIcon,
  LockIcon,
  OfferIcon,
  PinIcon,
  ReceiptIcon,
  ShareIcon,
  StarIcon,
  TrainIcon,
  TrashIcon,
  WalletIcon,
} from '../../ui/pictures/icons.ts';
import { LastOrder } from './LastOrder.tsx';
import { NextReward } from './NextReward.tsx';
import { OneTap } from './OneTap.tsx';

/** What decides whether an entry is there. */
export interface EntryConditions {
  /** It is absent where this feature is blocked (domain/features.ts). */
  readonly feature?: string;
  /** It is absent for guests. */
  readonly needsLogin?: true;
  /** It is absent where the country has no passwords. */
  readonly needsPasswords?: true;
  /** It is absent where the customer has no wallet. */
  readonly needsWallet?: true;
}

/** A line that leads to another page. */
export interface AccountRow extends EntryConditions {
  readonly group: 'food' | 'details' | 'service';
  readonly icon: ComponentType<{ readonly size?: number }>;
  /** Sentences are read when they are shown. */
  readonly title: () => string;
  readonly detail?: () => string;
  /** Own path of the page; what the country decides may be an address elsewhere. */
  readonly to: string | Atom<string>;
}

/**
 * Everything that leads on from the account, in the order in which it is shown within its group. To add a page: one
 * entry here, with its sentences in text/en/account.json; `feature` where a host, a country or the config may switch it
 * off, `needsLogin` where a guest has nothing to see there. No other file changes.
 */
export const accountRows: readonly AccountRow[] = [
  // A payment app has no history (product.md C07).
  ...(FULL_MODE
    ? [
        {
          group: 'food',
          icon: ReceiptIcon,
          title: () => history.title,
          detail: () => t.ordersDetail,
          to: '/postorder-ui/orderHistory',
        } as const,
      ]
    : []),
  ...(TRAINS
    ? [
        {
          group: 'food',
          icon: TrainIcon,
          title: () => trains.title,
          detail: () => trains.accountDetail,
          to: '/deliverontrain',
          feature: 'deliver_on_train',
        } as const,
      ]
    : []),
  {
    group: 'food',
    icon: HeartIcon,
    title: () => loyalty.title,
    detail: () => loyalty.rowDetail,
    to: '/rewards',
    feature: 'loyalty',
  },
  ...(LEAGUE
    ? [
        {
          group: 'food',
          icon: StarIcon,
          title: () => league.title,
          detail: () => league.rowDetail,
          to: '/worldPizzaLeague',
          feature: 'worldPizzaLeague',
        } as const,
      ]
    : []),
  {
    group: 'food',
    icon: OfferIcon,
    title: () => t.offers,
    detail: () => t.offersDetail,
    to: '/offers',
    feature: 'offers',
  },
  {
    group: 'details',
    icon: WalletIcon,
    title: () => payment.wallet,
    detail: () => wallet.rowDetail,
    to: '/postorder-ui/wallet',
    needsWallet: true,
  },
  {
    group: 'details',
    icon: PinIcon,
    title: () => t.addresses,
    detail: () => t.addressesDetail,
    to: '/postorder-ui/myAddresses?fromProfile=true',
  },
  {
    group: 'details',
    icon: ShareIcon,
    title: () => memory.title,
    detail: () => t.moveDetail,
    to: '/phones',
  },
  {
    group: 'details',
    icon: LockIcon,
    title: () => password.title,
    detail: () => t.passwordDetail,
    to: '/postorder-ui/profile/password',
    needsLogin: true,
    needsPasswords: true,
  },
  {
    group: 'details',
    icon: DeviceIcon,
    title: () => t.devicesTitle,
    detail: () => t.devicesDetail,
    to: '/postorder-ui/profile/devices',
    feature: 'logout',
    needsLogin: true,
  },
  ...(FULL_MODE
    ? [
        {
          group: 'details',
          icon: ChatIcon,
          title: () => assistants.title,
          to: '/assistant/connect',
          feature: 'assistants',
        } as const,
      ]
    : []),
  {
    group: 'details',
    icon: CheckIcon,
    title: () => alive.choices,
    detail: () => privacy.consentsDetail,
    to: '/consents',
  },
  {
    group: 'details',
    icon: DocumentIcon,
    title: () => privacy.dataTitle,
    detail: () => privacy.dataDetail,
    to: '/my-data',
    needsLogin: true,
  },
  {
    group: 'details',
    icon: TrashIcon,
    title: () => privacy.deleteTitle,
    detail: () => privacy.deleteDetail,
    to: '/delete-account',
    needsLogin: true,
  },
  {
    group: 'service',
    icon: HelpIcon,
    title: () => help.title,
    detail: () => help.getHelpDetail,
    to: '/help',
    feature: 'support',
  },
  ...(FULL_MODE
    ? [
        {
          group: 'service',
          icon: ChatIcon,
          title: () => chat.title,
          detail: () => chat.entryDetail,
          to: '/chatbot',
          feature: 'chatbot',
        } as const,
      ]
    : []),
  { group: 'service', icon: DocumentIcon, title: () => documents.terms, to: termsLinkAtom },
  { group: 'service', icon: DocumentIcon, title: () => documents.privacy, to: '/privacy' },
];

/** A card of its own, at the top of the account. */
export interface AccountCard extends EntryConditions {
  readonly id: string;
  readonly Card: ComponentType;
  /** Nobody knows before its answer whether it is there: it stands below all the rest, where it moves nothing. */
  readonly isLate?: true;
}

/**
 * What is seen at a glance, from top to bottom, below who the customer is. To add one: a component that shows a `Card`
 * of src/ui with its loading, empty and failed state, and one entry here; what it needs from the server is loaded by
 * `enter` of AccountScreen.tsx.
 */
export const accountCards: readonly AccountCard[] = [
  { id: 'order', Card: LastOrder },
  { id: 'reward', Card: NextReward, feature: 'loyalty', needsLogin: true },
  { id: 'one-tap', Card: OneTap, needsLogin: true, isLate: true },
];
