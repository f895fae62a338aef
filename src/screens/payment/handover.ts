import * as errors from '#text/errors.ts';
import { useAtomValue } from 'jotai';
import { typedNumber, typedText } from '../../domain/typedText.ts';
import { tableAtom } from '../../state/drafts/table.ts';
import { vehicleAtom } from '../../state/drafts/vehicle.ts';
import { deliveryTypeAtom } from '../../state/first/location.ts';

/** What is still missing before the food can be handed over, as a sentence; null when nothing is. */
export function useHandoverProblem(): string | null {
  const type = useAtomValue(deliveryTypeAtom);
  const vehicle = useAtomValue(vehicleAtom);
  const table = useAtomValue(tableAtom);
  if (
    type === 'CURB' &&
    !(typedText(vehicle.colour) && typedText(vehicle.model) && /^\d{4}$/.test(vehicle.lastFourDigits))
  )
    return errors.vehicleMissing;
  if (type === 'DINEIN' && typedNumber(table) === '') return errors.tableMissing;
  return null;
}
