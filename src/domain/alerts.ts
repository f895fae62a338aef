import * as errorText from '#text/errors.ts';

/** What a server error says to the customer. */
export interface ServerError {
  readonly code: string;
  readonly displayMsg: string;
  readonly header?: string | undefined;
  readonly btnMsg?: string | undefined;
}

/** A text that can be shown; undefined for null, another type, and nothing that anybody sees. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /[^\s\p{C}]/u.test(value) ? value.trim() : undefined;

/** A server's message; one that contains 'offline' becomes the advance-order message (specification, section 8). */
export function messageOf(value: unknown): string | undefined {
  const message = textOf(value);
  return /offline/i.test(message ?? '') ? errorText.advanceOrderOnly : message;
}

/** An error of any server, with the fallbacks of the specification, section 8, for what it lacks. */
function completed(value: unknown) {
  const { code, displayMsg, header, btnMsg, field, waitSeconds } = Object(
    typeof value === 'string' ? { displayMsg: value } : value,
  ) as Readonly<Record<string, unknown>>;
  return {
    code: `${code ?? ''}`,
    displayMsg: messageOf(displayMsg) ?? errorText.internalServerError,
    header: textOf(header) ?? errorText.oops,
    btnMsg: textOf(btnMsg) ?? errorText.ok,
    field: textOf(field),
    waitSeconds: Number(waitSeconds) || undefined,
  };
}

/** Completes the errors of a reply and of its parts, whatever the server has left out, before anything reads them. */
export function completeErrors(reply: unknown, depth = 1): void {
  if (typeof reply !== 'object' || Array.isArray(reply)) return;
  const fields = reply as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields ?? {})) {
    // Errors of the whole call, and of what was asked about.
    if (/^(errors|problems)$/.test(name)) fields[name] = [value ?? []].flat().map(completed);
    else if (depth > 0) completeErrors(value, depth - 1);
  }
}

/** What the server says of an error, or our own sentence where it says nothing of its own. */
export const messageOr = (error: Pick<ServerError, 'displayMsg'> | undefined, otherwise: string): string =>
  error === undefined || error.displayMsg === errorText.internalServerError ? otherwise : error.displayMsg;

export interface Alert {
  readonly header: string;
  readonly message: string;
  readonly button: string;
}

/** The first error as an alert. */
export function alertOf(errors: readonly Partial<ServerError>[] | null | undefined): Alert {
  const { displayMsg: message, header, btnMsg: button } = completed(errors?.[0]);
  return { header, message, button };
}
