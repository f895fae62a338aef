/** What took the place of a form, or of the button that was pressed, is read from the page's heading on. */
export function showTop(): void {
  scrollTo(0, 0);
  document.getElementById('main')?.focus();
}
