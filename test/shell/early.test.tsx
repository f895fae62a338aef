import { expect, test } from 'vitest';

test('a tap on a page that is half awake is made once, when it is alive; taps after that are made at once', async () => {
  document.body.innerHTML = '<div id="app"><button>Add</button><button type="button">Veg only</button></div>';
  const heard: string[] = [];
  // What the page's own script listens with, before it is done.
  document.getElementById('app')!.addEventListener('click', (event) => heard.push((event.target as Element).textContent));
  const [add, veg] = [...document.querySelectorAll('button')] as [HTMLButtonElement, HTMLButtonElement];
  await import('../../src/shell/early.ts');
  add.click();
  veg.click();
  add.click();
  expect([heard, add.getAttribute('aria-busy'), veg.getAttribute('aria-busy')]).toEqual([[], 'true', 'true']);
  document.dispatchEvent(new Event('alive'));
  expect([heard, add.getAttribute('aria-busy'), veg.getAttribute('aria-busy')]).toEqual([['Add', 'Veg only'], null, null]);
  add.click();
  expect(heard).toEqual(['Add', 'Veg only', 'Add']);
});
