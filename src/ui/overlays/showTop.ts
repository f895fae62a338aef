/** After a form or a pressed button is replaced, reading goes on at the page's heading. */
export function showTop(): void {
  scrollTo(0, 0);
  document.getElementById('main')?.focus();
}
