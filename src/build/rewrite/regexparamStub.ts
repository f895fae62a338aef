/** Replaces the package `regexparam` in the bundles: wouter's matching is not used, shell/first/matching.ts matches routes. */
export function parse(): never {
  throw new Error('shell/first/matching.ts matches routes');
}
