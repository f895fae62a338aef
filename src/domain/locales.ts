/**
 * Whether the browser knows how a locale writes its numbers or dates. Of one that it does not know it takes its own
 * instead: on a Sinhala page in a German browser a price would be 1.234,50.
 */
export const isKnown = (locale: string, format: { supportedLocalesOf(locale: string): string[] }): boolean =>
  format.supportedLocalesOf(locale).length > 0;
