import * as errorText from '#text/errors.ts';

/** What a server error says to the customer. */
export interface ServerError {
  readonly code: string;
  readonly displayMsg: string;
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

/** A text that can be shown; undefined for null, another type, and nothing but space. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** A server's message; one that contains 'offline' becomes the advance-order message (specification, section 8). */
export function messageOf(value: unknown): string | undefined {
  const message = textOf(value);
  return message && /offline/i.test(message) ? errorText.advanceOrderOnly : message;
}

/** An error of any server, with the fallbacks of the specification, section 8, for what it lacks. */
function completed(value: unknown) {
  const { code, displayMsg, header, btnMsg, field, waitSeconds } = (
    typeof value === 'object' ? (value ?? {}) : { displayMsg: value }
  ) as Readonly<Record<string, unknown>>;
  return {
    code: typeof code === 'number' ? `${code}` : (textOf(code) ?? ''),
    displayMsg: messageOf(displayMsg) ?? errorText.internalServerError,
    header: textOf(header) ?? errorText.oops,
    btnMsg: textOf(btnMsg) ?? errorText.ok,
    ...(textOf(field) && { field }),
    ...(typeof waitSeconds === 'number' && { waitSeconds }),
  };
}

/** Names under which replies have errors: of the whole call, and of what was asked about. */
const LISTS = ['errors', 'problems'];

/** Completes the errors of a reply and of its parts, whatever the server has left out, before anything reads them. */
export function completeErrors(reply: unknown, depth = 1): void {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return;
  const fields = reply as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (LISTS.includes(name)) fields[name] = [value ?? []].flat().map(completed);
    else if (depth > 0) completeErrors(value, depth - 1);
  }
}

/** What the server says of an error, or our own sentence where it says nothing of its own. */
export const messageOr = (error: Pick<ServerError, 'displayMsg'> | undefined, otherwise: string): string =>
  error === undefined || error.displayMsg === errorText.internalServerError ? otherwise : error.displayMsg;

/** The first error as an alert. */
export function alertOf(errors: readonly Partial<ServerError>[] | null | undefined): Alert {
  const { displayMsg: message, header, btnMsg: button } = completed(errors?.[0]);
  return { header, message, button };
}

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
