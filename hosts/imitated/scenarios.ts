import type { BankOutcome } from '../../src/contract/development.ts';
import type { NetworkType } from '../../src/bridge/hostBridge.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';

/** The host's native sheets, and how a person may answer each. */
export const CHOICES = {
  login: ['grant', 'deny', 'silent'],
  phone: ['grant', 'deny', 'silent'],
  location: ['grant', 'deny', 'timeout'],
  payment: ['success', 'failure', 'pending', 'cancel', 'unknown', 'no-reply', 'duplicate', 'closed', 'late'],
  address: ['pick', 'dismiss', 'silent'],
  share: ['share', 'dismiss'],
  shortcut: ['add', 'dismiss'],
} as const;
export type SheetName = keyof typeof CHOICES;

export type ReplyFault =
  | 'none'
  | 'never'
  | 'twice'
  | 'sync'
  | 'throws'
  | 'throws-text'
  | 'missing-method'
  | 'not-authorised'
  | 'json'
  | 'double-json'
  | 'truncated'
  | 'null'
  | 'undefined'
  | 'empty'
  | 'false'
  | 'error-number'
  | 'error-text'
  | 'error-empty'
  | 'error-nothing'
  | 'error-unreadable'
  | 'data-and-error'
  | 'extra-fields'
  | 'unknown-value'
  | 'getter'
  | 'proxy'
  | 'cyclic'
  | 'huge'
  | 'deep'
  | 'changed-after'
  | 'promise'
  | 'thenable'
  | 'other-call';

export interface Controls {
  /** The network of the device; the imitated browser reports the same. */
  networkType: NetworkType;
  /**
   * What the host reports, if it differs from the device; `silent`: it has no such call; `unavailable`: only that there is none;
   * `own-words`: the medium as other containers spell it.
   */
  hostNetwork: 'same' | 'silent' | 'unavailable' | 'own-words' | NetworkType;
  /** `offline`: the browser says so, though calls get through. */
  browserNetwork: 'same' | 'offline';
  /** `without-event`: set late, and nothing tells of it; `in-halves`: the object first, its function later; `after-load`: the script has loaded, its global comes later. */
  ready:
    | 'before'
    | 'late'
    | 'never'
    | 'blocked'
    | 'event-early'
    | 'event-only'
    | 'twice'
    | 'without-event'
    | 'in-halves'
    | 'after-load';
  readyAfterMs: number;
  /** What becomes of the bridge once it was called. */
  bridge: 'stays' | 'vanishes' | 'is-replaced';
  /** `lookalike`: the host's word inside the word of another program. */
  agent: 'host' | 'plain' | 'foreign' | 'lookalike';
  login: (typeof CHOICES.login)[number];
  /** A returning user sees no consent sheet. */
  consented: boolean;
  phone: (typeof CHOICES.phone)[number];
  location: (typeof CHOICES.location)[number];
  position: { latitude: number; longitude: number };
  /** `nonsense`: no numbers; `forbidden`: asking throws. */
  positionForm: 'good' | 'nonsense' | 'forbidden';
  /** Answers to permission calls in turn, the last one repeated: 1 granted, 0 denied, -1 not determined. */
  permissions: readonly (1 | 0 | -1)[];
  payment: (typeof CHOICES.payment)[number];
  /** What the bank does, if it differs from what the page is told; `same`: the page is told the truth. */
  bank: 'same' | BankOutcome;
  bankTwice: boolean;
  /** How the receipt of a payment is falsified; `numbers`: what is documented as text comes as a number. */
  receipt:
    | 'good'
    | 'amount'
    | 'order'
    | 'unsigned'
    | 'broken-1'
    | 'broken-2'
    | 'broken-3'
    | 'unknown-status'
    | 'empty'
    | 'numbers';
  failureCode: string;
  address: (typeof CHOICES.address)[number];
  /** `bare`: its first line alone; `odd`: numbers as text, text as numbers, and empty text for what is missing. */
  addressForm: 'whole' | 'bare' | 'odd';
  share: (typeof CHOICES.share)[number];
  /** `forbidden`: the browser lets the page neither share nor copy; `sheet-forbidden`: it may copy. */
  sharing: 'works' | 'sheet-forbidden' | 'forbidden';
  shortcut: (typeof CHOICES.shortcut)[number];
  /** The browser offers to install the page. */
  install: 'offered' | 'never';
  token: 'good' | 'expired' | 'wrong-nonce' | 'wrong-audience' | 'wrong-keys' | 'forged-number' | 'not-a-token';
  /** `odd-profile`: what it is exchanged for has nulls, and numbers as text; `of-nobody`: that names no person. */
  authCode: 'fresh' | 'reused' | 'without-open-id' | 'odd-profile' | 'of-nobody';
  reply: ReplyFault;
  /** The vendor's method that fails; null: every one. */
  replyOn: string | null;
  replyAfterMs: number;
  /** `emptied`: whatever an earlier visit stored is gone; `session-only`: what outlives the visit is forbidden; `cleared`: emptied while the page is out of sight. */
  storage: 'works' | 'throws' | 'full' | 'emptied' | 'session-only' | 'cleared';
  /** The network comes and goes at moments that the seed decides, and is there in the end. */
  flapping: boolean;
  back: 'works' | 'ignores-prevent-default';
  /** `full`: the browser takes no further entry. */
  history: 'works' | 'full';
  vibrate: 'works' | 'absent' | 'silent' | 'throws';
  close: 'works' | 'silent';
  /**
   * `never-shown`: the page is told that it is hidden, and never that it is shown again; `restored`: it goes and comes back as it
   * was, without the event of visibility; `flapping`: hidden and shown many times in a moment.
   */
  visibility: 'works' | 'never-shown' | 'restored' | 'flapping';
  /** How much the phone's clock is ahead of the truth. */
  clockAheadMs: number;
  /** `twice`: the host runs the page's main script once more. */
  script: 'once' | 'twice';
  /** `blocked`: as in a frame sandboxed without allow-forms, where sending one does nothing and tells nobody. */
  forms: 'work' | 'blocked';
  /** Others in the window: extensions that post messages to it, a host that adds to the objects of the language. */
  company: 'none' | 'messages' | 'polluted';
}

