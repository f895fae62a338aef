import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

const VehicleDraft = z.object({ colour: z.string(), model: z.string(), lastFourDigits: z.string() });
export type VehicleDraft = z.output<typeof VehicleDraft>;
const NO_VEHICLE: VehicleDraft = { colour: '', model: '', lastFourDigits: '' };
/** VEHICLE_DETAILS of the specification: curbside only. */
export const vehicleAtom = kept<VehicleDraft>({
  key: 'vehicle',
  schema: VehicleDraft,
  initial: NO_VEHICLE,
  forget: 'logout',
});
