import { act, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from '../../src/ui/forms/Button.tsx';
import { Countdown } from '../../src/ui/time/Countdown.tsx';
import { ErrorScreen } from '../../src/ui/page/ErrorScreen.tsx';
import { Field } from '../../src/ui/forms/Field.tsx';
import { Tabs } from '../../src/ui/forms/Tabs.tsx';
import { BottomBar } from '../../src/ui/page/BottomBar.tsx';
import { Sheet } from '../../src/ui/overlays/Sheet.tsx';
import { Toast } from '../../src/ui/overlays/Toast.tsx';
import { key, mount, named, press } from './mount.tsx';

afterEach(() => void vi.useRealTimers());

test('a busy button swallows taps, so paying twice is not possible by hand', () => {
  const pay = vi.fn();
  const { show } = mount(<Button onClick={pay}>Pay</Button>);
  press(named('Pay'));
  show(
    <Button busy onClick={pay}>
      Pay
    </Button>,
  );
  press(named('Pay'));
  expect(pay).toHaveBeenCalledOnce();
  expect(named('Pay').getAttribute('aria-busy')).toBe('true');
});

test('a field ties label, hint and error to its input', () => {
  mount(
    <Field
      label="Mobile number"
      hint="For the rider"
      error="Too short"
      autoComplete="tel-national"
      defaultValue="98"
    />,
  );
  const input = document.querySelector('input')!;
  expect(document.querySelector('label')!.htmlFor).toBe(input.id);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(input.autocomplete).toBe('tel-national');
  const described = input
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(described).toEqual(['For the rider', 'Too short']);
});

test('tabs have one tab stop, arrows move without choosing', () => {
  const change = vi.fn();
  mount(
    <Tabs
      label="Orders"
      tabs={[
        { value: 'a', text: 'Orders' },
        { value: 'b', text: 'Favourites' },
      ]}
      value="a"
      onChange={change}
    >
      Panel
    </Tabs>,
  );
  expect([...document.querySelectorAll<HTMLElement>('[role=tab]')].map((tab) => tab.tabIndex)).toEqual([0, -1]);
  named('Orders').focus();
  key(named('Orders'), 'ArrowRight');
  expect(document.activeElement).toBe(named('Favourites'));
  expect(change).not.toHaveBeenCalled();
  key(named('Favourites'), 'ArrowRight');
  expect(document.activeElement).toBe(named('Orders'));
  key(named('Orders'), 'End');
  press(document.activeElement!);
  expect(change).toHaveBeenCalledWith('b');
});

test('a toast of one plain line is short; a longer one stays while it is read, and while the focus or a mouse is on it', () => {
  vi.useFakeTimers();
  const done = vi.fn();
  const { show } = mount(<Toast id={1} message="Removed" onDone={done} />);
  act(() => void vi.advanceTimersByTime(3499));
  expect(done).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  expect(done).toHaveBeenCalledOnce();
  const long = 'A kitchen further away cooks for you tonight, so it takes a quarter of an hour more than usual.';
  show(<Toast id={2} message={long} action={{ text: 'Undo', onPress: () => {} }} onDone={done} />);
  act(() => void vi.advanceTimersByTime(12_000));
  expect(done).toHaveBeenCalledOnce();
  act(() => named('Undo').focus());
  act(() => void vi.advanceTimersByTime(60_000));
  act(() => named('Undo').blur());
  const move = (clientX: number) =>
    act(
      () => void window.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', clientX, clientY: 0 })),
    );
  move(0);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(done).toHaveBeenCalledOnce();
  move(50);
  act(() => void vi.advanceTimersByTime(13_000));
  expect(done).toHaveBeenCalledTimes(2);
});

test('a toast is announced once each time, and gives the focus back to where it came from', () => {
  const region = () => document.querySelector('[role=status]')!;
  const toast = (id: number, message: string | null) => (
    <>
      <button>Before</button>
      <Toast id={id} message={message} action={{ text: 'Undo', onPress: () => {} }} onDone={() => {}} />
    </>
  );
  const { show } = mount(toast(1, 'Removed'));
  const [live, first] = [region(), region().firstChild];
  show(toast(1, 'Removed'));
  expect(region().firstChild).toBe(first);
  show(toast(2, 'Removed'));
  expect([region() === live, region().firstChild === first]).toEqual([true, false]);
  const before = document.querySelector('button')!;
  before.focus();
  act(() => named('Undo').focus());
  show(toast(2, null));
  expect([region().textContent, document.activeElement]).toEqual(['', before]);
});

test('a toast told while a dialog is open is inside it, and outlives it in its own place', () => {
  const page = (hasDialog: boolean, message: string | null) => (
    <>
      {hasDialog && <dialog open>Rider</dialog>}
      <Toast id={1} message={message} onDone={() => {}} />
    </>
  );
  const { host, show } = mount(page(true, null));
  const region = host.querySelector('[role=status]')!;
  show(page(true, 'Sent to Kavya.'));
  expect(host.querySelector('dialog [role=status]')).toBe(region);
  show(page(true, null));
  expect(host.querySelector('dialog [role=status]')).toBeNull();
  show(page(true, 'Sent to Kavya.'));
  show(page(false, 'Sent to Kavya.'));
  return vi.waitFor(() => {
    expect([host.contains(region), region.textContent]).toEqual([true, 'Sent to Kavya.']);
  });
});

test('a toast that is told on the way to another screen goes above the bar of that screen', async () => {
  const { host } = mount(<Toast id={1} message="Home is saved." onDone={() => {}} />);
  const toast = host.querySelector<HTMLElement>('[role=status] > *')!;
  const place = () => Number.parseFloat(toast.style.bottom);
  toast.getBoundingClientRect = () => new DOMRect(100, 0, 120, 48);
  expect(place()).toBeLessThan(20);
  mount(<BottomBar label="Pay" action={<button>Pay</button>} />);
  const bar = document.querySelector('[data-bar]')!;
  bar.getBoundingClientRect = () => new DOMRect(0, innerHeight - 72, 360, 72);
  document.documentElement.dataset['bars'] = '2';
  await vi.waitFor(() => {
    expect(place()).toBeGreaterThanOrEqual(72);
  });
});

test('a toast lies over no price, no name of a dish and no choice, and over the least where there is no room', () => {
  const box = (top: number, height: number) => new DOMRect(0, top, 360, height);
  const { host, show } = mount(<p />);
  const lying = (boxes: readonly DOMRect[]) => {
    show(
      <>
        {boxes.map((_box, at) => {
          if (at === 0) return <span key={at} translate="no" />;
          return at === 1 ? <h3 key={at}>Garden Four</h3> : <label key={at}>UPI</label>;
        })}
        <Toast id={boxes.length} message="Added." onDone={() => {}} />
      </>,
    );
    const toast = host.querySelector<HTMLElement>('[role=status] > *')!;
    toast.getBoundingClientRect = () => new DOMRect(100, 0, 120, 48);
    for (const [at, wanted] of [...host.querySelectorAll('h3,label,[translate]')].entries())
      wanted.getBoundingClientRect = () => boxes[at]!;
    document.documentElement.dataset['docks'] = String(boxes.length + 100);
    return () => innerHeight - Number.parseFloat(toast.style.bottom);
  };
  const bottom = innerHeight;
  const free = lying([box(bottom - 60, 40), box(bottom - 120, 30), box(bottom - 200, 70)]);
  return vi
    .waitFor(() => {
      expect(free()).toBeLessThanOrEqual(bottom - 200);
    })
    .then(() => {
      // From the edge up everything is taken: twice near the edge, once above.
      const least = lying([box(0, bottom), box(bottom - 200, 200), box(bottom - 200, 200), box(bottom - 200, 200)]);
      return vi.waitFor(() => {
        expect(least()).toBeLessThanOrEqual(bottom - 200);
      });
    });
});

test('a toast makes room for what comes under it after it was told, and measures nothing while that is put there', async () => {
  const page = (isLoaded: boolean) => (
    <>
      {isLoaded && (
        <a id="terms" href="terms">
          Read the terms
        </a>
      )}
      <Toast id={1} message="You are logged in." onDone={() => {}} />
    </>
  );
  vi.useFakeTimers();
  const { host, show } = mount(page(false));
  const toast = host.querySelector<HTMLElement>('[role=status] > *')!;
  toast.getBoundingClientRect = () => new DOMRect(100, 0, 120, 48);
  const { getBoundingClientRect } = HTMLElement.prototype;
  let measured = 0;
  HTMLElement.prototype.getBoundingClientRect = function () {
    if (this.id !== 'terms') return getBoundingClientRect.call(this);
    measured += 1;
    return new DOMRect(0, innerHeight - 80, 360, 60);
  };
  try {
    show(page(true));
    // As a tap's answer comes in several parts. What changed is heard of before the next task.
    for (let part = 0; part < 3; part += 1) {
      host.append(document.createElement('i'));
      await act(() => vi.advanceTimersByTimeAsync(1));
    }
    expect(measured).toBe(0);
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(Number.parseFloat(toast.style.bottom)).toBeGreaterThanOrEqual(80);
    expect(measured).toBe(1);
  } finally {
    HTMLElement.prototype.getBoundingClientRect = getBoundingClientRect;
  }
});

test('keys reach the end of a sheet that has nothing to press: what scrolls takes the focus, and has its title', () => {
  const { host } = mount(
    <Sheet title="Spin the wheel" onClose={() => {}}>
      <p>One spin for each order.</p>
    </Sheet>,
  );
  const text = document.querySelector('dialog p') ?? host.querySelector('p')!;
  const scrolls = text.closest<HTMLElement>('[tabindex="0"]')!;
  expect(document.getElementById(scrolls.getAttribute('aria-labelledby')!)?.textContent).toBe('Spin the wheel');
});

test('an error is announced when the field was just left, and otherwise only described at the field', () => {
  function Form() {
    const [error, setError] = useState('');
    return (
      <>
        <Field label="House" error={error} onBlur={() => setError('Write the number.')} />
        <button onClick={() => setError('Write the number.')}>Save</button>
      </>
    );
  }
  const { host } = mount(<Form />);
  const region = () => host.querySelector('[aria-live]')!;
  press(named('Save'));
  expect([region().textContent, region().getAttribute('aria-live')]).toEqual(['Write the number.', 'off']);
  const { host: other } = mount(<Form />);
  const input = other.querySelector('input')!;
  act(() => input.focus());
  act(() => input.blur());
  const left = other.querySelector('[aria-live]')!;
  expect([left.textContent, left.getAttribute('aria-live')]).toEqual(['Write the number.', 'polite']);
});

test('a message that stays is in a polite live region which was there before, and outlasts any time to read it [NAV-70]', () => {
  vi.useFakeTimers();
  const { host, show } = mount(<Toast message={null} />);
  const region = host.querySelector('[role=status]')!;
  show(<Toast message="There is no internet connection" />);
  act(() => void vi.advanceTimersByTime(600_000));
  expect(host.querySelector('[role=status]')).toBe(region);
  expect(region.textContent).toBe('There is no internet connection');
  show(<Toast message={null} />);
  expect(region.textContent).toBe('');
  vi.useRealTimers();
});

test('the error screen has the three texts and its button refreshes [NAV-73]', () => {
  const refresh = vi.fn();
  const { host } = mount(<ErrorScreen onRefresh={refresh} />);
  expect(host.querySelector('h1')?.textContent).toBe('Something went wrong!');
  expect(host.querySelector('p')?.textContent).toBe('Please try again.');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { host: offline } = mount(<ErrorScreen onRefresh={refresh} />);
  expect(offline.querySelector('p')?.textContent).toBe('You are offline. Please try again once you are online.');
  vi.restoreAllMocks();
  press(named('Refresh'));
  expect(refresh).toHaveBeenCalledOnce();
});

test('a countdown shows every second, speaks at the start, at one minute and at the end, and reports its end once', () => {
  vi.useFakeTimers();
  const expire = vi.fn();
  const { host } = mount(
    <Countdown
      endsAtMs={Date.now() + 62_000}
      nowMs={Date.now}
      text={(time) => `Ends in ${time}`}
      expired="Over"
      onExpire={expire}
    />,
  );
  const [seen, said] = [...host.querySelectorAll('span > span')] as [HTMLElement, HTMLElement];
  const tick = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  tick(1000);
  expect([seen.textContent, said.textContent]).toEqual(['Ends in 01:01', 'Ends in 01:02']);
  tick(2000);
  expect([seen.textContent, said.textContent]).toEqual(['Ends in 00:59', 'Ends in 01:00']);
  tick(59_000);
  expect([seen.textContent, said.textContent]).toEqual(['Over', 'Over']);
  tick(5000);
  expect(expire).toHaveBeenCalledOnce();
});

test('a countdown that is over begins again for another end, and when the clock turns out to be ahead, and reports every end', () => {
  vi.useFakeTimers();
  const expire = vi.fn();
  const start = Date.now();
  const at = (leftMs: number, aheadMs = 0) => (
    <Countdown
      endsAtMs={start + leftMs}
      nowMs={() => Date.now() + aheadMs}
      text={(time) => time}
      expired="Over"
      onExpire={expire}
    />
  );
  const { host, show } = mount(at(1000));
  const seen = () => host.querySelector('span > span')!.textContent;
  const tick = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  tick(2000);
  expect([seen(), expire.mock.calls.length]).toEqual(['Over', 1]);
  show(at(62_000));
  expect(seen()).toBe('01:00');
  tick(60_000);
  expect([seen(), expire.mock.calls.length]).toEqual(['Over', 2]);
  // The device was a minute ahead of the server.
  show(at(62_000, -60_000));
  tick(1000);
  expect([seen(), expire.mock.calls.length]).toEqual(['00:59', 2]);
  tick(60_000);
  expect([seen(), expire.mock.calls.length]).toEqual(['Over', 3]);
});

test('a countdown runs on while the clock of the phone is put back, and when the server says the time', () => {
  vi.useFakeTimers();
  const start = Date.now();
  const at = (aheadMs: number) => (
    <Countdown endsAtMs={start + 600_000} nowMs={() => Date.now() + aheadMs} text={(time) => time} expired="Over" />
  );
  const { host, show } = mount(at(0));
  const seen = () => host.querySelector('span > span')!.textContent;
  const tick = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  const put = (byMs: number) => vi.setSystemTime(Date.now() + byMs);
  tick(10_000);
  put(-86_400_000);
  tick(10_000);
  expect(seen()).toMatch(/^09:4[01]$/);
  show(at(86_400_000));
  tick(10_000);
  expect(seen()).toBe('09:30');
});

test("a countdown follows the server's clock, also when that becomes known after it began [OFF-19]", () => {
  vi.useFakeTimers();
  const ends = Date.now() + 600_000;
  const at = (aheadMs: number) => (
    <Countdown endsAtMs={ends} nowMs={() => Date.now() + aheadMs} text={(time) => time} expired="Over" />
  );
  const { host, show } = mount(at(0));
  show(at(590_000));
  act(() => void vi.advanceTimersByTime(1000));
  expect(host.querySelector('span > span')!.textContent).toBe('00:09');
});
