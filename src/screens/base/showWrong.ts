/**
 * Focuses the first field of a page, or of the sheet over it, that has to be looked at; what stands in one line is marked,
 * ready to be typed over. `which` narrows it to one field.
 */
export const showWrong = (which = ''): number =>
  requestAnimationFrame(() => {
    const wrong = `${which}[aria-invalid="true"]`;
    const field =
      document.querySelector<HTMLInputElement>(`dialog ${wrong}`) ?? document.querySelector<HTMLInputElement>(wrong);
    field?.focus();
    if (field?.tagName === 'INPUT') field.select();
  });
