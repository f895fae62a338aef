import * as errorText from '#text/errors.ts';

export interface ServerError {
  readonly code?: string;
  readonly displayMsg?: string | undefined;
  readonly header?: string | undefined;
  readonly btnMsg?: string | undefined;
}
export interface Alert {
  readonly header: string;
  readonly message: string;
  readonly button: string;
}

/** Error code for a store that cannot take orders. */
export const STORE_NOT_AVAILABLE = '2.STORENA';

/**
 * The first error as an alert, with the fallbacks of the specification, section 8. A message that contains 'offline'
 * becomes the advance-order message.
 */
export function alertOf(errors: readonly ServerError[] | null | undefined): Alert {
  const first = errors?.[0];
  const message = first?.displayMsg || errorText.internalServerError;
  return {
    header: first?.header || errorText.oops,
    message: /offline/i.test(message) ? errorText.advanceOrderOnly : message,
    button: first?.btnMsg || errorText.ok,
  };
}

/**
 * The alert for a store error. '2.STORENA' shows an alert only in the store selector; elsewhere it just closes the
 * selector (null). Any other error is an alert.
 */
export function storeAlert(errors: readonly ServerError[] | null | undefined, isFromSelector: boolean): Alert | null {
  return errors?.[0]?.code === STORE_NOT_AVAILABLE && !isFromSelector ? null : alertOf(errors);
}
