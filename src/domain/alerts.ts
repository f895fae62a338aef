import { ADVANCE_ORDER_ONLY, INTERNAL_SERVER_ERROR, OK, OOPS } from './messages.ts';

export interface ServerError { readonly code?: string; readonly displayMsg?: string | undefined; readonly header?: string | undefined; readonly btnMsg?: string | undefined }
export interface Alert { readonly header: string; readonly message: string; readonly button: string }

/** Error code of a store that cannot take orders. */
export const STORE_NOT_AVAILABLE = '2.STORENA';

/** errors[0] as an alert, with the fallbacks of the specification, section 8; a message with 'offline' becomes the advance-order one. */
export function alertOf(errors: readonly ServerError[] | null | undefined): Alert {
  const first = errors?.[0];
  const message = first?.displayMsg || INTERNAL_SERVER_ERROR;
  return {
    header: first?.header || OOPS,
    message: /offline/i.test(message) ? ADVANCE_ORDER_ONLY : message,
    button: first?.btnMsg || OK,
  };
}

/** '2.STORENA' from the selector shows the alert, from elsewhere it only closes the selector; anything else is an alert. */
export function storeAlert(errors: readonly ServerError[] | null | undefined, isFromSelector: boolean): Alert | null {
  return errors?.[0]?.code === STORE_NOT_AVAILABLE && !isFromSelector ? null : alertOf(errors);
}
