import * as z from 'zod/mini';
import { isEmail } from '../../domain/email.ts';
import { cleaned } from '../../domain/typedText.ts';

// Fields of a vendor's answer, generous about their form: what is optional may be missing, null, a number or text, and
// what cannot be used counts as not said. Only what decides who somebody is may refuse an answer.

const LONGEST = 200;
/** What a vendor's program writes for a person that it does not know; it would be the same for all of them. */
const NOBODY = /^(?:null|undefined|none|nil|nan|0+)$/i;

const text = (value: unknown): string | undefined => {
  // A larger number has lost digits on its way through JSON.
  const said = Number.isSafeInteger(value) ? String(value) : typeof value === 'string' ? cleaned(value).trim() : '';
  return said === '' || said.length > LONGEST ? undefined : said;
};
const field = <T>(read: (value: unknown) => T) => z.pipe(z.optional(z.unknown()), z.transform(read));

/** Text or a whole number; anything else is undefined. */
export const saidText = field(text);
/** true, 'true', 1 and '1'; everything else is false. */
export const saidTrue = field((value) => /^(?:true|1)$/i.test(String(value)));
/** An email address; undefined if it is none. */
export const saidEmail = field((value) => {
  const said = typeof value === 'string' ? value.trim() : '';
  return isEmail(said) ? said : undefined;
});
/** A part of an answer that may be missing, or be something else; then it has no fields. */
export const saidPart = <F extends z.core.$ZodLooseShape>(fields: F) =>
  z.pipe(
    z.transform((value) => (typeof value === 'object' && !Array.isArray(value) && value !== null ? value : {})),
    z.object(fields),
  );
/** The vendor's id of a person, as text or as a whole number: 12 and '12' are one person. Strict: no id is a mistake. */
export const saidId = z.pipe(
  z.transform((value) => (Number.isSafeInteger(value) ? String(value) : value)),
  z.string().check(
    z.maxLength(LONGEST),
    z.refine((id) => id.trim() === id && id !== '' && !NOBODY.test(id)),
  ),
);
