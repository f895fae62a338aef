/** How long each call is waited for, in milliseconds: the only such table. A caller may give a call less or more (CallOptions). */
export const DEADLINE_MS = {
  /** Until the bridge is there; later it is still noticed. */
  ready: 5_000,
  /** A person reads a sheet. */
  login: 120_000,
  /** A login that may show nothing. */
  silent: 5_000,
  phoneNumber: 120_000,
  address: 120_000,
  share: 120_000,
  shortcut: 120_000,
  /** The question and then the position. */
  location: 135_000,
  /** The browser's own question. */
  permission: 120_000,
  /** The phone has been allowed to say where it is, and looks. */
  position: 15_000,
  /** Shorter than an attempt can be paid. */
  payment: 10 * 60_000,
  close: 1_500,
  network: 2_000,
  /** A native sheet lies over the page by then; a tap that still reaches the page shows that there is none. */
  opening: 3_000,
  /** Fetching the code behind the calls. */
  load: 30_000,
} as const;
