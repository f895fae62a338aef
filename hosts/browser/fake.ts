import { announce, createDevice, type Fake, type FakeOptions, startOptions } from '../imitated/phone.ts';

/** Imitates a plain browser, whose only native sheets are the share sheet and the installation prompt. */
export function createBrowserFake(options: FakeOptions = {}): Fake {
  const device = createDevice('browser', options);
  const { win } = device;
  const share = async (content: ShareData) => {
    device.called('share', content);
    if (device.controls.sharing !== 'works') throw new DOMException('Not allowed here', 'NotAllowedError');
    if ((await device.sheet('share', content)) === 'dismiss') throw new DOMException('Share canceled', 'AbortError');
  };
  Object.defineProperty(win.navigator, 'share', { configurable: true, value: share });
  const { clipboard } = win.navigator;
  if (clipboard) {
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = async (text) => {
      if (device.controls.sharing === 'forbidden') throw new DOMException('Not allowed here', 'NotAllowedError');
      await write(text);
    };
  }
  const offer = () => {
    if (device.controls.install !== 'offered') return;
    let answer: (said: { outcome: 'accepted' | 'dismissed' }) => void = () => {};
    win.dispatchEvent(
      Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        userChoice: new Promise((resolve) => {
          answer = resolve;
        }),
        prompt: async () => {
          device.called('install', {});
          answer({
            outcome:
              (await device.sheet('shortcut', { label: win.document.title })) === 'add' ? 'accepted' : 'dismissed',
          });
        },
      }),
    );
  };
  setTimeout(offer);
  device.changed.push((before) => {
    if (before.install !== device.controls.install) offer();
  });
  return announce(device);
}

const start = startOptions();
if (start) createBrowserFake(start);
