import type * as z from 'zod/mini';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Flag } from '../../contract/names.ts';
import type { ApiError } from '../../contract/reply.ts';
import { cleaned, typedNumber } from '../../domain/typedText.ts';
import { errors, t } from '../call/language.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { mustBeCardless } from './cardless.ts';

export const BODY_LIMIT_BYTES = 256 * 1024;
const ERRORS_TOLD = 20;
/** Most calls are ASCII: there is nothing to look for. An escape in JSON may be any character. */
const MAY_HIDE = /[^\t\n\r -~]|\\u/;
/** Fields whose schema wants a number or a short code as it is written in Latin. */
const NUMBERS: ReadonlySet<string> = new Set(['lastFourDigits', 'table', 'bay', 'coach', 'berth']);
/** All text that comes in by a call is cleaned: it stands in other people's pages, messages and papers. */
const read = (name: string, text: string) =>
  MAY_HIDE.test(text) ? (NUMBERS.has(name) ? typedNumber(text) : cleaned(text)) : text;
/** A value of a path or a query, without the blanks that a link gets at its ends where people copy it. */
const readInAddress = (name: string, text: string) => read(name, text).trim();
const PATH_VALUE = /^[^\u0000-\u001f\u007f]{1,160}$/;

/** The message for one mistake in the input; it depends mainly on the last name of the path. */
function sentence(path: readonly PropertyKey[], missing: boolean): string {
  const name = String(path.at(-1) ?? '');
  if (name === 'firstName' && missing) return errors.firstNameMissing;
  if (name === 'lastName' && missing) return errors.lastNameMissing;
  if (name === 'email') return errors.emailInvalid;
  if (name === 'termsAccepted') return errors.termsMissing;
  if (path.includes('vehicle')) return errors.vehicleMissing;
  return missing ? errors.fieldEmpty : t.badInput;
}

function errorsOf(error: z.core.$ZodError, input: unknown): ApiError[] {
  return error.issues.slice(0, ERRORS_TOLD).map((issue) => {
    let value: unknown = input;
    for (const step of issue.path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
    const missing = value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
    return {
      code: 'INVALID_INPUT',
      displayMsg: sentence(issue.path, missing),
      ...(issue.path.length === 0 ? {} : { field: issue.path.map(String).join('.') }),
    };
  });
}

function parsed(schema: z.ZodMiniType, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (!result.success) throw new Refusal(400, errorsOf(result.error, input));
  return result.data;
}

/** Other spellings of a flag in an address. */
const FLAGS: ReadonlyMap<string, 'true' | 'false'> = new Map([
  ['', 'true'],
  ['1', 'true'],
  ['0', 'false'],
]);

/** Whether a field of a query is a flag. */
function isFlag(field: unknown): boolean {
  const { def } = field as { readonly def: { readonly innerType?: unknown } };
  return field === Flag || (def.innerType !== undefined && isFlag(def.innerType));
}

/** The query with its flags as the contract spells them. */
function withFlags(schema: z.ZodMiniType, query: Readonly<Record<string, string>>): Record<string, string> {
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!Object.hasOwn(shape, name) || !isFlag(shape[name])) return [name, value];
      const said = value.trim().toLowerCase();
      return [name, FLAGS.get(said) ?? said];
    }),
  );
}

/**
 * Reads the input of a call: path values, `query` and `body`, checked by their schemas; and how large its body is.
 * @throws Refusal 400, 413 or 415, and 422 for a card number; a 400 lists the wrong fields
 */
export async function readInput(
  endpoint: Endpoint,
  params: Record<string, string>,
  query: Record<string, string>,
  request: Request,
): Promise<{ readonly input: Record<string, unknown>; readonly bytes: number }> {
  const input: Record<string, unknown> = {};
  let bytes = 0;
  for (const [name, value] of Object.entries(params)) {
    if (!PATH_VALUE.test(value)) refuse(400, 'INVALID_INPUT', t.badInput, { field: name });
    input[name] = readInAddress(name, value);
  }
  mustBeCardless(endpoint.path, { ...input, ...query });
  if (endpoint.query !== undefined) {
    for (const [name, value] of Object.entries(query))
      if (value.includes('\0')) refuse(400, 'INVALID_INPUT', t.badInput, { field: name.slice(0, 60) });
    const cleaned = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, readInAddress(name, value)]),
    );
    input.query = parsed(endpoint.query, withFlags(endpoint.query, cleaned));
  }
  if (endpoint.body !== undefined) {
    // This also stops forms of other sites, which cannot send this content type.
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
      refuse(415, 'JSON_ONLY', t.badInput);
    const text = await readText(request);
    bytes = Buffer.byteLength(text);
    let value: unknown;
    try {
      value = MAY_HIDE.test(text)
        ? JSON.parse(text, (name, inner: unknown) => (typeof inner === 'string' ? read(name, inner) : inner))
        : JSON.parse(text);
    } catch {
      refuse(400, 'INVALID_JSON', t.badInput);
    }
    mustBeCardless(endpoint.path, value);
    // PostgreSQL cannot store this character in text, and no customer types it.
    if (text.includes('\\u0000')) refuse(400, 'INVALID_INPUT', t.badInput);
    input.body = parsed(endpoint.body, value);
  }
  return { input, bytes };
}

/** @throws Refusal 413 TOO_LARGE */
export async function readText(request: Request): Promise<string> {
  const length = request.headers.get('content-length');
  if (length !== null) {
    if (!(Number(length) <= BODY_LIMIT_BYTES)) refuse(413, 'TOO_LARGE', t.payloadTooLarge);
    return await request.text();
  }
  if (request.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > BODY_LIMIT_BYTES) refuse(413, 'TOO_LARGE', t.payloadTooLarge);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
