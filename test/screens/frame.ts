import { vi } from 'vitest';
import { typeInFields, type Typed } from '../kit/typedCard.ts';
import { CARD } from '../server/typed.ts';

/**
 * Types into the bank's fields in the frame of the page. The imitated browser loads none: this speaks in its place as CARD_FIELDS.md
 * says, and the imitated bank decides what is right.
 * @param shop the server's address
 * @returns what the fields have said to be wrong, anew for each time they were asked
 */
export async function typeInFrame(shop: string, typed: Typed = CARD): Promise<{ readonly said: string[] }> {
  const frame = await vi.waitFor(() => {
    const found = document.querySelector('iframe');
    if (!found) throw new Error('there is no frame');
    return found;
  });
  const { origin, pathname, searchParams } = new URL(frame.src);
  // Where frames are not loaded, there is no window in them.
  const source = {} as Window;
  Object.defineProperty(frame, 'contentWindow', { configurable: true, value: source });
  const said: string[] = [];
  const tell = (data: object) => void window.dispatchEvent(new MessageEvent('message', { source, origin, data }));
  source.postMessage = (message: { type: string; id: number }) => {
    if (message.type !== 'card:submit') return;
    said.length = 0;
    void typeInFields(origin + pathname, new URL(shop).origin, typed, Object.fromEntries(searchParams)).then(
      ({ body: { token, problems = [] } }) => {
        said.push(...problems.map(({ displayMsg }) => displayMsg));
        const { id } = message;
        tell(token === undefined ? { type: 'card:refused', id } : { type: 'card:token', id, token });
      },
    );
  };
  const digits = (typed.number ?? '').replace(/\D/g, '').slice(0, 6);
  tell({ type: 'card:first', digits: digits.length === 6 ? digits : '' });
  return { said };
}
