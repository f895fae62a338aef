import type { Feature, HostId } from './hostBridge.ts';

export type HostErrorCode =
  | 'UNSUPPORTED' // this host never has it
  | 'UNAVAILABLE' // it has it, not now (version, offline, background)
  | 'BLOCKED' // host policy forbids it
  | 'NOT_READY' // bridge did not appear before the deadline, or the page runs outside its host
  | 'DENIED' // the user or the system refused a permission or a consent
  | 'CANCELLED' // the user backed out, and the host said so
  | 'ABORTED' // our own AbortSignal
  | 'TIMEOUT' // called, no reply in time
  | 'BUSY' // one exclusive sheet is already open
  | 'INVALID_ARGUMENT'
  | 'MALFORMED_REPLY' // reply failed decoding
  | 'HOST_FAILURE'; // host said it failed

export interface HostErrorInit {
  readonly host: HostId;
  readonly feature: Feature | 'ready';
  readonly retryable?: boolean;
  /** Always a string: hosts mix numbers and strings. */
  readonly vendorCode?: string | undefined;
  /** For logs only, never shown, never matched on. */
  readonly vendorMessage?: string | undefined;
  readonly cause?: unknown;
}

/** The error of every call of a host bridge; recognise it by `name` and `code`, since realms differ in webviews. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  readonly host: HostId;
  readonly feature: Feature | 'ready';
  readonly retryable: boolean;
  readonly vendorCode: string | undefined;
  readonly vendorMessage: string | undefined;

  constructor(code: HostErrorCode, init: HostErrorInit) {
    super(`${init.host}.${init.feature}: ${code}`, { cause: init.cause });
    this.code = code;
    this.host = init.host;
    this.feature = init.feature;
    this.retryable = init.retryable ?? false;
    this.vendorCode = init.vendorCode;
    this.vendorMessage = init.vendorMessage;
  }
}
