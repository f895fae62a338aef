import type { Sink } from './providers.ts';

/** An answer of server-sent events that goes on after the call: `begin` gets the connection once its head is sent. */
export class Live {
  readonly begin: (sink: Sink) => void;
  constructor(begin: (sink: Sink) => void) {
    this.begin = begin;
  }
}
