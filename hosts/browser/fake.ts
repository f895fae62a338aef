import { announce, createDevice, type Fake, type FakeOptions, startOptions } from './device.ts';

/** A plain browser: share sheet and installation prompt are the only native things it has. */
export function createBrowserFake(options: FakeOptions = {}): Fake {
  const device = createDevice('browser', options);
  const { win } = device;
  const share = async (content: ShareData) => {
    device.called('share', content);
    if (await device.sheet('share', content) === 'dismiss') throw new DOMException('Share canceled', 'AbortError');
  };
  Object.defineProperty(win.navigator, 'share', { configurable: true, value: share });
  return announce(device);
}

const start = startOptions();
if (start) createBrowserFake(start);
