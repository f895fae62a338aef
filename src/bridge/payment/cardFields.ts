/** How long the bank has to answer for what was typed: it checks the card meanwhile. */
const ANSWER_MS = 15_000;
const LONGEST_TOKEN = 400;
const HIGHEST_PX = 900;
/** Styles that the bank's fields take over from us: the bank's name, and our variable. */
const LOOKS: readonly (readonly [string, string])[] = [
  ['ink', '--ink'],
  ['soft', '--ink-soft'],
  ['card', '--card'],
  ['edge', '--edge'],
  ['focus', '--blue-ink'],
  ['wrong', '--red-ink'],
  ['radius', '--radius-button'],
];

/** Refused: the fields say what is wrong. Away: nobody answers. */
type CardAnswer = { readonly token: string } | 'refused' | 'away';
/** The bank's fields for a card, as far as our page can see: a token, and nothing that was typed but the first digits. */
export interface CardFields {
  /** Asks the bank for a token of what was typed. Never rejects. */
  token(): Promise<CardAnswer>;
  stop(): void;
}
interface Hearers {
  /** The first six digits once they are typed, and '' when they are not there any more. */
  first(digits: string): void;
  /** Enter was pressed in a field. */
  enter(): void;
}

interface Shown {
  /** A saved card, of which only the CVV is typed. */
  readonly kept: { readonly cardId: string; readonly brand: string; readonly lastFour: string } | null;
  /** Whether the customer goes to the bank's page and comes back, since the fields cannot be in a frame. */
  readonly isRedirect: boolean;
}
const KEPT = 'card-of';
const TOKEN = 'card';

/** Address of the bank's page for our page. */
export function cardFieldsAddress(win: Window, url: string, { kept, isRedirect }: Shown): string {
  const { origin, pathname, search } = win.location;
  const query = new URLSearchParams({ origin, lang: win.document.documentElement.lang });
  if (kept) {
    query.set('kind', 'cvv');
    query.set('brand', kept.brand);
    query.set('digits', kept.lastFour);
  }
  if (isRedirect) query.set('return', origin + pathname + search + (kept ? `#${KEPT}=${kept.cardId}` : ''));
  return `${url}?${query}`;
}

/** Whether the address holds such a token. */
export const isCardReturned = (win: Window | undefined): boolean =>
  new URLSearchParams(win?.location.hash.slice(1)).has(TOKEN);

/** The token with which the bank's page has sent the customer back, and of which saved card; it is taken out of the address. */
export function returnedCard(
  win: Window | undefined,
): { readonly token: string; readonly cardId: string | null } | null {
  if (!win) return null;
  const { hash, pathname, search } = win.location;
  const found = new URLSearchParams(hash.slice(1));
  const token = found.get(TOKEN);
  if (!token) return null;
  win.history.replaceState(win.history.state, '', pathname + search);
  return token.length > LONGEST_TOKEN ? null : { token, cardId: found.get(KEPT) };
}

/** Speaks with the bank's fields in `frame`: only with its origin, and only with this frame. */
export function connectCardFields(win: Window, frame: HTMLIFrameElement, hear: Hearers): CardFields {
  const { origin } = new URL(frame.src);
  const waiting = new Map<number, (answer: CardAnswer) => void>();
  let tries = 0;
  const send = (message: object) => frame.contentWindow?.postMessage(message, origin);
  const ask = (id: number) => send({ type: 'card:submit', id });
  const dress = () => {
    const looks = win.getComputedStyle(frame);
    const style = LOOKS.map(([name, own]) => [name, looks.getPropertyValue(own).trim()] as const);
    send({ type: 'card:style', style: Object.fromEntries(style) });
  };
  const answered = (id: unknown, answer: CardAnswer) => waiting.get(id as number)?.(answer);
  const heard = (data: Readonly<Record<string, unknown>>) => {
    const { type, id, token, digits, height } = data;
    if (type === 'card:ready') {
      dress();
      // What was asked for before it could hear.
      for (const one of waiting.keys()) ask(one);
    } else if (type === 'card:size' && typeof height === 'number' && height > 0)
      frame.style.height = `${Math.min(height, HIGHEST_PX)}px`;
    else if (type === 'card:first' && typeof digits === 'string' && /^(\d{6})?$/.test(digits)) hear.first(digits);
    else if (type === 'card:enter') hear.enter();
    else if (type === 'card:failed') answered(id, 'away');
    else if (type === 'card:refused') {
      answered(id, 'refused');
      // The keyboard may be at Pay still: first it comes into the frame, then to the field that is wrong.
      if (frame.ownerDocument.activeElement !== frame) frame.focus();
      send({ type: 'card:focus' });
    } else if (type === 'card:token' && typeof token === 'string' && token !== '' && token.length <= LONGEST_TOKEN)
      answered(id, { token });
  };
  const listen = ({ source, origin: from, data }: MessageEvent) => {
    if (source === null || source !== frame.contentWindow || from !== origin) return;
    if (typeof data === 'object' && data !== null) heard(data as Record<string, unknown>);
  };
  win.addEventListener('message', listen);
  const isDark = win.matchMedia?.('(prefers-color-scheme: dark)');
  isDark?.addEventListener?.('change', dress);
  return {
    token: () =>
      new Promise((resolve) => {
        tries += 1;
        const id = tries;
        const timer = setTimeout(() => answered(id, 'away'), ANSWER_MS);
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        });
        ask(id);
      }),
    stop() {
      win.removeEventListener('message', listen);
      isDark?.removeEventListener?.('change', dress);
      for (const one of [...waiting.values()]) one('away');
    },
  };
}