export const CALM: Controls = {
  networkType: '4g',
  hostNetwork: 'same',
  browserNetwork: 'same',
  ready: 'before',
  readyAfterMs: 0,
  bridge: 'stays',
  agent: 'host',
  login: 'grant',
  consented: false,
  phone: 'grant',
  location: 'grant',
  position: { latitude: 28.6139, longitude: 77.209 },
  positionForm: 'good',
  permissions: [0, 1],
  payment: 'success',
  bank: 'same',
  bankTwice: false,
  receipt: 'good',
  failureCode: '267',
  address: 'pick',
  addressForm: 'whole',
  share: 'share',
  sharing: 'works',
  shortcut: 'add',
  install: 'never',
  token: 'good',
  authCode: 'fresh',
  reply: 'none',
  replyOn: null,
  replyAfterMs: 0,
  storage: 'works',
  flapping: false,
  back: 'works',
  history: 'works',
  vibrate: 'works',
  close: 'works',
  visibility: 'works',
  clockAheadMs: 0,
  script: 'once',
  forms: 'work',
  company: 'none',
};

/** A behaviour of real hosts: its number in the catalogue (test/hosts/behaviours.ts), its name for a person, and the controls that imitate it. */
interface Scenario {
  readonly row: number;
  readonly title: string;
  readonly controls: Partial<Controls>;
  /** Only where it can be seen: in payment apps, or in one host; absent: everywhere. */
  readonly only?: 'apps' | 'browser' | 'gpay' | 'paytm';
}

const scenario = (
  row: number,
  title: string,
  controls: Partial<Controls> = {},
  only?: NonNullable<Scenario['only']>,
): Scenario => ({ row, title, controls, ...(only ? { only } : {}) });

