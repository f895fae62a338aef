/** The part of a browser's speech recognition that is used; most browsers call it webkitSpeechRecognition. */
interface Recogniser {
  lang: string;
  interimResults: boolean;
  maxAlternatives: number;
  onresult: ((event: { readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>> }) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
}

const LISTEN_MS = 12_000;

const recogniser = () => {
  const page = globalThis as {
    SpeechRecognition?: new () => Recogniser;
    webkitSpeechRecognition?: new () => Recogniser;
  };
  return page.SpeechRecognition ?? page.webkitSpeechRecognition;
};

export const canListen = () => recogniser() !== undefined;

/**
 * Listens to one sentence in a language ('en-IN'); '' when nothing was understood. Ends after 12 s at the latest, or at once
 * when `signal` says so.
 * @throws Error 'not-allowed' when the microphone was refused, or the browser's own word for what went wrong
 */
export function listen(lang: string, signal: AbortSignal): Promise<string> {
  const Made = recogniser();
  if (!Made) return Promise.reject(new Error('unsupported'));
  return new Promise((done, fail) => {
    const ears = new Made();
    let heard = '';
    const late = setTimeout(() => ears.abort(), LISTEN_MS);
    const stop = () => ears.abort();
    const settle = (end: () => void) => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
      ears.onend = ears.onerror = ears.onresult = null;
      end();
    };
    // A browser that does not end when it is told to is not waited for.
    const giveUp = setTimeout(() => settle(() => done(heard)), LISTEN_MS + 1_000);
    ears.lang = lang;
    ears.interimResults = false;
    ears.maxAlternatives = 1;
    ears.onresult = ({ results }) => {
      heard = results[0]?.[0]?.transcript ?? '';
    };
    ears.onerror = ({ error }) => {
      clearTimeout(giveUp);
      settle(() => (error === 'no-speech' || error === 'aborted' ? done(heard) : fail(new Error(error))));
    };
    ears.onend = () => {
      clearTimeout(giveUp);
      settle(() => done(heard));
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      ears.start();
    } catch (thrown) {
      clearTimeout(giveUp);
      settle(() => fail(thrown));
    }
  });
}
