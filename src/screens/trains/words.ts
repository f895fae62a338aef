import * as t from '#text/trains.ts';

/** Where in the train somebody sits, as far as that is known. */
export function seatText({ coach, berth }: { readonly coach: string | null; readonly berth: string | null }): string {
  if (coach === null) return t.seatOpen;
  return berth === null ? t.coachOf({ coach }) : t.seatOf({ coach, berth });
}
