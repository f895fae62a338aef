/** Runs in the page itself before its first picture is asked for (slow-network mode, state/network.ts). */
interface Line {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}
const { saveData = false, effectiveType = '' } = (navigator as { readonly connection?: Line }).connection ?? {};
if (saveData || effectiveType.endsWith('2g')) document.documentElement.setAttribute('data-slow', '');

export {};

/** Filters of the last visit are in force once the page is connected; until then no dish can be added (ItemCard). */
try {
  if (Object.keys(localStorage).some((key) => key.endsWith(':~filters')))
    document.documentElement.setAttribute('data-filtered', '');
} catch {
  // Without storage there was no last visit.
}
