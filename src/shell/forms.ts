/**
 * A frame that is sandboxed without allow-forms sends no form, and tells nobody: a tap on the button, or Enter, ends before
 * the submit event. No page can ask whether it is in such a frame. So each attempt is watched, and where no event comes, it is
 * made here; what our forms do with it needs no sending.
 */
export function sendForms(): () => void {
  const tried = new Set<HTMLFormElement>();
  const expect = (event: Event, form: HTMLFormElement | null, submitter: HTMLElement | null): void => {
    if (!form || tried.has(form)) return;
    tried.add(form);
    let isSent = false;
    const heard = () => {
      isSent = true;
    };
    form.addEventListener('submit', heard, { capture: true, once: true });
    // The browser's own attempt follows the event that is being handled.
    setTimeout(() => {
      tried.delete(form);
      form.removeEventListener('submit', heard, true);
      if (isSent || event.defaultPrevented || !form.isConnected) return;
      // Enter goes the way of the form's button: one that is busy or off sends nothing.
      const button = submitter ?? form.querySelector('[type=submit]');
      if (button?.matches(':disabled,[aria-disabled=true]')) return;
      // Where it was the form's own fault that nothing was sent, that has been said.
      if (!form.noValidate && !form.checkValidity()) return;
      form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter }));
    });
  };
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element | null)?.closest?.<HTMLButtonElement>('button,input[type=submit]');
    if (button?.type === 'submit' && !button.disabled) expect(event, button.form, button);
  };
  const onKey = (event: KeyboardEvent) => {
    const { target } = event;
    // As ui/composing says it; a file of its own would be one more that every page waits for.
    const isComposing = event.isComposing || event.keyCode === 229;
    if (event.key === 'Enter' && !isComposing && target instanceof HTMLInputElement) expect(event, target.form, null);
  };
  document.addEventListener('click', onClick);
  document.addEventListener('keydown', onKey);
  return () => {
    document.removeEventListener('click', onClick);
    document.removeEventListener('keydown', onKey);
  };
}
