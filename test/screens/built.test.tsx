import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { countCalls } from '../shell/quiet.ts';
import { openPage } from './page.ts';

let server: SpawnedServer;
beforeAll(async () => {
  server = await spawnServer();
});
afterAll(() => server.stop());
const settled = countCalls();
afterEach(settled);

test('a built dish leads back to the menu, where it is told, however slowly the browser goes back', async () => {
  const page = await openPage(server.url, '/menu/veg-pizza');
  await page.find('heading', 'Veg Pizza');
  const link = document.body.appendChild(document.createElement('a'));
  link.href = `${server.url}/in/customise/PZ004`;
  link.click();
  link.remove();
  await page.find('button', /^Add ₹/);
  const back = history.back.bind(history);
  let isWanted = false;
  history.back = () => {
    isWanted = true;
  };
  try {
    await page.press('button', /^Add ₹/);
    await vi.waitFor(() => expect(isWanted).toBe(true));
    // Time for a message to be drawn.
    await new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done));
    });
    back();
    await vi.waitFor(() => expect(page.path()).toBe('/menu/veg-pizza'));
    await page.find('heading', 'Veg Pizza');
    await page.press('button', 'View cart');
    await vi.waitFor(() => expect(page.path()).toBe('/cart'));
  } finally {
    history.back = back;
  }
});
