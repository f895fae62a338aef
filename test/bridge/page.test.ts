import { afterEach, expect, test, vi } from 'vitest';
import { logFault } from '../../src/bridge/logFault.ts';
import { workersHere } from '../../src/bridge/workers.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a fault is logged and told to the page, and is no uncaught error of the browser', () => {
  const fault = new Error('no place');
  const [report, say, events] = [vi.fn(), vi.spyOn(console, 'error').mockImplementation(() => undefined), vi.fn()];
  vi.stubGlobal('dispatchEvent', events);
  vi.stubGlobal(
    'ErrorEvent',
    class {
      readonly type;
      readonly error;
      constructor(type: string, { error }: { error: unknown }) {
        this.type = type;
        this.error = error;
      }
    },
  );
  vi.stubGlobal('reportError', report);
  logFault(fault);
  expect([report.mock.calls, say.mock.calls]).toEqual([[], [[fault]]]);
  expect(events.mock.calls).toMatchObject([[{ type: 'error', error: fault }]]);
});

test("a page's service workers are found where it may ask for them; in a frame that may not there are none", () => {
  const serviceWorker = {};
  vi.stubGlobal('navigator', { serviceWorker });
  expect(workersHere()).toBe(serviceWorker);
  vi.stubGlobal('navigator', {});
  expect(workersHere()).toBeUndefined();
  vi.stubGlobal('navigator', {
    get serviceWorker(): never {
      throw new DOMException('sandboxed', 'SecurityError');
    },
  });
  expect(workersHere()).toBeUndefined();
});
