import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { Popup } from '../../src/ui/overlays/Popup.tsx';
import { Sheet } from '../../src/ui/overlays/Sheet.tsx';
import { mount, named, press } from './mount.tsx';

const dialog = () => document.querySelector('dialog')!;
const escape = () => act(() => void dialog().dispatchEvent(new Event('cancel', { cancelable: true })));

test('a popup shows header, message, second message and both buttons, and stays when it is tapped [NAV-74] [NAV-75]', () => {
  const [left, right, close] = [vi.fn(), vi.fn(), vi.fn()];
  mount(
    <Popup
      header="Oops"
      message="First"
      secondMessage="Second"
      left={{ text: 'Back', onPress: left }}
      right={{ text: 'Go on', onPress: right }}
      onClose={close}
    />,
  );
  expect(dialog().open).toBe(true);
  expect(document.getElementById(dialog().getAttribute('aria-labelledby')!)?.textContent).toBe('Oops');
  expect(document.getElementById(dialog().getAttribute('aria-describedby')!)?.textContent).toContain('FirstSecond');
  expect(document.activeElement).toBe(named('Go on'));
  press(document.querySelector('dialog p')!);
  expect(close).not.toHaveBeenCalled();
  press(named('Back'));
  expect([left.mock.calls.length, right.mock.calls.length]).toEqual([1, 0]);
  press(named('Go on'));
  expect(right).toHaveBeenCalledOnce();
});

test('what cannot be undone is neither focused nor the prominent button: Enter keeps the order', () => {
  const cancel = vi.fn();
  mount(
    <Popup
      header="Cancel this order?"
      message="It will not be made."
      left={{ text: 'Keep it', onPress: () => {} }}
      right={{ text: 'Cancel the order', onPress: cancel, isDestructive: true }}
      onClose={() => {}}
    />,
  );
  expect(document.activeElement).toBe(named('Keep it'));
  expect(named('Keep it').dataset['kind']).toBe('primary');
  expect(named('Cancel the order').dataset['kind']).toBe('secondary');
  press(named('Cancel the order'));
  expect(cancel).toHaveBeenCalledOnce();
});

test('header, second message and buttons are optional; the message then names the popup [NAV-74]', () => {
  mount(<Popup message="Only this" onClose={() => {}} />);
  expect(document.querySelector('h2')).toBeNull();
  expect(document.querySelectorAll('dialog button')).toHaveLength(1);
  expect(document.getElementById(dialog().getAttribute('aria-labelledby')!)?.textContent).toBe('Only this');
});

test('in mini-app mode a tap outside leaves it open; Escape and the close button still work [NAV-75]', () => {
  const close = vi.fn();
  mount(<Popup message="Text" closeOnOutside={false} onClose={close} />);
  press(dialog());
  expect(close).not.toHaveBeenCalled();
  escape();
  expect(close).toHaveBeenCalledTimes(1);
  expect(dialog().open).toBe(true);
  press(named('Close'));
  expect(close).toHaveBeenCalledTimes(2);
});

test('focus returns to where it came from when the popup goes', () => {
  const page = mount(<button type="button">Open</button>);
  named('Open').focus();
  const other = mount(<Popup message="Text" onClose={() => {}} right={{ text: 'OK', onPress: () => {} }} />);
  expect(document.activeElement).toBe(named('OK'));
  other.show(null);
  expect(document.activeElement).toBe(page.host.querySelector('button'));
});

test('focus goes to the heading of the page when what opened the popup is gone', () => {
  const page = mount(<button type="button">Open</button>);
  named('Open').focus();
  const other = mount(<Popup message="Text" onClose={() => {}} />);
  page.show(
    <main>
      <h1 tabIndex={-1}>Another page</h1>
    </main>,
  );
  other.show(null);
  expect(document.activeElement).toBe(page.host.querySelector('h1'));
});

test('a sheet is named by its title, starts there and closes by its button', () => {
  const close = vi.fn();
  mount(
    <Sheet title="Choose a size" onClose={close}>
      Body
    </Sheet>,
  );
  const heading = document.getElementById(dialog().getAttribute('aria-labelledby')!)!;
  expect(heading.textContent).toBe('Choose a size');
  expect(document.activeElement).toBe(heading);
  press(named('Close'));
  expect(close).toHaveBeenCalledOnce();
});
