import type { StagedHost } from './stage.ts';

interface Behaviour {
  readonly name: string;
  /** Why a host cannot behave so. A host that is not named here is played, or the suite fails. */
  readonly not?: Partial<Record<StagedHost, string>>;
  /** Played there and not in the conformance suite: the file, and a part of the titles of its tests. */
  readonly elsewhere?: readonly [file: string, title: string];
}

const WEB = 'a page of the web has no bridge';
const WEB_PAY = 'a page gets no reply from a UPI link';
const OWN_LOGIN = 'the browser has our own login';
const NO_NETWORK_CALL = 'no network call of it is known';
const COPY = 'a message is a copy of plain data';
/** An invented host whose script is of the same kind. */
const AS_GPAY = "its script of promises is of gpay's kind, where it is played";
const MUTE = 'it tells the page nothing of a payment';
const NO_PICKER = 'it has no address picker';

/** What hosts and devices do to a page; the number of each, from 1, stands at its scenarios (hosts/imitated/scenarios.ts). */
export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'the bridge is there before the page' },
  { name: 'the bridge comes late, also after the deadline', not: { browser: WEB } },
  { name: 'the ready event comes before anybody listens', not: { browser: WEB } },
  { name: 'the ready event comes without the bridge, or twice', not: { browser: WEB } },
  { name: 'the user agent and the bridge contradict each other', not: { browser: WEB } },
  {
    name: 'the script of the host is blocked, slow, or answers nothing',
    not: { browser: WEB, paytm: 'it injects its bridge', sixpay: 'it injects its bridge' },
  },
  {
    name: 'the page is in a frame of somebody else',
    not: {
      tarnpay: 'it opens the page on top',
      frame: 'its origins are in its row: test/hosts/frame.test.ts',
      browser: WEB,
      paytm: 'it opens the page on top',
      sixpay: 'it opens the page on top',
    },
  },
  { name: 'the page is reloaded in the middle' },
  { name: 'a call is never answered', not: { browser: WEB_PAY } },
  {
    name: 'a call is answered twice, or before it returns',
    not: { tarnpay: AS_GPAY, browser: WEB, gpay: 'a promise settles once, later' },
  },
  { name: 'the answer comes after the deadline', not: { browser: WEB_PAY } },
  { name: 'the call throws, is unknown, or is not allowed', not: { browser: WEB } },
  { name: 'answers come in another order' },
  { name: 'the data is text, text in text, cut off, or nothing', not: { browser: WEB_PAY } },
  { name: 'an error is a number or a text, and may come with data', not: { browser: WEB_PAY } },
  { name: 'there are fields and values that nobody knows', not: { tarnpay: MUTE, browser: WEB_PAY } },
  { name: 'consent is refused, then given; a returning user sees no sheet', not: { browser: OWN_LOGIN } },
  {
    name: 'an auth code is used again',
    not: {
      frame: 'it gives signed tokens',
      browser: OWN_LOGIN,
      gpay: 'it gives signed tokens',
      sixpay: 'it gives signed tokens',
    },
  },
  {
    name: "a profile lacks what is optional, has it in odd forms, or is nobody's",
    not: {
      tarnpay: 'its proof is one grant',
      frame: 'its proof is one token',
      browser: OWN_LOGIN,
      gpay: 'its proof is one token',
      sixpay: 'its proof is one token',
    },
  },
  {
    name: 'an identity token is not what it should be',
    not: { tarnpay: 'it gives a grant', browser: OWN_LOGIN, paytm: 'it gives a code' },
  },
  { name: 'a payment succeeds, fails, or is pending and goes either way', not: { browser: WEB_PAY } },
  { name: 'the host says the opposite of the bank', not: { browser: WEB_PAY } },
  { name: 'a payment is left by back, or without a reason', not: { browser: WEB_PAY } },
  { name: 'the app is killed while paying' },
  { name: 'an order id was used before', not: { browser: WEB_PAY } },
  { name: 'the receipt is of another amount or order, unsigned or broken', not: { tarnpay: MUTE, browser: WEB_PAY } },
  { name: 'Pay is tapped twice, and the bank reports twice' },
  { name: 'a permission is undetermined or refused, and a position never found' },
  { name: 'the network is gone, comes and goes, and host and browser disagree' },
  { name: 'storage throws, is full, or was emptied' },
  { name: 'the host goes back although it was told not to' },
  { name: 'hidden without shown, and a close that nothing follows' },
  { name: 'vibration is absent, does nothing, or throws' },
  { name: 'what is unavailable or forbidden is neither drawn nor called' },
  { name: 'a payment sheet is gone and the page is never told, or late', not: { tarnpay: MUTE, browser: WEB_PAY } },
  { name: 'a login or a number is asked for and never answered', not: { browser: OWN_LOGIN } },
  {
    name: 'the address picker never answers',
    not: { tarnpay: NO_PICKER, browser: NO_PICKER, gpay: NO_PICKER, sixpay: NO_PICKER },
  },
  {
    name: 'the bridge is set without its event, or half of it first',
    not: { frame: 'it answers a greeting', browser: WEB },
  },
  {
    name: 'the global of the script comes later than its load event',
    not: { frame: 'it is no script', browser: WEB, paytm: 'it injects its bridge', sixpay: 'it injects its bridge' },
  },
  {
    name: "another program has the host's word in its user agent",
    not: { frame: 'the origin around it decides', browser: WEB, gpay: 'the origin of its frame decides' },
  },
  {
    name: 'the bridge vanishes, or another takes its place, while it is called',
    not: { frame: 'messages need no bridge that could go', browser: WEB },
  },
  {
    name: 'who says that there is no network is contradicted by a server that answers',
    elsewhere: ['shell/start.test.tsx', 'an answering server'],
  },
  {
    name: 'the host has words of its own for the network, or says only that there is none',
    not: {
      tarnpay: NO_NETWORK_CALL,
      frame: 'it tells by itself, in our words',
      browser: WEB,
      gpay: NO_NETWORK_CALL,
      sixpay: NO_NETWORK_CALL,
    },
  },
  { name: 'the main script of the page runs twice', elsewhere: ['e2e/hostile.spec.ts', 'runs twice'] },
  { name: 'a sandbox sends no form', elsewhere: ['e2e/embedding.spec.ts', 'sends no form'] },
  {
    name: 'an answer throws when it is read, contains itself, or is huge',
    not: { tarnpay: AS_GPAY, frame: COPY, browser: WEB_PAY },
  },
  { name: 'an answer is changed after it was given', not: { tarnpay: AS_GPAY, frame: COPY, browser: WEB_PAY } },
  {
    name: 'an answer is a promise where a callback was given, or a promise of a library',
    not: { tarnpay: AS_GPAY, frame: COPY, browser: WEB, sixpay: 'its answers are events' },
  },
  {
    name: 'an answer carries the number of another call',
    not: { tarnpay: AS_GPAY, browser: WEB, gpay: 'its answers are promises', paytm: 'its answers are callbacks' },
  },
  { name: 'an answer comes when the page has given its bridge up', not: { browser: WEB } },
  {
    name: 'a good answer has an empty error',
    not: { tarnpay: AS_GPAY, browser: WEB_PAY, gpay: 'a promise is either kept or rejected' },
  },
  {
    name: 'a refusal is no error, has no reason, or a reason that throws',
    not: { tarnpay: AS_GPAY, frame: COPY, browser: WEB },
  },
  { name: 'numbers come as text and text as numbers', not: { tarnpay: MUTE, browser: WEB_PAY } },
  {
    name: 'the address picker leaves most of it out',
    not: { tarnpay: NO_PICKER, browser: NO_PICKER, gpay: NO_PICKER, sixpay: NO_PICKER },
  },
  { name: 'a position is no number, or asking for it throws', not: { gpay: 'it has a call of its own for it' } },
  { name: 'only the storage of this visit works, or it is cleared in the middle' },
  { name: "the phone's clock is hours wrong", elsewhere: ['e2e/hostile.spec.ts', 'hours wrong'] },
  { name: 'the page is hidden and shown many times in a moment' },
  { name: 'the page comes back as it was, and no event of visibility says so' },
  { name: 'the page starts out of sight', elsewhere: ['e2e/hostile.spec.ts', 'starts out of sight'] },
  { name: 'a deep link carries garbage', elsewhere: ['e2e/hostile.spec.ts', 'carries garbage'] },
  { name: 'other programs talk to the window', elsewhere: ['e2e/hostile.spec.ts', 'talk to the window'] },
  {
    name: 'the host adds to the objects of the language',
    elsewhere: ['e2e/hostile.spec.ts', 'objects of the language'],
  },
  { name: 'the history takes no further entry' },
  {
    name: 'the browser lets the page neither share nor copy',
    not: {
      tarnpay: 'it shares nothing',
      frame: 'it shares by its own call',
      gpay: 'it shares by its own call',
      paytm: 'it shares nothing',
      sixpay: 'it shares nothing',
    },
  },
  {
    name: 'the payment webhook is a form or JSON, and may be forged, altered or doubled',
    elsewhere: ['server/paytmGateway.test.ts', 'none is taken'],
  },
  {
    name: 'the gateway has no record of a payment that was never begun',
    elsewhere: ['server/paytmGateway.test.ts', 'nobody ever began'],
  },
  {
    name: 'the gateway is down, or does not know the shop, and calls that a failure',
    elsewhere: ['server/paytmGateway.test.ts', 'says nothing of the payment'],
  },
  {
    name: 'the receipt on the page is signed, or forged afterwards',
    elsewhere: ['server/receipts.test.ts', 'judged by our server'],
  },
  {
    name: 'somebody between us and the bank answers for it',
    elsewhere: ['server/moneyCases.test.ts', 'of an altered answer makes an order paid'],
  },
];
