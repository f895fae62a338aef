import { expect, test } from 'vitest';
import { createBrowser } from '../../hosts/browser/bridge.ts';
import { makePhone } from '../hosts/phone.ts';

test('each way in which a page goes out of sight and comes back is told once; a bridge that is done with says nothing more', () => {
  const { window } = makePhone();
  const bridge = createBrowser({ window });
  const seen: string[] = [];
  const page = (name: string) => window.dispatchEvent(new Event(name));
  const look = (isHidden: boolean) => {
    Object.assign(window.document, { hidden: isHidden });
    window.document.dispatchEvent(new Event('visibilitychange'));
  };
  const told = (act: () => unknown) => {
    seen.length = 0;
    act();
    return [...seen];
  };
  const leave = bridge.on('lifecycle', (state) => seen.push(state));
  // A page begins in sight.
  expect(told(() => page('pageshow'))).toEqual([]);
  expect(told(() => look(false))).toEqual([]);
  expect(told(() => look(true))).toEqual(['hidden']);
  expect(told(() => page('pagehide'))).toEqual([]);
  expect(told(() => look(false))).toEqual(['shown']);
  expect(told(() => page('pagehide'))).toEqual(['hidden']);
  expect(told(() => page('pageshow'))).toEqual(['shown']);
  expect(told(() => page('pagehide'))).toEqual(['hidden']);
  expect(told(() => page('focus'))).toEqual(['shown']);
  leave();
  expect(told(() => page('pagehide'))).toEqual([]);
  bridge.on('lifecycle', (state) => seen.push(state));
  expect(told(() => page('pageshow'))).toEqual(['shown']);
  bridge.dispose();
  expect(told(() => page('pagehide'))).toEqual([]);
});
