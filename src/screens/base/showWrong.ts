/** A busy phone draws what is wrong some frames after it is known. */
const FRAMES = 20;

/**
 * Focuses the first field of a page, or of the sheet over it, that has to be looked at; what stands in one line is marked,
 * ready to be typed over. `which` narrows it to one field.
 */
export function showWrong(which = '', frames = FRAMES): void {
  requestAnimationFrame(() => {
    const wrong = `${which}[aria-invalid="true"]`;
    const field =
      document.querySelector<HTMLInputElement>(`dialog ${wrong}`) ?? document.querySelector<HTMLInputElement>(wrong);
    if (!field && frames > 1) return showWrong(which, frames - 1);
    field?.focus();
    if (field?.tagName === 'INPUT') field.select();
  });
}
