import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendForms } from '../../src/shell/forms.ts';

const stop = sendForms();
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

/** A page whose browser sends no form by itself, as in a sandbox without allow-forms. */
function formWith(button: string) {
  document.body.innerHTML = `<form novalidate><input name="code" />${button}</form>`;
  const sent = vi.fn((event: Event) => event.preventDefault());
  const form = document.querySelector('form')!;
  form.addEventListener('submit', sent);
  const enter = () =>
    form.querySelector('input')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  return { sent, enter };
}

test('Enter sends a form where the browser does not', () => {
  const { sent, enter } = formWith('<button type="submit">Pay</button>');
  enter();
  vi.runAllTimers();
  expect(sent).toHaveBeenCalledTimes(1);
});

test.each([
  ['busy', '<button type="submit" aria-busy="true" aria-disabled="true">Pay</button>'],
  ['off', '<button type="submit" disabled>Pay</button>'],
])('Enter sends nothing while the button is %s', (_how, button) => {
  const { sent, enter } = formWith(button);
  enter();
  vi.runAllTimers();
  expect(sent).not.toHaveBeenCalled();
});

test('nothing is sent for a page that has gone', () => {
  const { sent, enter } = formWith('<button type="submit">Pay</button>');
  stop();
  enter();
  vi.runAllTimers();
  expect(sent).not.toHaveBeenCalled();
});
