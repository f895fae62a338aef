/** A country's name in the language of a locale. */
export const countryName = (iso: string, locale: string): string =>
  new Intl.DisplayNames([locale], { type: 'region' }).of(iso) ?? iso;
