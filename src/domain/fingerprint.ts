const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha512 = async (text: string) => hex(await crypto.subtle.digest('SHA-512', new TextEncoder().encode(text)));

/** The data as text, always the same for the same data: sorted keys, one per line. */
export function canonical(data: Readonly<Record<string, unknown>>): string {
  return Object.keys(data)
    .sort()
    .map((key) => `${key}=${String(data[key])}`)
    .join('\n');
}

/**
 * SHA-512, in hexadecimal, of the client's data and a secret derived from the app instance value (specification section
 * 7).
 */
export async function deviceHash(data: Readonly<Record<string, unknown>>, instanceValue: string): Promise<string> {
  return await sha512(`${canonical(data)}\n${await sha512(instanceValue)}`);
}
