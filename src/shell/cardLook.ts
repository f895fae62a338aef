/** How the menu's dishes look stands at the document itself: slowly.ts writes it there before anything is drawn. */
const root = () => document.documentElement.dataset;

export const shownLook = (): string | undefined => root()['look'];
export function showLook(look: string): void {
  root()['look'] = look;
}
