import { alertOf, type Alert, type ServerError } from './alerts.ts';

/** Error code for a store that cannot take orders. */
export const STORE_NOT_AVAILABLE = '2.STORENA';

/**
 * The alert for a store error. '2.STORENA' shows an alert only in the store selector; elsewhere it just closes the
 * selector (null). Any other error is an alert.
 */
export function storeAlert(
  errors: readonly Partial<ServerError>[] | null | undefined,
  isFromSelector: boolean,
): Alert | null {
  return errors?.[0]?.code === STORE_NOT_AVAILABLE && !isFromSelector ? null : alertOf(errors);
}
