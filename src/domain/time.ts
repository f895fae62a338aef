export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;
export const YEAR_S = 365 * DAY_S;

export const DAY_MINUTES = 1_440;

/** The wait before another try: the first is `firstMs`, and each is twice the one before. @param tries how often it has failed since */
export const doubledMs = (firstMs: number, tries: number, mostMs = Infinity): number =>
  Math.min(firstMs * 2 ** tries, mostMs);
