import * as z from 'zod/mini';
import type { OpenHost } from './defineHost.ts';
import type { Feature } from './hostBridge.ts';

/** Reads a host's reply by its schema. @throws HostError MALFORMED_REPLY when it does not fit */
export function decode<S extends z.ZodMiniType>(
  host: OpenHost,
  feature: Feature,
  schema: S,
  value: unknown,
): z.output<S> {
  const read = z.safeParse(schema, value);
  if (!read.success) throw host.error('MALFORMED_REPLY', feature, { cause: read.error });
  return read.data;
}

/** A text; hosts send numbers for it, too. */
export const Said = z.pipe(
  z.transform((value: unknown) => (typeof value === 'number' ? String(value) : value)),
  z.string(),
);
