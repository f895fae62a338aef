import { featureName } from './shape.ts';

/** The page paths of each feature, by the feature's normalised name. `/x` also covers every path below it. */
export const FEATURE_PATHS: Readonly<Record<string, readonly string[]>> = {
  chatbot: ['/chatbot'],
  deliverontrain: ['/deliverontrain'],
  edv: ['/edv', '/everyday-value-offers'],
  feedback: ['/uf', '/feedback'],
  irctc: ['/irctc'],
  irctcorder: ['/irctcOrder'],
  irctcstation: ['/irctcStation'],
  offers: ['/offers', '/postorder-ui/offers'],
  paytmform: ['/paytmForm'],
  support: ['/help', '/ticket'],
  upiform: ['/upiForm'],
  wallet: ['/wallet', '/postorder-ui/wallet'],
  worldpizzaleague: ['/worldPizzaLeague'],
  worldpizzaleagueapp: ['/worldPizzaLeagueApp'],
};

/** The BLOCKED_PATHS for a list of features that are off (product.md section 4.2). */
export function blockedPaths(features: readonly string[]): string[] {
  return features.flatMap((feature) => FEATURE_PATHS[featureName(feature)] ?? []);
}
