// Answers of the railway; its client is in providers/railway.ts. Times are epoch ms.

/** A ticket. CNF: confirmed. RAC: a shared seat. WL: on the waiting list. CAN: cancelled. */
export interface RailTicket {
  readonly state: 'CNF' | 'RAC' | 'WL' | 'CAN';
  readonly isCharted: boolean;
  /** One train on one day. */
  readonly run: string;
  readonly from: RailPlace;
  readonly to: RailPlace;
  readonly departsAt: number;
  readonly coach: string | null;
  readonly berth: string | null;
  readonly passengers: number;
}
interface RailPlace {
  readonly code: string;
  readonly name: string;
}
export interface RailStop extends RailPlace {
  readonly scheduledAt: number;
  readonly arrivesAt: number;
  readonly departsAt: number;
  readonly platform: string | null;
  /** The train does not stop there this time; SHORT: it turns back before. */
  readonly missed: 'SKIPPED' | 'SHORT' | null;
  readonly hasArrived: boolean;
}
export interface RailRun {
  readonly run: string;
  readonly number: string;
  readonly name: string;
  readonly isCancelled: boolean;
  /** In the order of the way. */
  readonly stops: readonly RailStop[];
}

export interface Railway {
  /** False in production without a railway: nobody is offered food on trains there. */
  readonly isThere: boolean;
  /** Null: there is no such ticket. @throws when the railway gives no answer */
  ticket(pnr: string): Promise<RailTicket | null>;
  /** Null: there is no such run. @throws when the railway gives no answer */
  run(run: string): Promise<RailRun | null>;
  /** A key, held outside the database where a railway is configured, that PNRs are stored under. */
  sealingKey(): Promise<string>;
}