/** By group, as the simulator offers them. */
const GROUPS = {
  Starting: {
    calm: scenario(0, 'All as it should be'),
    'bridge-first': scenario(1, 'The bridge is there first', { ready: 'before' }, 'apps'),
    'ready-10ms': scenario(2, 'The bridge is 10 ms late', { ready: 'late', readyAfterMs: 10 }, 'apps'),
    'ready-3s': scenario(2, 'The bridge is 3 s late', { ready: 'late', readyAfterMs: 3_000 }, 'apps'),
    'ready-60s': scenario(2, 'The bridge is a minute late', { ready: 'late', readyAfterMs: MINUTE_MS }, 'apps'),
    'ready-event-early': scenario(3, 'The ready event comes too early', { ready: 'event-early' }, 'apps'),
    'ready-event-only': scenario(4, 'The ready event without a bridge', { ready: 'event-only' }, 'apps'),
    'ready-twice': scenario(4, 'The ready event twice', { ready: 'twice', readyAfterMs: 10 }, 'apps'),
    'bridge-without-event': scenario(
      38,
      'The bridge without a ready event',
      { ready: 'without-event', readyAfterMs: 1_500 },
      'apps',
    ),
    'bridge-in-halves': scenario(38, 'The bridge in two halves', { ready: 'in-halves', readyAfterMs: 1_500 }, 'apps'),
    'bridge-never': scenario(5, 'The bridge never comes', { ready: 'never' }, 'apps'),
    'bridge-with-plain-agent': scenario(5, 'The bridge in a plain browser', { agent: 'plain' }, 'apps'),
    'spoofed-agent': scenario(5, 'A browser that claims to be the host', { ready: 'never', agent: 'host' }, 'apps'),
    'agent-lookalike': scenario(40, "Another program with the host's word", { agent: 'lookalike' }, 'apps'),
    'sdk-blocked': scenario(6, 'The script of the host is blocked', { ready: 'blocked' }, 'gpay'),
    'sdk-slow': scenario(6, 'The script takes 20 s', { ready: 'late', readyAfterMs: 20_000 }, 'gpay'),
    'sdk-mute': scenario(6, 'The script answers nothing', { reply: 'never' }, 'gpay'),
    'sdk-global-late': scenario(
      39,
      'The script sets itself up late',
      { ready: 'after-load', readyAfterMs: 1_500 },
      'gpay',
    ),
    'foreign-frame': scenario(7, 'In a frame of somebody else', { agent: 'foreign' }, 'gpay'),
    'script-twice': scenario(44, "The page's script runs twice", { script: 'twice' }),
    'globals-polluted': scenario(63, 'Objects of the language changed', { company: 'polluted' }),
    'message-noise': scenario(62, 'Messages from other programs', { company: 'messages' }),
    reload: scenario(8, 'Reloaded in the middle', { payment: 'no-reply' }),
  },
  Answers: {
    'no-reply': scenario(9, 'None', { reply: 'never' }, 'apps'),
    'reply-twice': scenario(10, 'Each twice', { reply: 'twice' }, 'apps'),
    'reply-sync': scenario(10, 'Before the call returns', { reply: 'sync' }, 'apps'),
    'reply-late': scenario(11, 'After 20 minutes', { replyAfterMs: 1_300_000 }, 'apps'),
    'call-throws': scenario(12, 'Calls throw', { reply: 'throws' }, 'apps'),
    'call-throws-text': scenario(52, 'Calls throw what is no error', { reply: 'throws-text' }, 'apps'),
    'no-such-function': scenario(12, 'Calls are unknown', { reply: 'missing-method' }, 'apps'),
    'not-authorised': scenario(12, 'Calls are not allowed', { reply: 'not-authorised' }, 'apps'),
    'out-of-order': scenario(13, 'In another order', { replyAfterMs: 500 }),
    'data-json': scenario(14, 'As JSON text', { reply: 'json' }, 'apps'),
    'data-double-json': scenario(14, 'As JSON text in JSON text', { reply: 'double-json' }, 'apps'),
    'data-truncated': scenario(14, 'Cut off', { reply: 'truncated' }, 'apps'),
    'data-null': scenario(14, 'null', { reply: 'null' }, 'apps'),
    'data-undefined': scenario(14, 'undefined', { reply: 'undefined' }, 'apps'),
    'data-empty': scenario(14, 'Empty text', { reply: 'empty' }, 'apps'),
    'data-false': scenario(14, 'false', { reply: 'false' }, 'apps'),
    'error-number': scenario(15, 'An error as a number', { reply: 'error-number' }, 'apps'),
    'error-text': scenario(15, 'An error as text', { reply: 'error-text' }, 'apps'),
    'data-and-error': scenario(15, 'Good and an error at once', { reply: 'data-and-error' }, 'apps'),
    'error-empty': scenario(51, 'Good, with an empty error', { reply: 'error-empty' }, 'apps'),
    'error-nothing': scenario(52, 'Refused without a reason', { reply: 'error-nothing' }, 'apps'),
    'error-unreadable': scenario(52, 'Refused with a reason that throws', { reply: 'error-unreadable' }, 'apps'),
    'extra-fields': scenario(16, 'With fields nobody knows', { reply: 'extra-fields' }, 'apps'),
    'unknown-value': scenario(16, 'With values nobody knows', { reply: 'unknown-value' }, 'apps'),
    'reply-getter': scenario(46, 'Throws when a field is read', { reply: 'getter' }, 'apps'),
    'reply-proxy': scenario(46, 'Throws whatever is asked of it', { reply: 'proxy' }, 'apps'),
    'reply-cyclic': scenario(46, 'Contains itself', { reply: 'cyclic' }, 'apps'),
    'reply-huge': scenario(46, 'Several megabytes', { reply: 'huge' }, 'apps'),
    'reply-deep': scenario(46, 'Nested ten thousand deep', { reply: 'deep' }, 'apps'),
    'reply-changed-after': scenario(47, 'Changed after it was given', { reply: 'changed-after' }, 'apps'),
    'reply-promise': scenario(48, 'A promise instead of a callback', { reply: 'promise' }, 'paytm'),
    'reply-thenable': scenario(48, 'Promises of a library', { reply: 'thenable' }, 'gpay'),
    'reply-other-call': scenario(49, 'With the number of another call', { reply: 'other-call' }, 'apps'),
    'reply-after-dispose': scenario(50, 'When the page has given up', { replyAfterMs: 700 }, 'apps'),
    'bridge-vanishes': scenario(41, 'The bridge vanishes for a while', { bridge: 'vanishes' }, 'apps'),
    'bridge-replaced': scenario(41, 'Another bridge takes its place', { bridge: 'is-replaced' }, 'apps'),
  },
  Login: {
    'consent-denied': scenario(17, 'Consent refused', { login: 'deny' }, 'apps'),
    'returning-user': scenario(17, 'Somebody who has consented before', { consented: true }, 'apps'),
    'auth-code-reused': scenario(18, 'A code used before', { authCode: 'reused' }, 'paytm'),
    'profile-bare': scenario(19, 'A profile without what is optional', { authCode: 'without-open-id' }, 'paytm'),
    'profile-odd': scenario(19, 'A profile of nulls and numbers', { authCode: 'odd-profile' }, 'paytm'),
    'profile-of-nobody': scenario(19, 'A code that stands for nobody', { authCode: 'of-nobody' }, 'paytm'),
    'token-expired': scenario(20, 'A token that has expired', { token: 'expired' }, 'gpay'),
    'token-wrong-nonce': scenario(20, 'A token of another visit', { token: 'wrong-nonce' }, 'gpay'),
    'token-wrong-audience': scenario(20, 'A token for another app', { token: 'wrong-audience' }, 'gpay'),
    'token-wrong-keys': scenario(20, 'A forged token', { token: 'wrong-keys' }, 'gpay'),
    'number-forged': scenario(20, 'A forged number beside a good token', { token: 'forged-number' }, 'gpay'),
    'token-malformed': scenario(20, 'No token at all', { token: 'not-a-token' }, 'gpay'),
    'login-silent': scenario(36, 'Never answered', { login: 'silent' }, 'apps'),
    'phone-silent': scenario(36, 'The number never given', { phone: 'silent' }, 'gpay'),
  },
  Payment: {
    'payment-success': scenario(21, 'Paid', {}, 'apps'),
    'payment-failure': scenario(21, 'Declined', { payment: 'failure' }, 'apps'),
    'payment-pending': scenario(21, 'Pending', { payment: 'pending' }, 'apps'),
    'payment-pending-then-paid': scenario(
      21,
      'Pending, then paid',
      { payment: 'pending', bank: 'pending-then-success' },
      'apps',
    ),
    'payment-pending-then-failed': scenario(
      21,
      'Pending, then declined',
      { payment: 'pending', bank: 'pending-then-failure' },
      'apps',
    ),
    'success-claimed': scenario(22, 'Said paid, and is not', { payment: 'success', bank: 'failure' }, 'apps'),
    'failure-claimed': scenario(22, 'Said declined, and is paid', { payment: 'failure', bank: 'success' }, 'apps'),
    'payment-cancelled': scenario(23, 'Sheet closed', { payment: 'cancel' }, 'apps'),
    'payment-unknown': scenario(23, 'Paid, the reply is unclear', { payment: 'unknown' }, 'apps'),
    'killed-while-paying': scenario(24, 'Paid, no reply ever', { payment: 'no-reply' }),
    'order-id-used': scenario(25, 'An order id used before', { payment: 'failure', failureCode: '334' }, 'apps'),
    'receipt-amount-differs': scenario(26, 'Receipt of another amount', { receipt: 'amount' }, 'apps'),
    'receipt-other-order': scenario(26, 'Receipt of another order', { receipt: 'order' }, 'apps'),
    'receipt-unsigned': scenario(26, 'Receipt without a signature', { receipt: 'unsigned' }, 'apps'),
    'receipt-broken-1': scenario(26, 'Receipt cut off, outside', { receipt: 'broken-1' }, 'apps'),
    'receipt-broken-2': scenario(26, 'Receipt cut off, in the middle', { receipt: 'broken-2' }, 'apps'),
    'receipt-broken-3': scenario(26, 'Receipt cut off, inside', { receipt: 'broken-3' }, 'apps'),
    'receipt-unknown-status': scenario(26, 'Receipt with an unknown status', { receipt: 'unknown-status' }, 'apps'),
    'receipt-empty': scenario(26, 'Empty receipt', { receipt: 'empty' }, 'apps'),
    'receipt-numbers': scenario(53, 'Receipt with numbers for text', { receipt: 'numbers' }, 'apps'),
    'payment-closed-silent': scenario(35, 'Sheet closed, nobody says so', { payment: 'closed' }, 'apps'),
    'payment-paid-silent': scenario(35, 'Paid, nobody says so', { payment: 'no-reply' }, 'apps'),
    'payment-told-late': scenario(35, 'Paid, said 20 s later', { payment: 'late' }, 'apps'),
    'double-tap': scenario(27, 'Slow sheet, tapped twice', { replyAfterMs: 1_000 }, 'apps'),
    'bank-reports-twice': scenario(27, 'Told twice', { payment: 'duplicate', bankTwice: true }, 'apps'),
  },
  'Place and address': {
    'permission-undetermined': scenario(28, 'Permission not asked for yet', { permissions: [-1, 1] }),
    'permission-refused': scenario(28, 'Permission refused', { permissions: [0, 0] }),
    'position-late': scenario(28, 'Place never found', { location: 'timeout' }),
    'position-nonsense': scenario(55, 'Place that is no number', { positionForm: 'nonsense' }),
    'position-forbidden': scenario(55, 'Asking for the place throws', { positionForm: 'forbidden' }),
    'address-silent': scenario(37, 'Address picker never answers', { address: 'silent' }, 'paytm'),
    'address-bare': scenario(54, 'Address of one line', { addressForm: 'bare' }, 'paytm'),
    'address-odd': scenario(53, 'Address with numbers for text', { addressForm: 'odd' }, 'paytm'),
  },
  Network: {
    offline: scenario(29, 'None', { networkType: 'none' }),
    'network-disagrees': scenario(29, 'The host says none, and there is one', {
      networkType: 'wifi',
      hostNetwork: 'none',
    }),
    'browser-disagrees': scenario(42, 'The browser says none, and there is one', { browserNetwork: 'offline' }),
    'network-silent': scenario(29, 'The host does not say', { hostNetwork: 'silent' }),
    'network-unavailable': scenario(43, 'The host says only: unavailable', { hostNetwork: 'unavailable' }, 'paytm'),
    'network-own-words': scenario(
      43,
      "The host's own words for it",
      { networkType: 'wifi', hostNetwork: 'own-words' },
      'paytm',
    ),
    'network-flapping': scenario(29, 'Comes and goes', { networkType: 'wifi', flapping: true }),
  },
  'Page and phone': {
    'storage-emptied': scenario(30, 'Storage emptied since', { storage: 'emptied' }),
    'storage-throws': scenario(30, 'Storage locked', { storage: 'throws' }),
    'storage-full': scenario(30, 'Storage full', { storage: 'full' }),
    'storage-session-only': scenario(56, 'Storage of this visit only', { storage: 'session-only' }),
    'storage-cleared': scenario(56, 'Storage cleared when away', { storage: 'cleared' }),
    'back-ignored': scenario(31, 'Back is not to be stopped', { back: 'ignores-prevent-default' }, 'paytm'),
    'history-full': scenario(64, 'No further entry in the history', { history: 'full' }),
    'never-shown': scenario(32, 'Hidden, never told it is back', { visibility: 'never-shown' }),
    'visibility-flapping': scenario(58, 'Hidden and shown in a flurry', { visibility: 'flapping' }),
    'page-restored': scenario(59, 'Comes back as it was', { visibility: 'restored' }),
    'close-silent': scenario(32, 'Closing does nothing', { close: 'silent' }, 'paytm'),
    'vibrate-absent': scenario(33, 'No vibration', { vibrate: 'absent' }),
    'vibrate-silent': scenario(33, 'Vibration does nothing', { vibrate: 'silent' }),
    'vibrate-throws': scenario(33, 'Vibration throws', { vibrate: 'throws' }),
    'share-sheet-forbidden': scenario(65, 'Sharing forbidden, copying not', { sharing: 'sheet-forbidden' }, 'browser'),
    'share-forbidden': scenario(65, 'Sharing and copying forbidden', { sharing: 'forbidden' }, 'browser'),
    'clock-ahead': scenario(57, 'Clock five hours ahead', { clockAheadMs: 5 * HOUR_MS }),
    'clock-behind': scenario(57, 'Clock five hours behind', { clockAheadMs: -5 * HOUR_MS }),
    'forms-blocked': scenario(45, 'A sandbox that sends no forms', { forms: 'blocked' }),
    policy: scenario(34, 'What the host forbids'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Scenario>>>>;

type Group = keyof typeof GROUPS;
export type ScenarioName = { [G in Group]: keyof (typeof GROUPS)[G] }[Group];

export const SCENARIOS = Object.assign({}, ...Object.values(GROUPS)) as Readonly<Record<ScenarioName, Scenario>>;

/** The scenarios that can be seen in a host, for somebody to choose from; null: all of them. */
export function scenariosOf(host: string | null): readonly { name: string; title: string; group: string }[] {
  return Object.entries(GROUPS).flatMap(([group, own]) =>
    Object.entries(own as Readonly<Record<string, Scenario>>)
      .filter(
        ([, { only }]) =>
          only === undefined || host === null || only === host || (only === 'apps' && host !== 'browser'),
      )
      .map(([name, { title }]) => ({ name, title, group })),
  );
}
