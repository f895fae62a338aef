/** Codes are read from one screen and typed into another: no letter or digit of them looks like another. */
export const MEMORY_CODE = /^[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}$/;

/** The code in what was typed (spaces, capitals, with or without its dash), or null. */
export function memoryCode(typed: string): string | null {
  const letters = typed.toLowerCase().replace(/[^a-z0-9]/g, '');
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  return MEMORY_CODE.test(code) ? code : null;
}
