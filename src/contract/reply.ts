import * as z from 'zod/mini';

/** One server error as shown in an alert (specification section 8): fallbacks are the client's. */
export const ApiError = z.object({
  /** Stable and machine-readable, for example '2.STORENA' or 'OTP_LIMIT'. */
  code: z.string(),
  displayMsg: z.string(),
  header: z.optional(z.string()),
  btnMsg: z.optional(z.string()),
  /** The input it is about, as a dotted path, when it is about one. */
  field: z.optional(z.string()),
});
export type ApiError = z.output<typeof ApiError>;

/** What every refused call answers, with a 4xx or 5xx status. */
export const Failed = z.object({
  status: z.literal('FAILED'),
  errors: z.array(ApiError),
  /** Quoted in the small print of the alert and found in the server's log. */
  requestId: z.optional(z.string()),
});
export type Failed = z.output<typeof Failed>;

/** A success reply: `status` SUCCESS beside the endpoint's own fields. */
export function success<const S extends z.core.$ZodShape>(shape: S) {
  return z.object({ status: z.literal('SUCCESS'), ...shape });
}

/** A named constant of the specification (section 4): the cached copy is still right. */
export const NOT_MODIFIED = 304;
