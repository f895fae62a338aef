import { expect, test, vi } from 'vitest';
import { showWrong } from '../../src/screens/base/showWrong.ts';

const frame = () =>
  new Promise((done) => {
    requestAnimationFrame(done);
  });

test('a field that is drawn as wrong some frames later gets the focus all the same', async () => {
  document.body.innerHTML = '<input value="not the one">';
  const field = document.querySelector('input')!;
  showWrong();
  await frame();
  await frame();
  expect(document.activeElement).not.toBe(field);
  field.setAttribute('aria-invalid', 'true');
  await vi.waitFor(() => expect(document.activeElement).toBe(field));
});
