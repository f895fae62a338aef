import type * as z from 'zod/mini';

/** Reads the JSON body of a request to an imitated vendor; null when it does not fit the schema. */
export async function ordered<S extends z.ZodMiniType>(schema: S, request: Request): Promise<z.output<S> | null> {
  const body: unknown = await request.json().catch(() => null);
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : null;
}

/** A made-up phone number that is always the same for the same person. */
export function phoneOf(person: string): string {
  let number = 7;
  for (const char of person) number = (number * 31 + char.charCodeAt(0)) % 100_000_000;
  return `98${String(number).padStart(8, '0')}`;
}
