import { afterEach, expect, test, vi } from 'vitest';
import { UpiWays } from '../../src/ui/UpiWays.tsx';
import { mount } from './mount.tsx';

const LINK = 'upi://pay?pa=goldenoven@embeddedbank&am=208.00';

/** What the page shows and opens, in the hand or on a computer, after a tap or after it was loaded anew. */
function opened({ isPhone, isTapped }: { isPhone: boolean; isTapped: boolean }) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: isPhone && /coarse/.test(query) }) as MediaQueryList,
  );
  Object.defineProperty(navigator, 'userActivation', { value: { isActive: isTapped }, configurable: true });
  const apps: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    apps.push(this.href);
  });
  const { host } = mount(
    <UpiWays
      step={{ kind: 'upi', transactionId: 't1', link: LINK, expiresAt: 0 } as never}
      app={{ id: 'phonepe', label: 'PhonePe', isPopular: true, link: 'phonepe://pay' }}
      origin="http://127.0.0.1"
      vpa=""
      error=""
      isSent={false}
      onVpa={() => {}}
      onCollect={() => Promise.resolve()}
    />,
  );
  const folds = [...host.querySelectorAll('details')].map(({ open }) => open);
  // Whether its styles may put a code beside the ways, however wide the window is.
  const isCoded = host.firstElementChild!.hasAttribute('data-coded');
  return { apps, folds, isCoded, text: host.textContent };
}
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('on a phone the chosen app opens as the answer to the tap, and the code is for another phone', () => {
  const { apps, folds, isCoded, text } = opened({ isPhone: true, isTapped: true });
  expect(apps).toEqual(['phonepe://pay?pa=goldenoven@embeddedbank&am=208.00']);
  expect([folds, isCoded]).toEqual([[false], false]);
  expect(text).toContain('Pay from another phone');
});

test('a page that was loaded anew opens no app', () => {
  expect(opened({ isPhone: true, isTapped: false }).apps).toEqual([]);
});

test('a computer opens no app and shows the code at once', () => {
  expect(opened({ isPhone: false, isTapped: true })).toMatchObject({ apps: [], folds: [], isCoded: true });
});
