/** Parses a text that holds JSON, perhaps as a JSON string twice over; returns anything else as it is. */
export function unwrap(raw: unknown): unknown {
  for (let depth = 0; depth < 2 && typeof raw === 'string'; depth++) {
    try {
      raw = JSON.parse(raw);
    } catch {
      return raw;
    }
  }
  return raw;
}
