import type {} from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** Each time somebody agreed (`given` 1) or took it back (0); the last of a purpose holds. */
    consents: { id: string; user_id: string; purpose: string; given: number; version: string; at: number };
  }
}
