/** What payment apps forbid, by the row that says so: written out, so that a test of src/domain/features.ts can fail. */
export const FORBIDDEN = [
  ['MINI-09', 'irctc'],
  ['MINI-10', 'feedback'],
  ['MINI-11', 'deals_and_offer'],
  ['MINI-12', 'deliver_on_train'],
  ['MINI-13', 'wallet'],
  ['MINI-14', 'support'],
  ['MINI-15', 'logout'],
  ['MINI-16', 'offers'],
  ['MINI-17', 'showAppBanner'],
  ['MINI-18', 'everyday_value_offer'],
  ['MINI-19', 'edv'],
] as const;
export const FORBIDDEN_FEATURES: readonly string[] = FORBIDDEN.map(([, feature]) => feature);
