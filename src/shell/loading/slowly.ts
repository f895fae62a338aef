/** Runs in the page itself before its first picture is asked for (slow-network mode, state/base/network.ts). */
interface Line {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}
export const { dataset } = document.documentElement;
export const { saveData, effectiveType } = (navigator as { readonly connection?: Line }).connection ?? {};
// Of a browser that says nothing it is no match either.
if (saveData || /2g/.test(effectiveType as string)) dataset['slow'] = '';

/** The build fills in the key of how the menu's dishes look (state/first/menu.ts). */
declare const LOOK_KEY: string;

/** Filters of the last visit are in force once the page is connected; until then no dish can be added (ItemCard). */
try {
  if (/:~filters/.test(Object.keys(localStorage) as unknown as string)) dataset['filtered'] = '';
  // What was decided for this visitor before is what is drawn first; other text, 'null' too, is read as nothing (menu.ts).
  const look = /^"([uwxys])"$/i.exec(localStorage.getItem(LOOK_KEY)!);
  if (look) dataset['look'] = look[1]!.toLowerCase();
} catch {
  // Without storage there was no last visit.
}
