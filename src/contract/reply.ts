import * as z from 'zod/mini';

/** One server error, to be shown in an alert (specification section 8); the client fills in missing texts. */
export const ApiError = z.object({
  /** Stable and machine-readable, for example '2.STORENA' or 'OTP_LIMIT'. */
  code: z.string(),
  displayMsg: z.string(),
  header: z.optional(z.string()),
  btnMsg: z.optional(z.string()),
  /** The input that the error is about, as a dotted path; absent if it is about none. */
  field: z.optional(z.string()),
  /** 429: when the same call may be welcome again. */
  waitSeconds: z.optional(z.number()),
});
export type ApiError = z.output<typeof ApiError>;

/** The reply of every refused call, with a 4xx or 5xx status. */
export const FailedReply = z.object({
  status: z.literal('FAILED'),
  errors: z.array(ApiError),
  /** Shown in the small print of the alert and written to the server's log. */
  requestId: z.optional(z.string()),
});
export type FailedReply = z.output<typeof FailedReply>;

/** A success reply: `status` SUCCESS and the endpoint's own fields. */
export function success<const S extends z.core.$ZodShape>(shape: S) {
  return z.object({ status: z.literal('SUCCESS'), ...shape });
}

/** HTTP status of the specification, section 4: the cached copy is still current. */
export const NOT_MODIFIED = 304;
