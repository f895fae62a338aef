import * as t from '#text/first.ts';
import { clockMinutes, twelveHours } from '../../domain/hours.ts';

/** A clock time of the data, `23:00`, as every screen writes it: 11 PM. */
export const hourText = (clock: string): string => t.clock(twelveHours(clockMinutes(clock)));
