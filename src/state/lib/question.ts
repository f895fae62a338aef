import { atom, type Atom, type Getter, type WritableAtom } from 'jotai';
import { DEADLINE_MS } from '../../bridge/deadlines.ts';
import { sleep } from '../../domain/sleep.ts';
import { pathAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from './forget.ts';

/** What became of a question. */
type Answer<T> =
  | { readonly is: 'answered'; readonly value: T; readonly isHere: () => boolean }
  | { readonly is: 'failed'; readonly thrown: unknown; readonly isHere: () => boolean }
  /** The same question was asked again, or another way has taken its place: its answer counts no more. */
  | { readonly is: 'superseded' };

interface Question<T, A extends unknown[]> {
  /** `asked`: a sheet is about to appear. `silent`: there is none, or nobody has answered it yet; another tap asks again. */
  readonly atom: Atom<'idle' | 'asked' | 'silent'>;
  /** Asks. A second tap while a sheet is about to appear is a double tap, and superseded. Never rejects. */
  readonly ask: WritableAtom<null, A, Promise<Answer<T>>>;
  /** Stops waiting: another way has taken its place. */
  readonly drop: WritableAtom<null, [], void>;
}

/** Another sheet is open, or has taken the place of the one that was asked for. */
export const isOtherSheet = (thrown: unknown) => /^(BUSY|ABORTED)$/.test((thrown as { code?: string }).code ?? '');

/** The page that is open; what its query says may change while somebody stays there. */
const pageAtom = atom((get) => get(pathAtom).split('?')[0]!);

/** Whether the customer is still on the page where they are now: what is answered later moves nobody who has left it. */
export function stayingHere(get: Getter): () => boolean {
  const page = get(pageAtom);
  return () => get(pageAtom) === page;
}

/**
 * A question to the phone, the host or the person in front of them (src/decisions/2026-11-28-waits.md): it may be
 * answered late or never. Whoever asks keeps nothing else waiting for it, shows `silent`, and moves nobody who is not
 * `isHere` any more. `put` has to stop waiting for the answer when its signal aborts. `silence`
 * says that an answer is waited for, where no page shows it.
 */
export function question<T, A extends unknown[] = []>(
  put: (get: Getter, signal: AbortSignal, ...args: A) => Promise<T>,
  silence?: () => string,
): Question<T, A> {
  const askedAtom = customerAtom<AbortController | null>(null);
  const silentAtom = customerAtom<AbortController | null>(null);
  const stateAtom = atom((get) => {
    const stop = get(askedAtom);
    return stop === null ? 'idle' : get(silentAtom) === stop ? 'silent' : 'asked';
  });
  return {
    atom: stateAtom,
    ask: atom(null, async (get, set, ...args: A): Promise<Answer<T>> => {
      if (get(stateAtom) === 'asked') return { is: 'superseded' };
      get(askedAtom)?.abort();
      const own = new AbortController();
      const isHere = stayingHere(get);
      set(askedAtom, own);
      const over = new AbortController();
      void sleep(DEADLINE_MS.opening, over.signal).then(() => {
        if (get(askedAtom) !== own) return;
        set(silentAtom, own);
        if (silence) set(toastMessageAtom, silence());
      });
      // Not everything that can be asked can be told to stop.
      const stopped = new Promise<never>((_, fail) => {
        own.signal.addEventListener('abort', () => fail(new Error('superseded')));
      });
      const settle = (answer: Answer<T>): Answer<T> => {
        over.abort();
        if (get(askedAtom) !== own) return { is: 'superseded' };
        set(askedAtom, null);
        return answer;
      };
      // It is asked at once: a sheet may open only while a tap is handled.
      const asked = async () => put(get, own.signal, ...args);
      return Promise.race([asked(), stopped]).then(
        (value) => settle({ is: 'answered', value, isHere }),
        (thrown: unknown) => settle({ is: 'failed', thrown, isHere }),
      );
    }),
    drop: atom(null, (get, set) => {
      const asked = get(askedAtom);
      set(askedAtom, null);
      asked?.abort();
    }),
  };
}
