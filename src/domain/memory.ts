import { typedCode } from './typedText.ts';

/** A code is read from one screen and typed on another, so it has no letters or digits that look alike. */
const MEMORY_CODE = /^[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}$/;

/** The code in a typed text (spaces, capitals, with or without the dash), or null. */
export function memoryCode(typed: string): string | null {
  const letters = typedCode(typed)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  return MEMORY_CODE.test(code) ? code : null;
}
