import type { ApiError } from '../../contract/reply.ts';

/** Thrown by rules and routes; only http/reply.ts turns it into a reply. Recognised by its name. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly httpStatus: number;
  readonly errors: readonly ApiError[];
  constructor(httpStatus: number, errors: readonly ApiError[]) {
    super(errors.map((error) => error.code).join(', '));
    this.httpStatus = httpStatus;
    this.errors = errors;
  }
}

/**
 * Throws a Refusal: 422 when a rule says no, 400 for unreadable input; 401, 403, 404, 409 and 429 have their usual
 * meaning.
 */
export function refuse(httpStatus: number, code: string, displayMsg: string, more: Partial<ApiError> = {}): never {
  throw new Refusal(httpStatus, [{ code, displayMsg, ...more }]);
}
