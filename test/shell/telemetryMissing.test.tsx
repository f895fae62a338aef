import { expect, test, vi } from 'vitest';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openPage } from '../screens/page.ts';
import { withoutWaiting } from './quiet.ts';
import { during } from '../kit/during.ts';

vi.mock('../../src/shell/signals/telemetry.ts', () => {
  throw new Error('the script of the telemetry did not come');
});

const server = during(() => lentServer({ settings: { environment: { ANALYTICS: 'on' } } }));
withoutWaiting();

test('telemetry that does not start is logged only: no dialog, and the menu sells [ERR-32]', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  localStorage.setItem(
    'IN/browser:~consents',
    JSON.stringify([{ purpose: 'usage', given: true, version: CONSENT_VERSIONS.usage, at: Date.now() }]),
  );
  const page = await openPage(server.url, '/menu/sides', { keep: true });
  const messages = () => logged.mock.calls.flat().map((thrown) => String((thrown as Error).cause ?? thrown));
  await vi.waitFor(() => expect(messages().join()).toContain('the script of the telemetry did not come'));
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.find('link', /^Cart, 1 item ?₹/);
  expect(document.querySelectorAll('dialog[open],[role=alertdialog],[role=alert]')).toHaveLength(0);
});
